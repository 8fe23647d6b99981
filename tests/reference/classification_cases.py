# SPDX-License-Identifier: Apache-2.0
"""Which cases golden_classification.txt has: drawn like those of cases.py, by metric and number."""
import random

from cases import COUNT, ONE_CLASS, WIDE, any_scores, base, binary, classes, unit

CLASSES = (1, 2, 2, 3, 3, 10, 17, 256)
RATE = {"PrecisionAtRecall": "recall", "RecallAtPrecision": "precision",
        "SensitivityAtSpecificity": "specificity", "SpecificityAtSensitivity": "sensitivity"}


def labels(metric, i, rng):
    c = base(metric, i, rng, ("i32",))
    c["cols"] = WIDE.get(i, rng.choice(CLASSES))
    c["true"] = f"only:{rng.randrange(c['cols'])}" if i in ONE_CLASS else "label"
    c["pred"], c["lift"] = "label", rng.choice((0, 4, 8, 12, 16))
    return c


def agreement(metric, i, rng):
    c = labels(metric, i, rng)
    if metric == "CohenKappa":
        c["options"]["weights"] = rng.choice(("none", "linear", "quadratic"))
    if metric == "BalancedAccuracy":
        c["options"]["adjusted"] = rng.random() < 0.5
    return c


def clusters(metric, i, rng):
    c = labels(metric, i, rng)
    c["weight"] = "none"
    if metric == "VMeasure":
        c["options"]["beta"] = rng.choice((1.0, 0.5, 2.0))
    if metric in ("NormalizedMutualInformation", "AdjustedMutualInformation"):
        c["options"]["mean"] = rng.choice(("arithmetic", "geometric", "min", "max"))
    return c


def overlap(metric, i, rng):
    if metric.startswith("OneHot"):
        c = classes(base(metric, i, rng, ("f32",)), rng, "onehot", unit(rng, "f32"),
                    (2, 3, 10, 17, 100))
    else:
        c = labels(metric, i, rng)
        c["cols"] = max(c["cols"], 2)
    if rng.random() < 0.3:
        outside = c["true"] == "label" and rng.random() < 0.5
        c["options"]["ignore_class"] = 255 if outside and c["cols"] < 255 else 1
        if c["options"]["ignore_class"] == 255:
            c["true"], c["lift"] = "ignore:255", 0
    if not metric.endswith("MeanIoU"):
        c["options"]["target_class_ids"] = sorted(
            rng.sample(range(c["cols"]), rng.randint(1, min(c["cols"], 5))))
    return c


def binary_overlap(metric, i, rng):
    c = binary(base(metric, i, rng, ("f32",)), rng)
    c["options"] = {"threshold": rng.choice((0.5, 0.25, 0.3, 0.0, 1.0)),
                    "target_class_ids": rng.choice(([0], [1], [0, 1]))}
    return c


def rate(metric, i, rng):
    c = binary(base(metric, i, rng), rng)
    c["options"] = {RATE[metric]: rng.choice((0.0, 0.25, 0.3, 0.5, 0.6, 0.8, 0.9, 1.0)),
                    "num_thresholds": rng.choice((200, 200, 200, 1, 2, 3, 11, 101, 257))}
    return c


def matrix(metric, i, rng):
    c = binary(base(metric, i, rng), rng, rng.choice((1, 2, 3, 10, 17)))
    c["options"]["threshold"] = rng.choice((0.5, 0.5, 0.25, 0.3, 0.0))
    return c


def by_class(metric, i, rng):
    c = base(metric, i, rng, ("f32",))
    if rng.random() < 0.5:
        c = binary(c, rng, rng.choice((1, 2, 3, 10, 17)))
        c["options"]["threshold"] = rng.choice((0.5, 0.25, 0.3))
    else:
        c = classes(c, rng, "onehot", any_scores(rng, "f32"), (2, 3, 10, 17))
    c["options"]["average"] = rng.choice(("none", "micro", "macro", "weighted"))
    return c


def area(metric, i, rng):
    many = rng.random() < 0.7
    c = binary(base(metric, i, rng, ("f32",)), rng, rng.choice((2, 3, 10)) if many else 1)
    o = c["options"]
    o["num_thresholds"] = rng.choice((200, 3, 11, 50, 101))
    o["curve"] = rng.choice(("ROC", "PR", "PRGAIN", "PRGAIN")) if many else "PRGAIN"
    o["summation_method"] = rng.choice(("interpolation", "minoring", "majoring"))
    o["multi_label"] = many
    if many and rng.random() < 0.5:
        o["label_weights"] = [rng.randint(0, 8) / 4 for _ in range(c["cols"])]
    return c


def calibration(metric, i, rng):
    c = binary(base(metric, i, rng, ("f32", "f64")), rng)
    c["options"] = {"num_bins": rng.choice((1, 2, 4, 8, 10, 15, 15)),
                    "norm": rng.choice(("l1", "max", "l2"))}
    return c


PLAN = {m: f for f, names in {
    agreement: ("CohenKappa", "MatthewsCorrelation", "BalancedAccuracy"),
    clusters: ("RandScore", "AdjustedRandScore", "FowlkesMallowsScore", "MutualInformation",
               "NormalizedMutualInformation", "AdjustedMutualInformation", "Homogeneity",
               "Completeness", "VMeasure"),
    overlap: ("IoU", "MeanIoU", "OneHotIoU", "OneHotMeanIoU"), binary_overlap: ("BinaryIoU",),
    rate: tuple(RATE), matrix: ("HammingLoss", "ExactMatch", "Specificity",
                                "NegativePredictiveValue"),
    by_class: ("JaccardIndex", "DiceScore"), area: ("AUC",), calibration: ("CalibrationError",),
}.items() for m in names}


def draw(metric):
    return [PLAN[metric](metric, i, random.Random(f"classification {metric} {i}"))
            for i in range(COUNT)]
