# SPDX-License-Identifier: Apache-2.0
"""What scikit-learn and Keras say about the files in this folder, written to expected.json.

make_data.py calls it; `python examples/data/expected.py` renews expected.json alone.
"""
import json
import os
import pathlib

os.environ.setdefault("KERAS_BACKEND", "numpy")

import keras
import numpy as np
import sklearn
from keras import metrics as km
from scipy.special import softmax
from sklearn import metrics as sk


def keras_value(metric, y_true, y_pred, weight=None):
    metric.update_state(y_true, y_pred, sample_weight=weight)
    return np.asarray(metric.result(), dtype=np.float64).tolist()


def entry(values, metric, sklearn_value, keras_metric=None, *arrays, **options):
    """Adds one row: the metric's name and options, and each library's answer or null."""
    values.append({
        "metric": metric,
        "options": options,
        "sklearn": None if sklearn_value is None else np.asarray(sklearn_value).tolist(),
        "keras": None if keras_metric is None else keras_value(keras_metric, *arrays),
    })


def multiclass(y, scores, from_logits):
    p = softmax(scores.astype(np.float64), axis=1) if from_logits else scores.astype(np.float64)
    p = p / p.sum(axis=1, keepdims=True)
    label = scores.argmax(axis=1)
    one_hot = np.eye(10, dtype=np.float32)[y]
    rows = []
    entry(rows, "SparseCategoricalAccuracy", sk.accuracy_score(y, label),
          km.SparseCategoricalAccuracy(), y, scores)
    for k in (1, 2, 3, 5):
        entry(rows, "SparseTopKCategoricalAccuracy",
              sk.top_k_accuracy_score(y, p, k=k, labels=range(10)),
              km.SparseTopKCategoricalAccuracy(k=k), y, scores, k=k)
    entry(rows, "SparseCategoricalCrossentropy", sk.log_loss(y, p, labels=range(10)),
          km.SparseCategoricalCrossentropy(from_logits=from_logits), y, scores,
          from_logits=from_logits)
    for average in (None, "micro", "macro", "weighted"):
        for beta in (1.0, 0.5):
            name = "F1Score" if beta == 1.0 else "FBetaScore"
            options = {"average": average} | ({} if beta == 1.0 else {"beta": beta})
            entry(rows, name,
                  sk.fbeta_score(y, label, beta=beta, average=average, zero_division=0),
                  km.FBetaScore(average=average, beta=beta), one_hot, scores, **options)
    for average in ("macro", "micro", "weighted"):
        entry(rows, "Precision", sk.precision_score(y, label, average=average), average=average)
        entry(rows, "Recall", sk.recall_score(y, label, average=average), average=average)
    entry(rows, "ConfusionMatrix", sk.confusion_matrix(y, label, labels=range(10)))
    return rows


def binary(y, scores, weight):
    labels, column, target = (scores > 0.5).astype(int), scores[:, None], y[:, None]
    w = weight
    rows = []
    entry(rows, "BinaryAccuracy", sk.accuracy_score(y, labels, sample_weight=w),
          km.BinaryAccuracy(), y, scores, w, threshold=0.5)
    table = sk.confusion_matrix(y, labels, labels=[0, 1], sample_weight=w)
    for name, value in (("TrueNegatives", table[0, 0]), ("FalsePositives", table[0, 1]),
                        ("FalseNegatives", table[1, 0]), ("TruePositives", table[1, 1])):
        entry(rows, name, value, getattr(km, name)(), y, scores, w, threshold=0.5)
    entry(rows, "ConfusionMatrix", table)
    entry(rows, "Precision", sk.precision_score(y, labels, sample_weight=w),
          km.Precision(), y, scores, w, threshold=0.5)
    entry(rows, "Recall", sk.recall_score(y, labels, sample_weight=w),
          km.Recall(), y, scores, w, threshold=0.5)
    for beta in (1.0, 2.0):
        name = "F1Score" if beta == 1.0 else "FBetaScore"
        options = {"threshold": 0.5} | ({} if beta == 1.0 else {"beta": beta})
        entry(rows, name, sk.fbeta_score(y, labels, beta=beta, sample_weight=w),
              km.FBetaScore(average="micro", beta=beta, threshold=0.5), target, column, w,
              **options)
    entry(rows, "BinaryCrossentropy",
          sk.log_loss(y, scores.astype(np.float64), sample_weight=w, labels=[0, 1]),
          km.BinaryCrossentropy(), target, column, w)
    # scikit-learn ranks the scores exactly; Keras sorts them into 200 thresholds.
    entry(rows, "AUC", None, km.AUC(curve="ROC"), y, scores, w, curve="ROC", num_thresholds=200)
    entry(rows, "AUC", None, km.AUC(curve="PR"), y, scores, w, curve="PR", num_thresholds=200)
    entry(rows, "RocAucExact", sk.roc_auc_score(y, scores, sample_weight=w))
    entry(rows, "AveragePrecisionExact", sk.average_precision_score(y, scores, sample_weight=w))
    return rows


