# SPDX-License-Identifier: Apache-2.0
"""Each metric from its definition in float64, over all rows of a case at once.

Independent of the libraries: the recorded `exact` values. An undefined ratio gives what Keras gives
(0, and for R2Score see there), and the case is tagged `undefined`.
"""
import math

import numpy as np

import classification
from sums import ones, ratio, total, weighted_mean

EPSILON = 1e-7  # Keras clips probabilities to [EPSILON, 1 - EPSILON] before a logarithm.


def mean(o, t, p, w, tags):
    return weighted_mean(p, w, tags)


def sum_(o, t, p, w, tags):
    return total(p * ones(w, len(p))[:, None])


def squared_error(o, t, p, w, tags):
    return weighted_mean((t - p) ** 2, w, tags)


def root_squared_error(o, t, p, w, tags):
    return math.sqrt(squared_error(o, t, p, w, tags))


def absolute_error(o, t, p, w, tags):
    return weighted_mean(np.abs(t - p), w, tags)


def clips(p, tags):
    """p unclipped and as Keras clips it, with the bounds in float64 and rounded to float32."""
    out = {"exact_noclip": p, "exact": np.clip(p, EPSILON, 1 - EPSILON),
           "exact_clip32": np.clip(p, float(np.float32(EPSILON)), float(np.float32(1 - EPSILON)))}
    if (out["exact"] == p).all():
        return {"exact": p}
    tags.add("clipped")
    return out


def log(p):
    with np.errstate(divide="ignore"):
        return np.log(p)


def no_nan(x):
    """0 * log(0) is 0 in a cross-entropy."""
    return np.where(np.isnan(x), 0.0, x)


def binary_crossentropy(o, t, p, w, tags):
    s = o.get("label_smoothing", 0)
    t = t * (1 - s) + 0.5 * s
    if o["from_logits"]:
        return weighted_mean(np.maximum(p, 0) - p * t + np.log1p(np.exp(-np.abs(p))), w, tags)
    def loss(p):
        with np.errstate(invalid="ignore"):
            each = -(no_nan(t * log(p)) + no_nan((1 - t) * log(1 - p)))
        return weighted_mean(each, w, tags)
    return {name: loss(q) for name, q in clips(p, tags).items()}


def log_softmax(p):
    shifted = p - p.max(1, keepdims=True) if p.size else p
    return shifted - np.log(np.exp(shifted).sum(1, keepdims=True))


def log_probabilities(o, p, tags):
    if o["from_logits"]:
        return {"exact": log_softmax(p)}
    return {name: log(q) for name, q in clips(p / p.sum(1, keepdims=True), tags).items()}


def categorical_crossentropy(o, t, p, w, tags):
    s = o.get("label_smoothing", 0)
    t = t * (1 - s) + s / t.shape[1]
    def loss(log_p):
        with np.errstate(invalid="ignore"):
            return weighted_mean(-no_nan(t * log_p).sum(1), w, tags)
    return {name: loss(q) for name, q in log_probabilities(o, p, tags).items()}


def sparse_categorical_crossentropy(o, t, p, w, tags):
    label, w = t.astype(int), ones(w, len(t))
    if "ignore_class" in o:
        kept = label != o["ignore_class"]
        if not kept.all():
            tags.add("ignored")
        label, p, w = label[kept], p[kept], w[kept]
    at = np.arange(len(label)), label
    return {name: weighted_mean(-q[at], w, tags)
            for name, q in log_probabilities(o, p, tags).items()}


def r2(o, t, p, w, tags):
    """Per column 1 - SSres / SStot with SStot about the weighted mean. SStot of 0 gives 0, or NaN
    when SSres is 0 as well; no rows or no weight give NaN. num_regressors adjusts by rows."""
    n, w = len(t), ones(w, len(t))
    scores, totals = [], []
    for y, z in zip(t.T, p.T):
        if total(w) == 0:
            tags.add("undefined")
            scores.append(math.nan)
            totals.append(0.0)
            continue
        d = y - total(w * y) / total(w)
        d = d - total(w * d) / total(w)
        constant = bool((y[w > 0] == y[w > 0][0]).all())
        tot, res = 0.0 if constant else total(w * d * d), total(w * (y - z) ** 2)
        if tot == 0:
            tags.add("undefined")
        scores.append(1 - res / tot if tot else (0.0 if res else math.nan))
        totals.append(tot)
    how = o["class_aggregation"]
    if how == "uniform_average":
        scores = [total(scores) / len(scores)]
    elif how == "variance_weighted_average":
        top = sum(a * b for a, b in zip(scores, totals))
        scores = [top / total(totals) if total(totals) else math.nan]
    regressors = o.get("num_regressors", 0)
    if 0 < regressors < n - 1:
        scores = [1 - (1 - s) * (n - 1) / (n - regressors - 1) for s in scores]
    return scores


METRICS = {
    "Mean": mean, "Sum": sum_, "Accuracy": classification.accuracy,
    "BinaryAccuracy": classification.binary_accuracy,
    "CategoricalAccuracy": classification.categorical_accuracy,
    "SparseCategoricalAccuracy": classification.categorical_accuracy,
    "TopKCategoricalAccuracy": classification.top_k,
    "SparseTopKCategoricalAccuracy": classification.top_k,
    "TruePositives": classification.count_of("tp"), "TrueNegatives": classification.count_of("tn"),
    "FalsePositives": classification.count_of("fp"),
    "FalseNegatives": classification.count_of("fn"), "Precision": classification.precision,
    "Recall": classification.recall, "F1Score": classification.f_beta,
    "FBetaScore": classification.f_beta, "ConfusionMatrix": classification.confusion_matrix,
    "MeanSquaredError": squared_error, "RootMeanSquaredError": root_squared_error,
    "MeanAbsoluteError": absolute_error, "BinaryCrossentropy": binary_crossentropy,
    "CategoricalCrossentropy": categorical_crossentropy,
    "SparseCategoricalCrossentropy": sparse_categorical_crossentropy, "R2Score": r2,
    "AUC": classification.auc,
}


def exact(case, t, p, w, tags):
    """{name: value or list}; adds to `tags` what is special about the case."""
    if case["rows"] == 0:
        tags.add("empty")
    if case["weight"] == "nothing":
        tags.add("zero_weight")
    value = METRICS[case["metric"]](case["options"], t, p, w, tags)
    if not isinstance(value, dict):
        return {"exact": value}
    return {"exact": value["exact"]} | value  # `exact` comes first.
