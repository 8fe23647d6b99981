# SPDX-License-Identifier: Apache-2.0
"""Writes golden_regression.txt: what Keras, scikit-learn and SciPy answer for the metrics of
regression_cases.py, and as `exact` their definitions.

An answer that is not `exact` within 2e-5 (Keras, which computes in float32) or 1e-9 has a tag
"<library>:<reason>"; without a known reason nothing is written. README.md has the format. Run it
with the Python of make_golden.sh.
"""
import pathlib
import sys

import libraries  # First: it names Keras' backend.
import keras
import numpy as np
import scipy
import sklearn
from keras import losses as kl
from keras import metrics as km
from scipy import stats
from sklearn import metrics as sk

import inputs
import regression_cases
import regression_definitions
import torch_answers
from make_golden import join, line

SKLEARN = {"MeanAbsolutePercentageError": sk.mean_absolute_percentage_error,
           "Quantile": sk.mean_pinball_loss, "TweedieDeviance": sk.mean_tweedie_deviance,
           "ExplainedVariance": sk.explained_variance_score, "LogLoss": sk.log_loss,
           "BrierScore": sk.brier_score_loss, "Hinge": sk.hinge_loss,
           "MeanSquaredLogarithmicError": sk.mean_squared_log_error}
WITH_LABELS = ("LogLoss", "Hinge")
NO_KERAS = ("Quantile", "Correlation", "Concordance")


def keras_metric(m, o):
    if m == "Huber":
        return km.MeanMetricWrapper(kl.huber, name="huber", delta=o["delta"])
    return getattr(km, m)() if hasattr(km, m) and m not in NO_KERAS else None


def keras_answer(case, t, p, w):
    metric, at = keras_metric(case["metric"], case["options"]), 0
    if metric is None:
        return None
    t = t.astype(np.float64 if case["dtype"] == "f64" else np.float32)
    p = p.astype(libraries.ELEMENT[case["dtype"]])
    w = None if w is None else w.astype(np.float32)
    for size in case["batches"]:
        part = slice(at, at + size)
        metric.update_state(t[part], p[part], sample_weight=None if w is None else w[part])
        at += size
    return np.asarray(metric.result(), dtype=np.float64)


def sklearn_answer(case, t, p, w):
    m, o = case["metric"], case["options"]
    if m not in SKLEARN:
        return None
    more = {"alpha": o["quantile"]} if m == "Quantile" else dict(o)
    if m in WITH_LABELS:
        more["labels"] = [0, 1]
    if m in WITH_LABELS + ("BrierScore",):
        if case["cols"] != 1:
            return None
        t, p = t[:, 0].astype(int), p[:, 0]
    answer = SKLEARN[m](t, p, sample_weight=w, **more)
    return 100 * answer if m == "MeanAbsolutePercentageError" else answer


def scipy_answer(case, t, p, w):
    if case["metric"] != "Correlation" or w is not None:
        return None
    return stats.pearsonr(t[:, 0], p[:, 0]).statistic


def agrees(answer, exact, tolerance):
    same = (answer == exact) | (np.isnan(answer) & np.isnan(exact))
    with np.errstate(invalid="ignore"):
        return bool((same | (np.abs(answer - exact) <= tolerance * np.maximum(1, np.abs(exact))))
                    .all())


def why(library, case, t, p, w, answer):
    """The known reason of an answer other than `exact`, or None."""
    m = case["metric"]
    if not np.isfinite(answer).all():
        return "undefined"
    if library == "sklearn":
        if m == "MeanAbsolutePercentageError" and (t == 0).any():
            return "epsilon"
        if m == "MeanSquaredLogarithmicError" and (min(t.min(), p.min()) < 1e-7):
            return "epsilon"
        if m == "Hinge" and len(np.unique(t)) == 1:
            return "one_class"  # A class alone is taken for the negative one.
        if m == "LogLoss" and ((p == 0) | (p == 1)).any():
            return "clipped"
        return None
    if library == "torchmetrics":
        return torch_answers.reason(case, t, p, ())
    if library != "keras":
        return None
    if case["dtype"] == "f16":
        return "half"
    if m in ("Hinge", "SquaredHinge"):
        at = 0
        for size in case["batches"]:  # Only a batch of 0 and 1 alone is converted.
            if size and not ((t[at:at + size] == 0) | (t[at:at + size] == 1)).all():
                return "labels_by_batch"
            at += size
    return {"ConcordanceCorrelation": "epsilon"}.get(m)


def run(case):
    t, p, w = inputs.make(case)
    exact = np.atleast_1d(np.asarray(regression_definitions.exact(case, t, p, w), float))
    answers, tags, unknown = {"exact": join(exact)}, set(), []
    for name, library in (("keras", keras_answer), ("sklearn", sklearn_answer),
                          ("scipy", scipy_answer), ("torchmetrics", torch_answers.answer)):
        answer, error = libraries.ask(library, case, t, p, w)
        if error is not None:
            answers[name] = "none"
            tags.add(f"{name}:raises_{error}")
        elif answer is not None:
            answers[name] = join(answer)
            if not agrees(answer, exact, 2e-5 if name in ("keras", "torchmetrics") else 1e-9):
                reason = why(name, case, t, p, w, answer)
                if reason is None:
                    unknown.append((name, case, exact, answer))
                tags.add(f"{name}:{reason}")
    return line(case, inputs.checksum(t, p, w), answers, tags), unknown


def main():
    lines = [f"# keras {keras.__version__} backend {keras.backend.backend()}",
             f"# numpy {np.__version__}", f"# scikit-learn {sklearn.__version__}",
             f"# scipy {scipy.__version__}", f"# torchmetrics {torch_answers.tm.__version__}"]
    unknown = []
    for metric in regression_cases.PLAN:
        found = [run(case) for case in regression_cases.draw(metric)]
        print(f"{metric}: {len(found)} cases, {sum('raises' in l for l, _ in found)} raised",
              flush=True)
        lines += [l for l, _ in found]
        unknown += [u for _, us in found for u in us]
    for name, case, exact, answer in unknown:
        print(f"{case}\nexact {exact}\n{name} {answer}")
    if unknown:
        sys.exit(1)
    out = pathlib.Path(__file__).resolve().with_name("golden_regression.txt")
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
