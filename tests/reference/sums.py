# SPDX-License-Identifier: Apache-2.0
"""Sums, ratios and weighted means in float64, shared by the definitions."""
import math

import numpy as np


def total(x):
    x = np.asarray(x, dtype=np.float64).reshape(-1)
    if np.isfinite(x).all():
        return math.fsum(x)
    with np.errstate(invalid="ignore"):
        return float(x.sum())


def ones(weight, rows):
    return np.ones(rows) if weight is None else weight


def ratio(a, b, tags):
    if b == 0:
        tags.add("undefined")
        return 0.0
    return a / b


def weighted_mean(values, weight, tags):
    """values [rows] or [rows, cols]; columns are averaged first, then rows with weights."""
    values = values if values.ndim == 1 else np.array([total(r) / len(r) for r in values])
    w = ones(weight, len(values))
    with np.errstate(invalid="ignore"):  # An infinite value with weight 0 gives NaN.
        return ratio(total(values * w), total(w), tags)


def divide_no_nan(a, b):
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)