def regression(y, prediction):
    target, column = y[:, None], prediction[:, None]
    y, prediction = y.astype(np.float64), prediction.astype(np.float64)
    rows = []
    entry(rows, "MeanSquaredError", sk.mean_squared_error(y, prediction),
          km.MeanSquaredError(), target, column)
    entry(rows, "RootMeanSquaredError", sk.root_mean_squared_error(y, prediction),
          km.RootMeanSquaredError(), target, column)
    entry(rows, "MeanAbsoluteError", sk.mean_absolute_error(y, prediction),
          km.MeanAbsoluteError(), target, column)
    entry(rows, "R2Score", sk.r2_score(y, prediction), km.R2Score(), target, column)
    entry(rows, "Mean", prediction.mean())
    return rows


def write(folder):
    np.seterr(divide="ignore", invalid="ignore")  # Keras' divide_no_nan divides first.

    def load(name):
        return None if name is None else np.load(folder / name)

    # The weighted run has the same numbers as the columns of a CSV file.
    jobs = [
        ("multiclass", "digits_labels.npy", "digits_probabilities.npy", None, False),
        ("multiclass", "digits_labels_int32.npy", "digits_logits.npy", None, True),
        ("binary", "breast_cancer_labels.npy", "breast_cancer_scores.npy", None, False),
        ("binary", "breast_cancer_labels.npy", "breast_cancer_scores.npy",
         "breast_cancer_weights.npy", False),
        ("regression", "diabetes_targets.npy", "diabetes_predictions.npy", None, False),
        ("regression", "diabetes_targets_float32.npy", "diabetes_predictions_float32.npy", None,
         False),
    ]
    runs = []
    for task, true_file, pred_file, weight_file, from_logits in jobs:
        y, prediction, weight = load(true_file), load(pred_file), load(weight_file)
        if task == "multiclass":
            rows = multiclass(y, prediction, from_logits)
        elif task == "binary":
            rows = binary(y, prediction, weight)
        else:
            rows = regression(y, prediction)
        runs.append({"task": task, "y_true": true_file, "y_pred": pred_file,
                     "sample_weight": weight_file, "from_logits": from_logits,
                     "csv": None if weight_file is None else "breast_cancer.csv",
                     "rows": len(y), "values": rows})
    versions = {"scikit-learn": sklearn.__version__, "keras": keras.__version__,
                "keras_backend": keras.backend.backend(), "numpy": np.__version__}
    text = json.dumps({"versions": versions, "runs": runs}, separators=(",", ":"))
    # One line per run and per value keeps the file readable and its diffs small.
    text = text.replace('{"task"', '\n{"task"').replace('{"metric"', '\n  {"metric"') + "\n"
    (folder / "expected.json").write_text(text)


if __name__ == "__main__":
    write(pathlib.Path(__file__).resolve().parent)
