# SPDX-License-Identifier: Apache-2.0
"""Accuracies, counts, F scores, confusion matrix and binned AUC from their definitions."""
import math

import numpy as np

from sums import divide_no_nan, ones, ratio, total, weighted_mean


def accuracy(o, t, p, w, tags):
    return weighted_mean((t == p).astype(float), w, tags)


def binary_accuracy(o, t, p, w, tags):
    return weighted_mean((t == (p > o["threshold"])).astype(float), w, tags)


def top_tie(p):
    return bool(len(p)) and bool(((p == p.max(1, keepdims=True)).sum(1) > 1).any())


def labels_of(t):
    return t.argmax(1) if t.ndim == 2 else t.astype(int)


def categorical_accuracy(o, t, p, w, tags):
    if top_tie(p):
        tags.add("ties")
    return weighted_mean((labels_of(t) == p.argmax(1)).astype(float), w, tags)


def top_k(o, t, p, w, tags):
    label = labels_of(t)
    score = p[np.arange(len(p)), label][:, None]
    greater = (p > score).sum(1)
    equal = p == score
    index = np.arange(p.shape[1])[None, :]
    before = (equal & (index < label[:, None])).sum(1)
    others = equal.sum(1) - 1
    if ((greater < o["k"]) != (greater + others < o["k"])).any():
        tags.add("ties")
    def policy(rank):
        return weighted_mean((rank < o["k"]).astype(float), w, tags)
    return {"exact": policy(greater + before), "exact_optimistic": policy(greater),
            "exact_pessimistic": policy(greater + others),
            "exact_last": policy(greater + others - before)}


def thresholds_of(o):
    value = o.get("threshold", -math.inf if "top_k" in o else 0.5)
    return value if isinstance(value, list) else [value]


def cells(o, t, p, w, tags):
    """TP, FP, FN, TN for each threshold, after top_k and class_id."""
    w = ones(w, len(p))[:, None]
    chosen = np.ones(p.shape, dtype=bool)
    if "top_k" in o:
        order = np.argsort(-p, axis=1, kind="stable")[:, :o["top_k"]]
        chosen = np.zeros(p.shape, dtype=bool)
        np.put_along_axis(chosen, order, True, axis=1)
        if any((row[c].min() == row[~c]).any() for row, c in zip(p, chosen) if (~c).any()):
            tags.add("ties")
    if "class_id" in o:
        c = o["class_id"]
        t, p, chosen = t[:, c:c + 1], p[:, c:c + 1], chosen[:, c:c + 1]
    out = []
    for threshold in thresholds_of(o):
        y = (p > threshold) & chosen
        out.append({"tp": total(w * (t * y)), "fp": total(w * ((1 - t) * y)),
                    "fn": total(w * (t * (1 - y))), "tn": total(w * ((1 - t) * (1 - y)))})
    return out


def count_of(which):
    return lambda *args: [c[which] for c in cells(*args)]


def precision(o, t, p, w, tags):
    return [ratio(c["tp"], c["tp"] + c["fp"], tags) for c in cells(o, t, p, w, tags)]


def recall(o, t, p, w, tags):
    return [ratio(c["tp"], c["tp"] + c["fn"], tags) for c in cells(o, t, p, w, tags)]


def f_predictions(o, p, tags):
    """Above the threshold; without one, all classes that have the row's maximum, unless it is 0."""
    if "threshold" in o:
        return p > o["threshold"]
    if not p.size:
        return p > 0
    if top_tie(p):
        tags.add("ties")
    if (np.abs(p.max(1)) <= 1e-9).any():
        tags.add("zero_row")
    return (p == p.max(1, keepdims=True)) & (np.abs(p) > 1e-9)


def f_beta(o, t, p, w, tags):
    y = f_predictions(o, p, tags)
    out = {"exact": f_scores(o, t, y, w, tags)}
    if "threshold" not in o and {"ties", "zero_row"} & tags:
        first = np.arange(p.shape[1])[None, :] == p.argmax(1)[:, None]
        out["exact_argmax"] = f_scores(o, t, first, w, tags)
    return out


def f_scores(o, t, y, w, tags):
    w = ones(w, len(y))[:, None]
    def sums(x):
        return [total(w * x)] if o["average"] == "micro" else [total(w[:, 0] * c) for c in x.T]
    tp, fp, fn = sums(t * y), sums((1 - t) * y), sums(t * (1 - y))
    b2 = o.get("beta", 1.0) ** 2
    scores = [ratio((1 + b2) * a, (1 + b2) * a + b2 * c + b, tags) for a, b, c in zip(tp, fp, fn)]
    if o["average"] == "none":
        return scores
    if o["average"] == "weighted":
        support = sums(t)
        return ratio(total(np.array(scores) * np.array(support)), total(support), tags)
    return total(scores) / len(scores)


def confusion_matrix(o, t, p, w, tags):
    if p.ndim == 2:
        if top_tie(p):
            tags.add("ties")
        p = p.argmax(1)
    n = o["num_classes"]
    m = np.bincount((t * n + p).astype(int), ones(w, len(t)), n * n).reshape(n, n).astype(float)
    how = o.get("normalize", "none")
    if how != "none":
        axis = {"true": 1, "pred": 0, "all": None}[how]
        bottom = np.broadcast_to(m.sum(axis=axis, keepdims=True), m.shape)
        if (bottom == 0).any():
            tags.add("undefined")
        m = np.divide(m, bottom, out=np.zeros_like(m), where=bottom != 0)
    return m.reshape(-1)


def auc(o, t, p, w, tags):
    """Keras' binned curve: thresholds i / (T - 1), a score counts when it is strictly above."""
    count = o["num_thresholds"]
    t, p, w = t.reshape(-1), p.reshape(-1), ones(w, len(p))
    if o.get("from_logits"):
        p = 1 / (1 + np.exp(-p))
    # Exact: a score has at most 16 bits after the point, a sigmoid is kept away from thresholds.
    bucket = np.maximum(np.ceil(np.clip(p, 0, 1) * (count - 1)) - 1, 0).astype(int)
    tp = np.bincount(bucket, w * t, count).astype(float)[::-1].cumsum()[::-1]
    fp = np.bincount(bucket, w * (1 - t), count).astype(float)[::-1].cumsum()[::-1]
    fn, tn = tp[0] - tp, fp[0] - fp
    if tp[0] == 0 or fp[0] == 0:
        tags.add("undefined")
    recall_ = divide_no_nan(tp, tp + fn)
    if o["curve"] == "PR" and o["summation_method"] == "interpolation":
        all_ = tp + fp
        dtp, dp = tp[:-1] - tp[1:], all_[:-1] - all_[1:]
        slope = divide_no_nan(dtp, dp)
        intercept = tp[1:] - slope * all_[1:]
        safe = np.ones(count - 1)
        np.divide(all_[:-1], all_[1:], out=safe, where=(all_[:-1] > 0) & (all_[1:] > 0))
        return total(divide_no_nan(slope * (dtp + intercept * np.log(safe)), (tp + fn)[1:]))
    if o["curve"] == "ROC":
        x, y = divide_no_nan(fp, fp + tn), recall_
    else:
        x, y = recall_, divide_no_nan(tp, tp + fp)
    heights = {"interpolation": (y[:-1] + y[1:]) / 2, "minoring": np.minimum(y[:-1], y[1:]),
               "majoring": np.maximum(y[:-1], y[1:])}[o["summation_method"]]
    return total((x[:-1] - x[1:]) * heights)
