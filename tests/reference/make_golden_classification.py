# SPDX-License-Identifier: Apache-2.0
"""Writes golden_classification.txt: what Keras and scikit-learn answer for the metrics of
classification_cases.py, and for CalibrationError, which neither has, its definition as `exact`.

A case whose answer is undefined in a library has a tag "<library>:<reason>"; README.md has the
format. Run it with the Python of make_golden.sh.
"""
import pathlib
import sys

import libraries  # First: it names Keras' backend.
import keras
import numpy as np
import sklearn
from keras import metrics as km
from sklearn import metrics as sk

import classification_cases
import inputs
import torch_answers
from make_golden import KERAS_TOLERANCE, close, join, line

CLUSTERS = {"RandScore": sk.rand_score, "AdjustedRandScore": sk.adjusted_rand_score,
            "FowlkesMallowsScore": sk.fowlkes_mallows_score,
            "MutualInformation": sk.mutual_info_score,
            "NormalizedMutualInformation": sk.normalized_mutual_info_score,
            "AdjustedMutualInformation": sk.adjusted_mutual_info_score,
            "Homogeneity": sk.homogeneity_score, "Completeness": sk.completeness_score,
            "VMeasure": sk.v_measure_score}


def keras_answer(case, t, p, w):
    m, o = case["metric"], dict(case["options"])
    if not hasattr(km, m):
        return None
    if m.endswith("IoU") and m != "BinaryIoU":
        o["num_classes"] = case["cols"]
    if m.endswith("IoU"):  # Its default dtype, int, drops the fractions of weights.
        o["dtype"] = "float32"
    metric, at = getattr(km, m)(**o), 0
    if case["true"].startswith(("label", "only", "ignore", "binary")):
        t = t.astype(np.int32)
    p = p.astype(libraries.ELEMENT[case["dtype"]])
    if case["cols"] == 1 and t.ndim == 2:
        t, p = t[:, 0], p.reshape(len(p))
    if w is not None:
        w = w.astype(np.float32)
        w = w[:, None] if o.get("multi_label") else w
    for size in case["batches"]:
        part = slice(at, at + size)
        metric.update_state(t[part], p[part], sample_weight=None if w is None else w[part])
        at += size
    return np.asarray(metric.result(), dtype=np.float64)


def matrix_answer(m, o, t, p, w):
    t, y = t.astype(int), (p > o["threshold"]).astype(int)
    if m in ("HammingLoss", "ExactMatch"):
        if t.shape[1] == 1:
            t, y = t[:, 0], y[:, 0]
        if m == "HammingLoss":
            return sk.hamming_loss(t, y, sample_weight=w)
        return sk.accuracy_score(t, y, sample_weight=w)
    w = None if w is None else np.repeat(w, t.shape[1])
    score = sk.recall_score if m == "Specificity" else sk.precision_score
    return score(t.reshape(-1), y.reshape(-1), pos_label=0, sample_weight=w, zero_division=0)


def class_answer(m, o, t, p, w):
    if "threshold" in o:
        y = (p > o["threshold"]).astype(int)
    else:
        y = (np.arange(p.shape[1])[None, :] == p.argmax(1)[:, None]).astype(int)
    average = None if o["average"] == "none" else o["average"]
    t = t.astype(int)
    if t.shape[1] == 1:
        t, y, average = t[:, 0], y[:, 0], "binary"
    score = sk.jaccard_score if m == "JaccardIndex" else sk.f1_score
    return score(t, y, average=average, sample_weight=w, zero_division=0)


def sklearn_answer(case, t, p, w):
    m, o = case["metric"], case["options"]
    if m in CLUSTERS:
        more = {{"mean": "average_method"}.get(k, k): v for k, v in o.items()}
        return CLUSTERS[m](t.astype(int), p.astype(int), **more)
    if m == "CohenKappa":
        weights = None if o["weights"] == "none" else o["weights"]
        return sk.cohen_kappa_score(t, p, weights=weights, sample_weight=w,
                                    labels=range(case["cols"]))
    if m == "MatthewsCorrelation":
        return sk.matthews_corrcoef(t, p, sample_weight=w)
    if m == "BalancedAccuracy":
        return sk.balanced_accuracy_score(t, p, sample_weight=w, adjusted=o["adjusted"])
    if m in ("HammingLoss", "ExactMatch", "Specificity", "NegativePredictiveValue"):
        return matrix_answer(m, o, t, p, w)
    if m in ("JaccardIndex", "DiceScore"):
        return class_answer(m, o, t, p, w)
    return None


def calibration_error(o, t, p, w):
    t, p, n = t.reshape(-1), p.reshape(-1), o["num_bins"]
    w = np.ones(len(p)) if w is None else w
    place = np.minimum(np.floor(p * n).astype(int), n - 1)
    sums = [np.bincount(place, w * x, n) for x in (np.ones(len(p)), p, t)]
    used = sums[0] > 0
    if not used.any():
        return 0.0
    share = sums[0][used] / sums[0].sum()
    gap = np.abs(sums[2][used] - sums[1][used]) / sums[0][used]
    return {"l1": (share * gap).sum(), "max": gap.max(),
            "l2": np.sqrt((share * gap**2).sum())}[o["norm"]]


UNEXPLAINED = []


def run(case):
    t, p, w = inputs.make(case)
    answers, tags, standard = {}, set(), None
    if case["metric"] == "CalibrationError":
        standard = calibration_error(case["options"], t, p, w)
        answers["exact"] = join(standard)
    for name, library in ("keras", keras_answer), ("sklearn", sklearn_answer):
        answer, error = libraries.ask(library, case, t, p, w)
        if error is not None:
            answers[name] = "none"
            tags.add(f"{name}:raises_{error}")
        elif answer is not None:
            answers[name] = join(answer)
            if not np.isfinite(answer).all():
                tags.add(f"{name}:undefined")
            standard = answer
    answer, error = libraries.ask(torch_answers.answer, case, t, p, w)
    if error is not None:
        answers["torchmetrics"] = "none"
        tags.add(f"torchmetrics:raises_{error}")
    elif answer is not None:
        answers["torchmetrics"] = join(answer)
        if standard is None or not close(answer, standard, KERAS_TOLERANCE / 2):
            reason = torch_answers.reason(case, t, p, tags)
            if reason is None:
                UNEXPLAINED.append(f"{case} {tags}\nexact {standard}\ntorchmetrics {answer}")
            tags.add(f"torchmetrics:{reason}")
    return line(case, inputs.checksum(t, p, w), answers, tags)


def main():
    lines = [f"# keras {keras.__version__} backend {keras.backend.backend()}",
             f"# numpy {np.__version__}", f"# scikit-learn {sklearn.__version__}",
             f"# torchmetrics {torch_answers.tm.__version__}"]
    for metric in classification_cases.PLAN:
        found = [run(case) for case in classification_cases.draw(metric)]
        print(f"{metric}: {len(found)} cases, {sum(map(len, found))} bytes, "
              f"{sum('raises' in l for l in found)} raised", flush=True)
        lines += found
    if UNEXPLAINED:
        sys.exit("\n".join(UNEXPLAINED) + "\nno reason is known for these")
    out = pathlib.Path(__file__).resolve().with_name("golden_classification.txt")
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
