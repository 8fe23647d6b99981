# SPDX-License-Identifier: Apache-2.0
"""What Keras and scikit-learn answer for a case, called as their users would call them."""
import os
import warnings

os.environ.setdefault("KERAS_BACKEND", "numpy")

import keras
import numpy as np
from keras import metrics as km
from sklearn import metrics as sk

# Keras gets the values of bfloat16 as float32, which holds them exactly.
ELEMENT = {"bf16": np.float32, "f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32}
INTEGER_TRUE = ("label", "only", "ignore", "binary")
# These reduce the last axis themselves: [rows] would be averaged to one number per update.
COLUMN = {"MeanSquaredError", "RootMeanSquaredError", "MeanAbsoluteError", "BinaryCrossentropy"}


def keras_metric(case):
    o = dict(case["options"])
    if "threshold" in o and case["metric"] not in ("BinaryAccuracy", "F1Score", "FBetaScore"):
        o["thresholds"] = o.pop("threshold")
    for name in ("average", "class_aggregation"):
        if o.get(name) == "none":
            o[name] = None
    return getattr(km, case["metric"])(**o)


def keras_arrays(case, t, p, w):
    """The arrays in the types and shapes that Keras gets."""
    true_type = np.float64 if case["dtype"] == "f64" else np.float32
    if case["true"].split(":")[0] in INTEGER_TRUE:
        true_type = np.int32
    t, p = t.astype(true_type), p.astype(ELEMENT[case["dtype"]])
    flat = case["cols"] == 1 and case["metric"] not in COLUMN | {
        "R2Score", "F1Score", "FBetaScore", "CategoricalAccuracy", "TopKCategoricalAccuracy",
        "CategoricalCrossentropy", "SparseCategoricalAccuracy", "SparseTopKCategoricalAccuracy",
        "SparseCategoricalCrossentropy"}
    if flat and "top_k" not in case["options"] and "class_id" not in case["options"]:
        t, p = t.reshape(len(t)), p.reshape(len(p))
    return t, p, None if w is None else w.astype(np.float32)


def keras_answer(case, t, p, w):
    if case["metric"] == "ConfusionMatrix":
        return None
    t, p, w = keras_arrays(case, t, p, w)
    metric, at = keras_metric(case), 0
    for size in case["batches"]:
        part = slice(at, at + size)
        weight = None if w is None else w[part]
        if case["metric"] in ("Mean", "Sum"):
            metric.update_state(p[part], sample_weight=weight)
        else:
            metric.update_state(t[part], p[part], sample_weight=weight)
        at += size
    return np.asarray(metric.result(), dtype=np.float64)


def argmax_labels(t):
    return t.argmax(1) if t.ndim == 2 else t.astype(int)


def sklearn_multiclass(case, t, p, w):
    m, o, cols = case["metric"], case["options"], case["cols"]
    label = argmax_labels(t)
    if m in ("CategoricalAccuracy", "SparseCategoricalAccuracy"):
        return sk.accuracy_score(label, p.argmax(1), sample_weight=w)
    if cols < 3 or "ignore_class" in o or case["true"] == "mix" or o.get("label_smoothing"):
        return None
    if m in ("TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy"):
        return sk.top_k_accuracy_score(label, p, k=o["k"], labels=range(cols), sample_weight=w)
    if o["from_logits"]:
        p = np.exp(p - p.max(1, keepdims=True))
    return sk.log_loss(label, p / p.sum(1, keepdims=True), labels=range(cols), sample_weight=w)


def sklearn_counts(case, t, p, w):
    m, o = case["metric"], case["options"]
    if "top_k" in o or "class_id" in o:
        return None
    t, p = t.reshape(-1).astype(int), p.reshape(len(p), -1)
    w = None if w is None else np.repeat(w, p.shape[1])
    p, out = p.reshape(-1), []
    thresholds = o.get("threshold", 0.5)
    for threshold in thresholds if isinstance(thresholds, list) else [thresholds]:
        y = (p > threshold).astype(int)
        if m == "Precision":
            out.append(sk.precision_score(t, y, sample_weight=w, zero_division=0))
        elif m == "Recall":
            out.append(sk.recall_score(t, y, sample_weight=w, zero_division=0))
        else:
            table = sk.confusion_matrix(t, y, labels=[0, 1], sample_weight=w)
            out.append(table[m.startswith(("TrueP", "FalseN")) * 1, m.endswith("Positives") * 1])
    return out


def sklearn_f(case, t, p, w):
    o, cols = case["options"], case["cols"]
    y = p > o["threshold"] if "threshold" in o else (p == p.max(1, keepdims=True)) & (p != 0)
    average = None if o["average"] == "none" else o["average"]
    if cols == 1:
        t, y, average = t[:, 0], y[:, 0], "binary"
    return sk.fbeta_score(t.astype(int), y.astype(int), beta=o.get("beta", 1.0), average=average,
                          sample_weight=w, zero_division=0)


def sklearn_regression(case, t, p, w):
    m, o = case["metric"], case["options"]
    if m == "R2Score":
        how = {"none": "raw_values", "uniform_average": "uniform_average",
               "variance_weighted_average": "variance_weighted"}[o["class_aggregation"]]
        return None if o.get("num_regressors") else sk.r2_score(t, p, sample_weight=w,
                                                                multioutput=how)
    if m == "RootMeanSquaredError" and case["cols"] > 1:  # scikit-learn roots each column.
        return None
    return {"MeanSquaredError": sk.mean_squared_error, "MeanAbsoluteError": sk.mean_absolute_error,
            "RootMeanSquaredError": sk.root_mean_squared_error}[m](t, p, sample_weight=w)


def sklearn_answer(case, t, p, w):
    m, o, cols = case["metric"], case["options"], case["cols"]
    if m in ("CategoricalAccuracy", "SparseCategoricalAccuracy", "TopKCategoricalAccuracy",
             "SparseTopKCategoricalAccuracy", "CategoricalCrossentropy",
             "SparseCategoricalCrossentropy"):
        return sklearn_multiclass(case, t, p, w)
    if m in ("Precision", "Recall") or m.endswith(("Positives", "Negatives")):
        return sklearn_counts(case, t, p, w)
    if m in ("F1Score", "FBetaScore"):
        return sklearn_f(case, t, p, w)
    if m == "ConfusionMatrix":
        how = None if o["normalize"] == "none" else o["normalize"]
        return sk.confusion_matrix(t.astype(int), argmax_labels(p), sample_weight=w, normalize=how,
                                   labels=range(o["num_classes"])).reshape(-1)
    if m in ("MeanSquaredError", "RootMeanSquaredError", "MeanAbsoluteError", "R2Score"):
        return sklearn_regression(case, t, p, w)
    if m == "Accuracy" and case["pred"] == "label":
        return sk.accuracy_score(t, p, sample_weight=w)
    if cols != 1:
        return None
    t, p = t.reshape(-1), p.reshape(-1)
    if m == "BinaryAccuracy":
        return sk.accuracy_score(t, p > o["threshold"], sample_weight=w)
    if m == "BinaryCrossentropy" and case["true"].startswith("binary") and \
            not o.get("label_smoothing"):
        p = 1 / (1 + np.exp(-p)) if o["from_logits"] else p
        return sk.log_loss(t, p, sample_weight=w, labels=[0, 1])
    if m == "AUC":
        return (sk.roc_auc_score if o["curve"] == "ROC" else sk.average_precision_score)(
            t, p, sample_weight=w)
    return None


def ask(library, *arguments):
    """(answer as a flat float64 array or None, the exception's name or None)."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = library(*arguments)
    except Exception as error:  # The library refuses the input: recorded, not hidden.
        return None, type(error).__name__
    return (None if value is None else np.asarray(value, dtype=np.float64).reshape(-1)), None
