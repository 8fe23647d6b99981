# SPDX-License-Identifier: Apache-2.0
"""What TorchMetrics answers for a case, called as its users would call it: one update per batch.

It takes no sample weights (but for its mean), so only cases without any are asked. None: it has no
such metric, or not with these options.
"""
import numpy as np
import torch
import torchmetrics as tm
from torchmetrics import classification as tc
from torchmetrics import clustering as tk
from torchmetrics import regression as tr
from torchmetrics.image import PeakSignalNoiseRatio
from torchmetrics.text import Perplexity

torch.set_num_threads(1)
PLAIN = {  # of two arrays of one shape, all elements alike
    "MeanSquaredError": lambda o: tr.MeanSquaredError(),
    "RootMeanSquaredError": lambda o: tr.MeanSquaredError(squared=False),
    "MeanAbsoluteError": lambda o: tr.MeanAbsoluteError(),
    "MeanAbsolutePercentageError": lambda o: tr.MeanAbsolutePercentageError(),
    "SymmetricMAPE": lambda o: tr.SymmetricMeanAbsolutePercentageError(),
    "WeightedMAPE": lambda o: tr.WeightedMeanAbsolutePercentageError(),
    "MeanSquaredLogarithmicError": lambda o: tr.MeanSquaredLogError(),
    "LogCoshError": lambda o: tr.LogCoshError(),
    "PSNR": lambda o: PeakSignalNoiseRatio(data_range=o["data_range"]),
}
COLUMN = {  # of one variable
    "TweedieDeviance": lambda o: tr.TweedieDevianceScore(power=o["power"]),
    "Correlation": lambda o: tr.PearsonCorrCoef(),
    "Concordance": lambda o: tr.ConcordanceCorrCoef(),
    "ExplainedVariance": lambda o: tr.ExplainedVariance(),
    "RelativeSquaredError": lambda o: tr.RelativeSquaredError(num_outputs=1),
}
BINARY = {  # of all elements of label matrices; the number is where in BinaryStatScores a count is
    "BinaryAccuracy": tc.BinaryAccuracy, "HammingLoss": tc.BinaryHammingDistance,
    "Precision": tc.BinaryPrecision, "Recall": tc.BinaryRecall,
    "Specificity": tc.BinarySpecificity, "NegativePredictiveValue": tc.BinaryNegativePredictiveValue,
    "TruePositives": 0, "FalsePositives": 1, "TrueNegatives": 2, "FalseNegatives": 3,
}
CLUSTERS = {
    "RandScore": tk.RandScore, "AdjustedRandScore": tk.AdjustedRandScore,
    "FowlkesMallowsScore": tk.FowlkesMallowsIndex, "MutualInformation": tk.MutualInfoScore,
    "NormalizedMutualInformation": tk.NormalizedMutualInfoScore,
    "AdjustedMutualInformation": tk.AdjustedMutualInfoScore, "Homogeneity": tk.HomogeneityScore,
    "Completeness": tk.CompletenessScore, "VMeasure": tk.VMeasureScore,
}
# Metrics that TorchMetrics defines otherwise in some cases.
OWN_WAY = {
    "AdjustedMutualInformation": "float32_expectation", "NormalizedMutualInformation": "one_label",
    "MatthewsCorrelation": "one_class", "BalancedAccuracy": "predicted_classes_count",
    "DiceScore": "absent_classes", "JaccardIndex": "absent_classes",
    "CalibrationError": "bins_closed_above", "Concordance": "sample_variances",
}


def labelled(case):
    """A metric of integer labels, beside scores or labels."""
    m, o, n = case["metric"], case["options"], case["cols"]
    if n < 2 or case["true"] == "mix" or case["true"].startswith("ignore"):
        return None
    average = o.get("average", "none")
    match m:
        case "Accuracy" | "CategoricalAccuracy" | "SparseCategoricalAccuracy":
            return tc.MulticlassAccuracy(n, average="micro")
        case "TopKCategoricalAccuracy" | "SparseTopKCategoricalAccuracy":
            return tc.MulticlassAccuracy(n, top_k=o["k"], average="micro")
        case "ConfusionMatrix":
            return tc.MulticlassConfusionMatrix(n, normalize=o["normalize"])
        case "F1Score" | "FBetaScore" | "DiceScore":
            return tc.MulticlassFBetaScore(o.get("beta", 1.0), n, average=average)
        case "JaccardIndex":
            return tc.MulticlassJaccardIndex(n, average=average)
        case "CohenKappa":
            return tc.MulticlassCohenKappa(n, weights=o["weights"])
        case "MatthewsCorrelation":
            return tc.MulticlassMatthewsCorrCoef(n)
        case "BalancedAccuracy" if not o["adjusted"]:
            return tc.MulticlassAccuracy(n, average="macro")
        case "MeanIoU" if "ignore_class" not in o:
            return tc.MulticlassJaccardIndex(n, average="macro")
    return None


def matrix(case):
    """A metric of label matrices [rows, labels]."""
    m, o, n = case["metric"], case["options"], case["cols"]
    if n < 2:
        return None
    average = o.get("average", "none")
    match m:
        case "ExactMatch":
            return tc.MultilabelExactMatch(n, threshold=o["threshold"])
        case "F1Score" | "FBetaScore" | "DiceScore":
            return tc.MultilabelFBetaScore(o.get("beta", 1.0), n, threshold=o["threshold"],
                                           average=average)
        case "JaccardIndex":
            return tc.MultilabelJaccardIndex(n, threshold=o["threshold"], average=average)
    return None


