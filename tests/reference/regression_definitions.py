# SPDX-License-Identifier: Apache-2.0
"""The `exact` answers of golden_regression.txt: each metric's definition in float64 NumPy, in two
passes over all rows. Rows of weight 0 are dropped first; without rows, and for a denominator of 0,
the answer is `undefined`: 0, or NaN for two variables, variances and extremes."""
import numpy as np

NAN_WHEN_UNDEFINED = ("Correlation", "Concordance", "Covariance", "Variance", "MinMetric",
                      "MaxMetric")


def elements(m, o, t, p):
    """One number per element, averaged over its row afterwards; None of metrics of rows."""
    if t.shape != p.shape:
        return None
    e = t - p
    match m:
        case "MeanAbsolutePercentageError":
            return 100 * np.abs(e) / np.maximum(np.abs(t), 1e-7)
        case "SymmetricMAPE":
            size = np.abs(t) + np.abs(p)
            return np.where(size == 0, 0, 2 * np.abs(e) / np.where(size == 0, 1, size))
        case "MeanSquaredLogarithmicError":
            return np.log((1 + np.maximum(t, 1e-7)) / (1 + np.maximum(p, 1e-7))) ** 2
        case "LogCoshError":
            return np.log(np.cosh(e))
        case "Huber":
            d, a = o["delta"], np.abs(e)
            return np.where(a <= d, e * e / 2, d * (a - d / 2))
        case "Quantile":
            return np.where(e >= 0, o["quantile"] * e, (o["quantile"] - 1) * e)
        case "Hinge" | "SquaredHinge":
            loss = np.maximum(1 - np.where(t == 0, -1, t) * p, 0)
            return loss if m == "Hinge" else loss**2
        case "Poisson":
            return p - t * np.log(p + 1e-7)
        case "TweedieDeviance":
            return tweedie(o["power"], t, p)
        case "BrierScore":
            return e * e
        case "LogLoss":
            with np.errstate(divide="ignore"):
                return -np.where(t == 1, np.log(p), np.log1p(-p))
    return None


def tweedie(power, t, p):
    if power == 0:
        return (t - p) ** 2
    if power == 1:
        return 2 * (np.where(t == 0, 0, t * np.log(np.where(t == 0, 1, t) / p)) - t + p)
    if power == 2:
        return 2 * (np.log(p / t) + t / p - 1)
    return 2 * (np.maximum(t, 0) ** (2 - power) / ((1 - power) * (2 - power))
                - t * p ** (1 - power) / (1 - power) + p ** (2 - power) / (2 - power))


def per_row(m, t, p):
    """One number per row of vectors."""
    if m == "CategoricalHinge":
        return np.maximum(((1 - t) * p).max(1) - (t * p).sum(1) + 1, 0)
    if m == "KLDivergence":
        y, q = np.clip(t, 1e-7, 1), np.clip(p, 1e-7, 1)
        return (y * np.log(y / q)).sum(1)
    if m == "Perplexity":
        shifted = p - p.max(1, keepdims=True)
        return np.log(np.exp(shifted).sum(1)) - shifted[np.arange(len(t)), t.astype(int)]
    gap = 0.0
    if m != "CosineSimilarity":
        gap = (t.mean(1) - p.mean(1)) ** 2
        t, p = t - t.mean(1, keepdims=True), p - p.mean(1, keepdims=True)
    yy, pp, yp = (t * t).sum(1), (p * p).sum(1), (t * p).sum(1)
    if m == "ConcordanceCorrelation":
        yp, size = 2 * yp, yy + pp + t.shape[1] * gap
    else:
        size = np.sqrt(yy) * np.sqrt(pp)
    return np.where(size == 0, 0, yp / np.where(size == 0, 1, size))


def variables(m, o, t, p, w):
    """Answers from moments about the mean."""
    n = w.sum()
    t0, p0 = t - (w @ t) / n, p - (w @ p) / n
    if m == "Variance":
        return (w @ (p0 * p0)) / (n - o["ddof"]) if n > o["ddof"] else np.nan
    yy, pp, yp = w @ (t0 * t0), w @ (p0 * p0), w @ (t0 * p0)
    if m == "Covariance":
        return yp / (n - o["ddof"]) if n > o["ddof"] else np.nan
    if m == "Correlation":
        return yp / np.sqrt(yy * pp) if yy * pp != 0 else np.nan
    gap = (w @ (t - p)) / n
    size = yy + pp + n * gap * gap
    return 2 * yp / size if size != 0 else np.nan


def columns(m, t, p, w):
    """The mean over columns of ExplainedVariance or RelativeSquaredError."""
    n, scores = w.sum(), []
    for y, z in zip(t.T, p.T):
        e = y - z
        target = w @ (y - (w @ y) / n) ** 2
        if m == "RelativeSquaredError":
            scores.append((w @ e**2) / target if target else 0.0)
            continue
        error = w @ (e - (w @ e) / n) ** 2
        scores.append(1 - error / target if target else float(error == 0))
    return np.mean(scores)


def exact(case, t, p, w):
    m, o = case["metric"], case["options"]
    w = np.ones(len(p)) if w is None else w
    keep = w != 0
    w, p = w[keep], p[keep]
    t = t[keep] if len(t) else t
    if not len(w):
        return np.nan if m in NAN_WHEN_UNDEFINED else 0.0
    if m in ("MinMetric", "MaxMetric"):
        return p.min() if m == "MinMetric" else p.max()
    if m in NAN_WHEN_UNDEFINED:
        return variables(m, o, t[:, 0] if t.size else p[:, 0], p[:, 0], w)
    if m in ("ExplainedVariance", "RelativeSquaredError"):
        return columns(m, t, p, w)
    if m == "WeightedMAPE":
        size = w @ np.abs(t).sum(1)
        return (w @ np.abs(t - p).sum(1)) / size if size else 0.0
    if m == "PSNR":
        error = (w @ ((t - p) ** 2).mean(1)) / w.sum()
        return 10 * np.log10(o["data_range"] ** 2 / error) if error else np.inf
    each = elements(m, o, t, p)
    each = per_row(m, t, p) if each is None else each.mean(1)
    mean = (w @ each) / w.sum()
    return np.exp(mean) if m == "Perplexity" else mean
