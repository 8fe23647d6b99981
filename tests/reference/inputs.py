# SPDX-License-Identifier: Apache-2.0
"""The inputs of a case, made from its few words; tests/metrics/reference_cases.hpp makes the same.

Every value is an integer divided by a power of two, so it is exact in float64 and in the element
type that the case names, and both generators agree to the last bit.
"""
import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
TRUE, PRED, WEIGHT, LIFT, SECOND, HOLE = 1, 2, 3, 4, 5, 6  # stream numbers


def mix(z):
    """The finaliser of splitmix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def draws(seed, stream, count):
    """`count` integers of splitmix64 started at mix(seed + stream)."""
    with np.errstate(over="ignore"):
        base = mix(np.asarray([seed + stream], dtype=np.uint64))
        return mix(base + np.arange(1, count + 1, dtype=np.uint64) * GOLDEN)


def grid(kind):
    """(top, low, scale, base): a draw u gives k = u % (top + 1), then base + (k + low) / scale."""
    name, *args = kind.split(":")
    if name == "const":
        return 0, 0, 1.0, float(args[0])
    base = float(args.pop(0)) if name == "offset" else 0.0
    scale = 1 << int(args[0])
    if name == "unit":
        return scale, 0, float(scale), base
    if name == "open":
        return scale - 2, 1, float(scale), base
    if name in ("sym", "offset", "near"):
        radius = int(args[1]) * scale
        return 2 * radius, -radius, float(scale), base
    raise ValueError(kind)


def on_grid(kind, k):
    _, low, scale, base = grid(kind)
    return base + (k.astype(np.int64) + low).astype(np.float64) / scale


def make_true(case):
    """y_true as float64, shaped [rows] for labels and [rows, cols] otherwise."""
    seed, rows, cols = case["seed"], case["rows"], case["cols"]
    name, *args = case["true"].split(":")
    if name == "none":
        return np.zeros((0, 0))
    if name in ("label", "only", "ignore", "onehot", "mix"):
        label = (draws(seed, TRUE, rows) % np.uint64(cols)).astype(np.int64)
        second = draws(seed, SECOND, rows)
        if name in ("only", "onehot") and args:
            label[:] = int(args[0])
        if name == "ignore":
            label = np.where(second % np.uint64(8) == 0, int(args[0]), label)
        if name in ("label", "only", "ignore"):
            return label.astype(np.float64)
        out = np.zeros((rows, cols))
        each = np.arange(rows)
        if name == "onehot":
            out[each, label] = 1.0
            return out
        out[each, label] += 0.75
        out[each, (second % np.uint64(cols)).astype(np.int64)] += 0.25
        return out
    u = draws(seed, TRUE, rows * cols)
    if name == "binary":
        return (u % np.uint64(16) < np.uint64(int(args[0]))).astype(np.float64).reshape(rows, cols)
    return on_grid(case["true"], u % np.uint64(grid(case["true"])[0] + 1)).reshape(rows, cols)


def make_pred(case, y_true):
    """y_pred as float64, shaped [rows] for labels and [rows, cols] otherwise."""
    seed, rows, cols, kind = case["seed"], case["rows"], case["cols"], case["pred"]
    lift = np.uint64(case["lift"])
    true_name = case["true"].split(":")[0]
    if kind == "label":
        label = (draws(seed, PRED, rows) % np.uint64(cols)).astype(np.float64)
        return np.where(draws(seed, LIFT, rows) % np.uint64(16) < lift, y_true, label)
    top = np.uint64(grid(kind)[0])
    k = draws(seed, PRED, rows * cols) % (top + np.uint64(1))
    if kind.startswith("near:"):
        return y_true + on_grid(kind, k).reshape(rows, cols)
    if true_name == "binary":
        lifted = draws(seed, LIFT, rows * cols) % np.uint64(16) < lift
        half = k >> np.uint64(1)
        k = np.where(lifted, np.where(y_true.reshape(-1) == 1, top - half, half), k)
    elif true_name in ("label", "only", "ignore", "onehot"):
        label = (y_true if y_true.ndim == 1 else y_true.argmax(1) if cols else y_true).astype(int)
        label = label.reshape(-1)
        lifted = (draws(seed, LIFT, rows) % np.uint64(16) < lift) & (label >= 0) & (label < cols)
        at = np.nonzero(lifted)[0] * cols + label[lifted]
        k[at] = top - (k[at] >> np.uint64(3))
    return on_grid(kind, k).reshape(rows, cols)


def with_holes(case, y_pred):
    """NaN in two of 16 predictions, or infinity in one and minus infinity in the other."""
    if "holes" not in case:
        return y_pred
    u = draws(case["seed"], HOLE, y_pred.size).reshape(y_pred.shape) % np.uint64(16)
    first, second = (np.nan, np.nan) if case["holes"] == "nan" else (np.inf, -np.inf)
    return np.where(u == 0, first, np.where(u == 1, second, y_pred))


def make_weight(case):
    """Sample weights as float64, shaped [rows], or None."""
    u = draws(case["seed"], WEIGHT, case["rows"])
    match case["weight"]:
        case "none":
            return None
        case "fraction":
            return (u % np.uint64(257)).astype(np.float64) / 256
        case "zeros":
            w = ((u >> np.uint64(2)) % np.uint64(256) + np.uint64(1)).astype(np.float64) / 256
            return np.where(u % np.uint64(4) == 0, 0.0, w)
        case "int":
            return (u % np.uint64(5)).astype(np.float64)
        case "nothing":
            return np.zeros(case["rows"])
    raise ValueError(case["weight"])


def checksum(*arrays):
    """Depends on every bit and on the order; `None` counts as empty."""
    total = 0
    with np.errstate(over="ignore"):
        for number, array in enumerate(arrays, start=1):
            if array is None or array.size == 0:
                continue
            bits = np.ascontiguousarray(array, dtype=np.float64).reshape(-1).view(np.uint64)
            place = np.arange(1, bits.size + 1, dtype=np.uint64) * GOLDEN + np.uint64(number)
            total += int(mix(bits + place).sum(dtype=np.uint64))
    return total % 2**64


def make(case):
    """(y_true, y_pred, weight), each float64; weight may be None."""
    y_true = make_true(case)
    return y_true, with_holes(case, make_pred(case, y_true)), make_weight(case)