def updated(metric, case, first, second, *more):
    at = 0
    for size in case["batches"]:
        part = slice(at, at + size)
        metric.update(*(x[part] for x in (first, second, *more) if x is not None))
        at += size
    return metric.compute().double().numpy()


def binary_answer(case, t, p):
    m, o = case["metric"], case["options"]
    if "top_k" in o or "class_id" in o:
        return None
    thresholds = o.get("threshold", 0.5)
    out = []
    for threshold in thresholds if isinstance(thresholds, list) else [thresholds]:
        if isinstance(BINARY[m], int):
            out.append(updated(tc.BinaryStatScores(threshold=threshold), case, p, t)[BINARY[m]])
        else:
            out.append(updated(BINARY[m](threshold=threshold), case, p, t))
    return out


def cluster_answer(case, t, p):
    o, more = case["options"], {}
    if "mean" in o:
        more["average_method"] = o["mean"]
    if "beta" in o:
        more["beta"] = o["beta"]
    return updated(CLUSTERS[case["metric"]](**more), case, p, t)


def answer(case, t, p, w):
    m, o = case["metric"], case["options"]
    element = np.float64 if case["dtype"] == "f64" else np.float32
    scores = torch.from_numpy(np.ascontiguousarray(p, dtype=element))
    whole = torch.from_numpy(np.ascontiguousarray(t, dtype=np.int64 if t.size else element))
    if m == "Mean":
        weight = None if w is None else torch.from_numpy(w.astype(element))
        if case["cols"] > 1 and w is not None:
            return None
        return updated(tm.MeanMetric(), case, scores[:, 0] if case["cols"] == 1 else scores, weight)
    if w is not None:
        return None
    if m in ("Sum", "MinMetric", "MaxMetric"):
        metric = {"Sum": tm.SumMetric, "MinMetric": tm.MinMetric, "MaxMetric": tm.MaxMetric}[m]()
        return updated(metric, case, scores, None)
    if m in PLAIN or m in COLUMN or m in ("R2Score", "CosineSimilarity"):
        target = torch.from_numpy(np.ascontiguousarray(t, dtype=element))
        if m in PLAIN:
            value = updated(PLAIN[m](o), case, scores, target)
            return 100 * value if m == "MeanAbsolutePercentageError" else value
        if m == "CosineSimilarity":
            return updated(tr.CosineSimilarity(reduction="mean"), case, scores, target)
        if m == "R2Score":
            how = {"none": "raw_values", "uniform_average": "uniform_average",
                   "variance_weighted_average": "variance_weighted"}[o["class_aggregation"]]
            return updated(tr.R2Score(adjusted=o.get("num_regressors", 0), multioutput=how), case,
                           scores, target)
        if case["cols"] > 1:
            return None
        return updated(COLUMN[m](o), case, scores[:, 0], target[:, 0])
    if m in CLUSTERS:
        return cluster_answer(case, whole, torch.from_numpy(p.astype(np.int64)))
    if m in BINARY:
        return binary_answer(case, whole, scores)
    if m == "Perplexity":
        return updated(Perplexity(), case, scores[:, None, :], whole[:, None])
    if m == "CalibrationError":
        return updated(tc.BinaryCalibrationError(o["num_bins"], o["norm"]), case, scores[:, 0],
                       whole[:, 0])
    if m == "AUC":
        if case["cols"] > 1 or o["curve"] != "ROC" or o["summation_method"] != "interpolation":
            return None
        if o.get("from_logits"):
            scores = torch.sigmoid(scores)
        return updated(tc.BinaryAUROC(thresholds=o["num_thresholds"]), case, scores[:, 0],
                       whole[:, 0])
    if "threshold" in o or m == "ExactMatch":
        metric = matrix(case)
        return None if metric is None else updated(metric, case, scores, whole)
    metric = labelled(case)
    if metric is None:
        return None
    labels = whole if t.ndim == 1 else whole.argmax(1)
    if p.ndim == 1:
        scores = torch.from_numpy(p.astype(np.int64))
    return updated(metric, case, scores, labels).reshape(-1)


def reason(case, t, p, tags):
    """Why TorchMetrics may answer otherwise, or None."""
    m, o = case["metric"], case["options"]
    if case["rows"] == 0:
        return "empty"
    if m == "AUC":
        return "inclusive_thresholds"
    if (m in BINARY or "threshold" in o) and not ((p >= 0) & (p <= 1)).all():
        return "squashed"  # Any score outside [0, 1], and all are taken for logits.
    if m in ("Mean", "Sum") and "holes" in case:
        return "nan_removed"
    if "ties" in tags:
        return "ties"
    if "zero_row" in tags:
        return "zero_row"
    if m in ("F1Score", "FBetaScore") and "undefined" in tags:
        return "absent_classes"
    if m in ("R2Score", "Mean") and "undefined" in tags:
        return "undefined"
    if case["true"].startswith("offset"):
        return "float32_states"
    if m == "MeanSquaredLogarithmicError" and min(t.min(), p.min()) < 0:
        return "not_clipped"
    if m == "RelativeSquaredError" and (t == t[0]).all():
        return "undefined"
    if m == "MeanAbsolutePercentageError" and (t == 0).any():
        return "epsilon"
    return OWN_WAY.get(m)
