# SPDX-License-Identifier: Apache-2.0
"""Which cases golden_regression.txt has: drawn like those of cases.py, by metric and number."""
import random

from cases import CONSTANT, COUNT, ONE_CLASS, base, binary, classes, late, signed, unit

REAL = ("f32", "f32", "f32", "f16", "f64")


def errors(metric, i, rng):
    """Real targets of one or three columns; ONE_CLASS numbers have a constant target."""
    c = base(metric, i, rng, REAL)
    c["cols"] = rng.choice((1, 1, 3))
    positive = metric == "MeanSquaredLogarithmicError"
    c["true"] = unit(rng, c["dtype"]) if positive else signed(rng, c["dtype"])
    c["pred"] = rng.choice((signed(rng, c["dtype"]), "near:2:1"))
    if positive and rng.random() < 0.7:
        c["pred"] = unit(rng, c["dtype"])
    if c["dtype"] == "f16" and c["pred"].startswith("near"):
        c["true"] = "unit:3" if positive else "sym:2:8"
    if i in ONE_CLASS:
        c["true"] = f"const:{rng.choice((0, 1, 2.5))}"
    if i in CONSTANT:
        c["pred"] = f"const:{rng.choice((0, 0.5, 2))}"
    o = c["options"]
    if metric == "Huber":
        o["delta"] = rng.choice((1.0, 0.5, 2.0))
    if metric == "Quantile":
        o["quantile"] = rng.choice((0.5, 0.25, 0.9, 0.0, 1.0))
    if metric == "PSNR":
        o["data_range"] = rng.choice((1.0, 16.0, 255.0))
    return c


def rows(metric, i, rng):
    c = errors(metric, i, rng)
    c["cols"] = rng.choice((2, 3, 3, 10))
    return c


def variables(metric, i, rng):
    """Two variables; the last numbers have a mean of 1e8."""
    c = errors(metric, i, rng)
    c["cols"] = 1
    if late(i):
        c["dtype"], c["true"], c["pred"] = "f64", "offset:100000000:12:2", "near:10:1"
    if metric in ("Variance", "Covariance"):
        c["options"]["ddof"] = rng.choice((0, 1))
    if metric in ("Variance", "MinMetric", "MaxMetric"):
        c["true"], c["pred"] = "none", c["true"]
        if late(i):
            c["pred"] = "offset:100000000:12:2"
    return c


def margins(metric, i, rng):
    c = base(metric, i, rng, REAL)
    if metric == "CategoricalHinge":
        return classes(c, rng, "onehot", signed(rng, c["dtype"], 2), (2, 3, 10))
    binary(c, rng, rng.choice((1, 1, 3)))
    if i not in CONSTANT:
        c["pred"] = signed(rng, c["dtype"], 2)
    return c


def divergence(metric, i, rng):
    c = base(metric, i, rng, REAL)
    c["cols"] = rng.choice((1, 3, 10)) if metric == "KLDivergence" else rng.choice((1, 1, 3))
    c["true"], c["pred"] = unit(rng, c["dtype"]), unit(rng, c["dtype"], "open")
    if i in ONE_CLASS:
        c["true"] = f"const:{rng.choice((0, 0.5, 1))}"
    if i in CONSTANT:
        c["pred"] = f"const:{rng.choice((0.25, 1))}"
    return c


def deviance(metric, i, rng):
    c = divergence(metric, i, rng)
    c["cols"] = 1
    power = c["options"]["power"] = rng.choice((0, 1, 2, 3, 1.5, 2.5, -1))
    if power >= 2:
        c["true"] = "const:0.5" if i in ONE_CLASS else unit(rng, c["dtype"], "open")
    return c


def probabilities(metric, i, rng):
    c = base(metric, i, rng, REAL)
    if metric == "Perplexity":
        return classes(c, rng, "label", signed(rng, c["dtype"]), (2, 3, 10, 17))
    binary(c, rng)
    if metric == "LogLoss" and i not in CONSTANT:
        c["pred"] = unit(rng, c["dtype"], "open")
    return c


PLAN = {m: f for f, names in {
    errors: ("MeanAbsolutePercentageError", "SymmetricMAPE", "WeightedMAPE",
             "MeanSquaredLogarithmicError", "LogCoshError", "Huber", "Quantile", "PSNR",
             "ExplainedVariance", "RelativeSquaredError"),
    margins: ("Hinge", "SquaredHinge", "CategoricalHinge"),
    divergence: ("KLDivergence", "Poisson"), deviance: ("TweedieDeviance",),
    probabilities: ("Perplexity", "BrierScore", "LogLoss"),
    rows: ("CosineSimilarity", "PearsonCorrelation", "ConcordanceCorrelation"),
    variables: ("Correlation", "Concordance", "Covariance", "Variance", "MinMetric", "MaxMetric"),
}.items() for m in names}


def draw(metric):
    return [PLAN[metric](metric, i, random.Random(f"regression {metric} {i}"))
            for i in range(COUNT)]
