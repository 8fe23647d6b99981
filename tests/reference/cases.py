# SPDX-License-Identifier: Apache-2.0
"""Which cases are drawn for each metric. The draw depends on the metric's name and the case's
number only, so adding a metric leaves the others' cases as they are."""
import random

# Case numbers with a fixed role, for every metric; the others are drawn freely.
NO_UPDATE, EMPTY_UPDATE, EMPTY_BETWEEN, ZERO_WEIGHT = 0, 1, 14, 15
SINGLE, PAIR, LARGE = range(2, 8), range(8, 12), range(12, 14)
ONE_CLASS, CONSTANT = range(16, 24), range(24, 28)
MANY_ROWS, WIDE, NAN, INFINITE = 42, {43: 1000, 44: 256}, (46, 47), (48, 49)
COUNT = 520  # cases of each metric


def late(i):
    """The numbers whose cases have the option or the columns that not all of them can have."""
    return 220 <= i < 260 or (i >= 260 and i % 5 == 0)


def shape(i, rng):
    if i == NO_UPDATE:
        return 0, []
    if i == EMPTY_UPDATE:
        return 0, [0]
    if i in SINGLE:
        return 1, [1]
    if i in PAIR:
        return 2, [2] if i % 2 else [1, 1]
    if i in LARGE:
        return 4097, [4097] if i % 2 else [2048, 2048, 1]
    if i == MANY_ROWS:
        return 100_000, [65_536, 34_464]
    rows = rng.randint(31, 300)
    if i == EMPTY_BETWEEN:
        return rows, [rows - 7, 0, 7]
    size = -(-rows // rng.choice((1, 1, 2, 3, 4)))
    batches = [size] * (rows // size)
    return rows, batches + ([rows % size] if rows % size else [])


def base(metric, i, rng, types=("f32", "f32", "f32", "f32", "f32", "f16", "f64")):
    rows, batches = shape(i, rng)
    weight = rng.choice(("none", "none", "none", "fraction", "zeros", "int"))
    if i == ZERO_WEIGHT:
        weight = "nothing"
    return {"metric": metric, "id": i, "seed": rng.getrandbits(48), "rows": rows, "cols": 1,
            "batches": batches, "dtype": rng.choice(types), "weight": weight, "lift": 0,
            "options": {}}


ANY = ("f32", "f32", "f32", "f32", "f32", "bf16", "f16", "f64")


def holes(c, rng):
    """NaN or infinities among the predictions of some cases."""
    if c["id"] in NAN + INFINITE:
        c["dtype"], c["pred"] = rng.choice(("f32", "f64")), "unit:8"
        if c["true"].startswith(("sym", "const")):
            c["true"] = "sym:8:8"
        c["holes"] = "nan" if c["id"] in NAN else "inf"
    return c


def unit(rng, dtype, name="unit"):
    """Scores in [0, 1] on a grid; coarse grids make ties with each other and with thresholds."""
    bits = {"f16": (3, 4, 8, 10), "bf16": (3, 4, 8)}.get(dtype, (3, 4, 8, 12, 16))
    return f"{name}:{rng.choice(bits)}"


def signed(rng, dtype, radius=8):
    bits = {"bf16": (2, 3), "f16": (2, 6), "f32": (2, 8, 16), "f64": (2, 16, 30)}[dtype]
    return f"sym:{rng.choice(bits)}:{radius}"


def binary(c, rng, cols=1):
    i = c["id"]
    c["cols"] = cols
    c["true"] = f"binary:{rng.choice((0, 16)) if i in ONE_CLASS else rng.choice((2, 5, 8, 12))}"
    c["pred"] = f"const:{rng.choice((0.25, 0.5, 0.75))}" if i in CONSTANT else unit(rng, c["dtype"])
    c["lift"] = rng.choice((0, 4, 8, 12))
    return c


def classes(c, rng, true, scores, choices=(1, 2, 3, 3, 10, 10, 17, 100)):
    c["cols"] = rng.choice(choices)
    if c["rows"] > 4000:
        c["cols"] = rng.choice((3, 10))
    c["cols"] = WIDE.get(c["id"], c["cols"])
    only = {"label": "only", "onehot": "onehot"}.get(true.split(":")[0])
    c["true"] = f"{only}:{rng.randrange(c['cols'])}" if c["id"] in ONE_CLASS and only else true
    c["pred"] = "const:0.25" if c["id"] in CONSTANT else scores
    c["lift"] = rng.choice((0, 4, 8, 12))
    return c


def any_scores(rng, dtype):
    return unit(rng, dtype) if rng.random() < 0.5 else signed(rng, dtype)


def means(metric, i, rng):
    c = base(metric, i, rng)
    c["cols"] = 3 if late(i) else 1
    c["true"], c["pred"] = "none", signed(rng, c["dtype"])
    if i in CONSTANT:
        c["pred"] = "const:2.5"
    if i in NAN + INFINITE:
        c["weight"] = "none"
    return holes(c, rng)


def accuracy(metric, i, rng):
    c = base(metric, i, rng, ("i32", "i32", "f32", "f32", "f64", "f16"))
    if c["dtype"] != "i32" and rng.random() < 0.3:  # Equality of plain numbers.
        grid = f"unit:{rng.choice((1, 3))}"
        c["true"], c["pred"] = grid, "const:0.5" if i in CONSTANT else grid
        return c
    classes(c, rng, "label", "label")
    c["pred"] = "label"
    return c


def binary_accuracy(metric, i, rng):
    c = binary(base(metric, i, rng, ANY), rng, cols=3 if late(i) else 1)
    c["options"]["threshold"] = rng.choice((0.5, 0.5, 0.25, 0.3, 0.75, 0.0, 1.0))
    return holes(c, rng)


def argmax_accuracy(metric, i, rng):
    c = base(metric, i, rng, ANY)
    true = "label" if metric.startswith("Sparse") else rng.choice(("onehot", "onehot", "mix"))
    return classes(c, rng, true, any_scores(rng, c["dtype"]))


def top_k(metric, i, rng):
    c = base(metric, i, rng, ANY)
    true = "label" if metric.startswith("Sparse") else rng.choice(("onehot", "onehot", "mix"))
    classes(c, rng, true, any_scores(rng, c["dtype"]), (2, 3, 10, 10, 17, 17, 100, 100))
    c["options"]["k"] = rng.choice((1, 2, 3, 5, 5)) if rng.random() < 0.1 else rng.choice(
        [k for k in (1, 2, 3, 5, 5) if k <= c["cols"]])
    return c


def counts(metric, i, rng):
    ranked = metric in ("Precision", "Recall") and late(i)
    c = base(metric, i, rng, ANY)
    binary(c, rng, cols=rng.choice((3, 10, 17)) if ranked else 1)
    o = c["options"]
    if not ranked or rng.random() < 0.3:
        o["threshold"] = rng.choice((0.5, 0.5, 0.5, 0.25, 0.3, 0.75, 0.0, 1.0,
                                     [0.25, 0.5], [0.2, 0.5, 0.9], [0.125, 0.25, 0.5, 0.875]))
    if ranked:
        which = rng.choice(("top_k", "class_id", "both"))
        if which != "class_id":
            o["top_k"] = rng.choice((1, 2, 3))
        if which != "top_k":
            o["class_id"] = rng.randrange(c["cols"])
    return c if ranked else holes(c, rng)


def f_score(metric, i, rng):
    c = base(metric, i, rng)
    o = c["options"]
    o["average"] = rng.choice(("none", "micro", "macro", "weighted"))
    if metric == "FBetaScore":
        o["beta"] = rng.choice((0.5, 0.5, 2.0, 2.0, 1.0, 0.3))
    many = (1, 2, 3, 3, 10, 17) if o["average"] == "none" else (1, 2, 3, 10, 17, 100)
    if rng.random() < 0.5:
        o["threshold"] = rng.choice((0.5, 0.5, 0.25, 0.3, 0.75))
        if rng.random() < 0.6:
            return binary(c, rng, cols=rng.choice(many))
        return classes(c, rng, "onehot", unit(rng, c["dtype"]), many)
    return classes(c, rng, "onehot", any_scores(rng, c["dtype"]), many)


def confusion(metric, i, rng):
    c = base(metric, i, rng)
    classes(c, rng, "label", any_scores(rng, c["dtype"]), (2, 3, 3, 10, 17))
    if i in WIDE or i in (30, 31):
        c["cols"], c["rows"], c["batches"] = 100, 60, [60]
    if rng.random() < 0.5 and i not in CONSTANT:
        c["pred"], c["dtype"] = "label", "i32"
    c["options"] = {"num_classes": c["cols"],
                    "normalize": rng.choice(("none", "none", "none", "true", "pred", "all"))}
    return c


def regression(metric, i, rng):
    c = base(metric, i, rng, ANY)
    c["cols"] = 3 if late(i) else 1
    if metric == "R2Score":
        c["cols"] = rng.choice((1, 1, 1, 2, 3))
        c["options"]["class_aggregation"] = rng.choice(
            ("uniform_average", "uniform_average", "none", "variance_weighted_average"))
        if rng.random() < 0.15:
            c["options"]["num_regressors"] = rng.choice((1, 2, 5))
    bits, radius = {"bf16": (3, 8), "f16": (6, 8), "f32": (16, 16), "f64": (28, 16)}[c["dtype"]]
    c["true"], c["pred"] = f"sym:{bits}:{radius}", f"near:{bits}:{rng.choice((1, 1, 4))}"
    if i in CONSTANT:
        c["pred"] = "const:1.5"
    if i in ONE_CLASS:  # A constant target; every second time predicted without error.
        c["true"], c["pred"] = "const:1.5", f"near:{bits}:{i % 2}"
    if 28 <= i < 36:  # Mean 1e8, spread 1.
        c["dtype"], c["true"], c["pred"] = "f64", "offset:100000000:12:1", "near:12:1"
    if metric == "R2Score":
        return c
    if i in NAN + INFINITE:
        c["weight"] = "none"
    return holes(c, rng)


def binary_crossentropy(metric, i, rng):
    c = binary(base(metric, i, rng), rng, cols=3 if late(i) else 1)
    o = c["options"]
    o["from_logits"] = rng.random() < 0.35
    if rng.random() < 0.35:
        o["label_smoothing"] = rng.choice((0.1, 0.25, 0.5))
    if o["from_logits"] and i not in CONSTANT:
        c["pred"] = signed(rng, c["dtype"], rng.choice((8, 8, 24)))
    elif i not in CONSTANT and rng.random() < 0.8:
        c["pred"] = unit(rng, c["dtype"], "open")
    if i not in ONE_CLASS and rng.random() < 0.2:
        c["true"] = "unit:3"
    return c


def crossentropy(metric, i, rng):
    c = base(metric, i, rng, ANY)
    o = c["options"]
    o["from_logits"] = rng.random() < 0.5
    sparse = metric.startswith("Sparse")
    if not sparse and rng.random() < 0.4:
        o["label_smoothing"] = rng.choice((0.1, 0.25, 0.5))
    true = "label" if sparse else rng.choice(("onehot", "onehot", "mix"))
    if sparse and late(i):
        o["ignore_class"] = rng.choice((-1, -100, 255, 1))
        true = f"ignore:{o['ignore_class']}"
    classes(c, rng, true, "", (2, 3, 10, 17, 100) if sparse and late(i) else
            (1, 2, 3, 3, 10, 10, 17, 100))
    if i not in CONSTANT:
        if o["from_logits"]:
            c["pred"] = signed(rng, c["dtype"], rng.choice((8, 8, 24)))
        else:  # Exact zeros only where a row cannot be all zero.
            c["pred"] = unit(rng, c["dtype"],
                             "unit" if c["cols"] >= 10 and rng.random() < 0.3 else "open")
    return c


def auc(metric, i, rng):
    c = binary(base(metric, i, rng), rng)
    o = c["options"]
    o["num_thresholds"] = rng.choice((200, 200, 200, 3, 11, 50, 101, 201, 257))
    o["curve"] = rng.choice(("ROC", "ROC", "PR"))
    o["summation_method"] = rng.choice(("interpolation",) * 3 + ("minoring", "majoring"))
    if late(i):
        o["from_logits"] = True
        c["pred"] = f"sym:{6 if c['dtype'] == 'f16' else 10}:4"
    elif rng.random() < 0.05 and i not in CONSTANT:
        c["pred"] = "sym:4:2"  # Scores outside [0, 1] are clipped.
    return c


# The function that draws a metric's cases.
PLAN = {m: f for f, names in {
    means: ("Mean", "Sum"), accuracy: ("Accuracy",), binary_accuracy: ("BinaryAccuracy",),
    argmax_accuracy: ("CategoricalAccuracy", "SparseCategoricalAccuracy"),
    top_k: ("TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy"),
    counts: ("TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives", "Precision",
             "Recall"),
    f_score: ("F1Score", "FBetaScore"), confusion: ("ConfusionMatrix",),
    regression: ("MeanSquaredError", "RootMeanSquaredError", "MeanAbsoluteError", "R2Score"),
    binary_crossentropy: ("BinaryCrossentropy",),
    crossentropy: ("CategoricalCrossentropy", "SparseCategoricalCrossentropy"), auc: ("AUC",),
}.items() for m in names}


def draw(metric):
    return [PLAN[metric](metric, i, random.Random(f"{metric} {i}")) for i in range(COUNT)]
