#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the evaluate program on the bundled predictions and on hostile files.

Usage: evaluate.py PROGRAM DATA_FOLDER. Values must equal what scikit-learn and Keras gave (expected.json);
every bad input must give exit code 2 and one line on stderr.
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

program, data = sys.argv[1], sys.argv[2]
failures = []
checks = 0


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, cwd=data)


def check(condition, text):
    global checks
    checks += 1
    if not condition:
        failures.append(text)


def close(a, b, tolerance):
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)


def our_name(metric, options, task):
    if metric == "SparseTopKCategoricalAccuracy":
        return f"{metric}_{options['k']}"
    if metric == "F1Score" and task == "multiclass":
        return f"F1Score_{options['average']}"
    if metric == "AUC":
        return "AUC" if options.get("curve", "ROC") == "ROC" else "AUC_PR"
    return metric


def compare_with_libraries(folder):
    expected = json.load(open(os.path.join(data, "expected.json")))
    for number, case in enumerate(expected["runs"]):
        base = ["--y-true", case["y_true"], "--y-pred", case["y_pred"]]
        base += ["--sample-weight", case["sample_weight"]] if case["sample_weight"] else []
        base += ["--from-logits"] if case["from_logits"] else []
        results = []
        for extra in ([], ["--batch", "1"], ["--batch", "64", "--threads", "2"]):
            out = os.path.join(folder, f"{number}.json")
            done = run(*base, *extra, "--json", out)
            check(done.returncode == 0, f"{case['y_pred']} {extra}: {done.stderr}")
            if done.returncode == 0:
                results.append(json.load(open(out)))
        for result in results:
            check(result["task"] == case["task"], f"{case['y_pred']}: task {result['task']}")
            for name, value in result["metrics"].items():
                check(close(value, results[0]["metrics"][name], 1e-12), f"{name} depends on the batch size")
        matched = 0
        for row in case["values"]:
            name = our_name(row["metric"], row["options"], case["task"])
            value = results[0]["metrics"].get(name) if results else None
            if row["metric"] == "ConfusionMatrix" and row["sklearn"] and results:
                check(results[0]["confusion_matrix"] == row["sklearn"] or case["sample_weight"] is not None,
                      f"{case['y_pred']}: confusion matrix")
                continue
            if value is None or row["options"].get("threshold", 0.5) != 0.5:
                continue
            if row["options"].get("num_thresholds", 200) != 200 or row["options"].get("summation_method"):
                continue
            matched += 1
            if isinstance(row["sklearn"], (int, float)) and row["metric"] != "AUC":
                check(close(value, row["sklearn"], 2e-6), f"{case['y_pred']}: {name} {value} sklearn {row['sklearn']}")
            if isinstance(row["keras"], (int, float)):
                check(close(value, row["keras"], 2e-5), f"{case['y_pred']}: {name} {value} keras {row['keras']}")
        check(matched >= 4, f"{case['y_pred']}: only {matched} values could be compared")
        print(f"{case['y_pred']}: {matched} values compared")

def numbers(name):
    """The values of a bundled .npy file in C order."""
    raw = open(os.path.join(data, name), "rb").read()
    size = struct.unpack("<H", raw[8:10])[0]
    descr = raw[10:10 + size].decode().split("'descr': '")[1].split("'")[0]
    code = {"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q", "|u1": "B"}[descr]
    body = raw[10 + size:]
    return struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)


def of_binary(y, p, w):
    def total(condition):
        return sum(wi for yi, pi, wi in zip(y, p, w) if condition(yi, pi > 0.5))

    tn, fp = total(lambda t, c: not t and not c), total(lambda t, c: not t and c)
    fn, tp = total(lambda t, c: t and not c), total(lambda t, c: t and c)
    return {
        "Specificity": tn / (tn + fp),
        "NegativePredictiveValue": tn / (tn + fn),
        "HammingLoss": (fp + fn) / sum(w),
        "BinaryIoU": (tp / (tp + fp + fn) + tn / (tn + fp + fn)) / 2,
        "BrierScore": sum(wi * (yi - pi) ** 2 for yi, pi, wi in zip(y, p, w)) / sum(w),
        "LogLoss": sum(-wi * math.log(pi if yi else 1 - pi) for yi, pi, wi in zip(y, p, w)) / sum(w),
    }


def of_classes(y, p):
    rows = [p[i * (len(p) // len(y)):(i + 1) * (len(p) // len(y))] for i in range(len(y))]
    best = [row.index(max(row)) for row in rows]
    n, classes = len(y), range(len(rows[0]))
    hits = [sum(t == b == c for t, b in zip(y, best)) for c in classes]
    true, predicted = [y.count(c) for c in classes], [best.count(c) for c in classes]
    both = sum(t * b for t, b in zip(true, predicted))
    spread = math.sqrt((n * n - sum(b * b for b in predicted)) * (n * n - sum(t * t for t in true)))
    jaccard = sum(h / (t + b - h) for h, t, b in zip(hits, true, predicted)) / len(hits)
    loss = -sum(math.log(row[t]) for row, t in zip(rows, y)) / n
    return {
        "BalancedAccuracy": sum(h / t for h, t in zip(hits, true)) / len(hits),
        "CohenKappa": (sum(hits) * n - both) / (n * n - both),
        "MatthewsCorrelation": (sum(hits) * n - both) / spread,
        "JaccardIndex_macro": jaccard,
        "MeanIoU": jaccard,
        "DiceScore_macro": sum(2 * h / (t + b) for h, t, b in zip(hits, true, predicted)) / len(hits),
        "BrierScore": sum((x - (c == t)) ** 2 for row, t in zip(rows, y) for c, x in enumerate(row)) / n,
        "LogLoss": loss,
        "Perplexity": math.exp(loss),
    }


def of_regression(y, p):
    n = len(y)
    e = [a - b for a, b in zip(y, p)]

    def cross(a, b):
        return sum((i - sum(a) / n) * (j - sum(b) / n) for i, j in zip(a, b))

    gap = (sum(y) - sum(p)) / n
    return {
        "MeanAbsolutePercentageError": 100 * sum(abs(d / a) for d, a in zip(e, y)) / n,
        "SymmetricMAPE": sum(2 * abs(d) / (abs(a) + abs(b)) for d, a, b in zip(e, y, p)) / n,
        "WeightedMAPE": sum(map(abs, e)) / sum(map(abs, y)),
        "MeanSquaredLogarithmicError": sum((math.log1p(a) - math.log1p(b)) ** 2 for a, b in zip(y, p)) / n,
        "LogCoshError": sum(abs(d) + math.log1p(math.exp(-2 * abs(d))) - math.log(2) for d in e) / n,
        "Huber": sum(d * d / 2 if abs(d) <= 1 else abs(d) - 0.5 for d in e) / n,
        "ExplainedVariance": 1 - cross(e, e) / cross(y, y),
        "RelativeSquaredError": sum(d * d for d in e) / cross(y, y),
        "Correlation": cross(y, p) / math.sqrt(cross(y, y) * cross(p, p)),
        "Concordance": 2 * cross(y, p) / (cross(y, y) + cross(p, p) + n * gap * gap),
    }


def compare_with_definitions(folder):
    """The metrics that --metrics adds, against their formulas written out above."""
    cancer = [numbers(f"breast_cancer_{part}.npy") for part in ("labels", "scores", "weights")]
    digits = [numbers(f"digits_{part}.npy") for part in ("labels", "probabilities")]
    diabetes = [numbers(f"diabetes_{part}.npy") for part in ("targets", "predictions")]
    cases = [
        (["breast_cancer_labels.npy", "breast_cancer_scores.npy", "breast_cancer_weights.npy"], of_binary(*cancer)),
        (["breast_cancer_labels.npy", "breast_cancer_scores.npy"], of_binary(*cancer[:2], [1] * len(cancer[0]))),
        (["digits_labels.npy", "digits_probabilities.npy"], of_classes(*digits)),
        (["diabetes_targets.npy", "diabetes_predictions.npy"], of_regression(*diabetes)),
    ]
    out = os.path.join(folder, "further.json")
    for files, expected in cases:
        base = [x for pair in zip(["--y-true", "--y-pred", "--sample-weight"], files) for x in pair]
        for batch in ("1000000", "50", "1"):
            done = run(*base, "--metrics", ",".join(expected), "--batch", batch, "--json", out)
            check(done.returncode == 0, f"{files}: {done.stderr}")
            values = json.load(open(out))["metrics"] if done.returncode == 0 else {}
            check(sorted(values) == sorted(expected), f"{files}: {sorted(values)} computed")
            for name, value in values.items():
                check(close(value, expected[name], 1e-6), f"{files}: {name} {value}, by definition {expected[name]}")
    listed, task = {}, ""
    for line in run("--list").stdout.splitlines():
        if not line.startswith(" "):
            task = line
        elif not line.endswith(":"):
            check(len(line.split(None, 1)) == 2, f"--list has no description in {line!r}")
            listed.setdefault(task, []).append(line.split()[0])
    for (files, _), task in zip(cases[1:], ("binary", "multiclass", "regression")):
        done = run("--y-true", files[0], "--y-pred", files[1], "--metrics", ",".join(listed[task]), "--json", out)
        values = json.load(open(out))["metrics"] if done.returncode == 0 else {}
        check(sorted(values) == sorted(listed[task]), f"{task}: not all listed metrics are computed: {done.stderr}")
        check(all(math.isfinite(v) for v in values.values()), f"{task}: {values}")
    print(f"{sum(map(len, listed.values()))} listed metrics computed")


def npy(text, body=b"", version=(1, 0)):
    text = text + "\n"
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H", len(text)) + text.encode() + body


def hostile(folder):
    def write(name, content):
        path = os.path.join(folder, name)
        with open(path, "wb") as f:
            f.write(content)
        return path

    def header(descr, shape):
        return f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"

    def weights(form, *values):
        return npy(header("<f4", "(3,)"), struct.pack("<" + form, *values))

    labels = write("y.npy", npy(header("<i8", "(3,)"), struct.pack("<3q", 0, 1, 1)))
    scores = write("p.npy", npy(header("<f4", "(3,)"), struct.pack("<3f", 0.1, 0.9, 0.5)))
    good = run("--y-true", labels, "--y-pred", scores)
    check(good.returncode == 0, f"the good files were refused: {good.stderr}")
    bad_files = {
        "empty.npy": b"",
        "magic.npy": b"\x93NUMPX" + b"\0" * 100,
        "short.npy": b"\x93NUMPY\x01\x00",
        "version.npy": npy(header("<f4", "(3,)"), b"\0" * 12, (9, 0)),
        "truncated.npy": npy(header("<f4", "(3,)"), b"\0" * 5),
        "trailing.npy": npy(header("<f4", "(3,)"), b"\0" * 500),
        "huge.npy": npy(header("<f4", "(1152921504606846976,)")),
        "overflow.npy": npy(header("<f4", "(4294967296, 4294967296)")),
        "negative.npy": npy(header("<f4", "(-3,)")),
        "fortran.npy": npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 1), }", b"\0" * 12),
        "bigendian.npy": npy(header(">f4", "(3,)"), b"\0" * 12),
        "object.npy": npy(header("|O", "(3,)"), b"\0" * 12),
        "complex.npy": npy(header("<c8", "(3,)"), b"\0" * 24),
        "unicode.npy": npy(header("<U4", "(3,)"), b"\0" * 48),
        "garbage.npy": npy("{'descr': <f4", b"\0" * 12),
        "scalar.npy": npy(header("<f4", "()"), b"\0" * 4),
        "cube.npy": npy(header("<f4", "(3, 1, 1)"), b"\0" * 12),
        "longer.npy": npy(header("<f4", "(4,)"), b"\0" * 16),
        "outside.npy": npy(header("<f4", "(3,)"), struct.pack("<3f", 0.1, 1.5, 0.5)),
        "nan.npy": npy(header("<f4", "(3,)"), struct.pack("<3f", 0.1, math.nan, 0.5)),
        "logits.npy": npy(header("<f4", "(3, 2)"), struct.pack("<6f", 3, -1, 2, 5, -2, 0)),
    }
    cases = [["--y-true", labels, "--y-pred", write(name, content)] for name, content in bad_files.items()]
    bad_labels = {
        "seven.npy": npy(header("<i8", "(3,)"), struct.pack("<3q", 0, 7, 1)),
        "minus.npy": npy(header("<i8", "(3,)"), struct.pack("<3q", 0, -1, 1)),
        "big.npy": npy(header("<i8", "(3,)"), struct.pack("<3q", 0, 2**60, 1)),
        "matrix.npy": npy(header("<i8", "(3, 2)"), struct.pack("<6q", 0, 1, 1, 0, 1, 1)),
    }
    cases += [["--y-true", write(name, content), "--y-pred", scores] for name, content in bad_labels.items()]
    tables = {
        "ragged.csv": b"y_true,y_pred\n1,0.5\n1\n",
        "word.csv": b"y_true,y_pred\n1,high\n",
        "half.csv": b"y_true,y_pred\n0.5,0.5\n",
        "nothing.csv": b"",
        "nul.csv": b"y_true,y_pred\n1,0.\x005\n",
        "open.csv": b'y_true,y_pred\n"1,0.5\n',
    }
    for name, content in tables.items():
        path = write(name, content)
        task = ["--task", "binary"] if name == "half.csv" else []
        cases.append(["--y-true", path + ":y_true", "--y-pred", path + ":y_pred", *task])
    table = write("fine.csv", b"y_true,y_pred\n1,0.5\n0,0.25\n")
    cases += [
        ["--y-true", table + ":label", "--y-pred", table + ":y_pred"],
        ["--y-true", table, "--y-pred", table + ":y_pred"],
        ["--y-true", os.path.join(folder, "missing.npy"), "--y-pred", scores],
        ["--y-true", folder, "--y-pred", scores],
        ["--y-true", labels],
        [],
        ["--bogus"],
        ["--y-true", labels, "--y-pred", scores, "--task", "guess"],
        ["--y-true", labels, "--y-pred", scores, "--threshold", "2"],
        ["--y-true", labels, "--y-pred", scores, "--threshold", "nan"],
        ["--y-true", labels, "--y-pred", scores, "--task", "regression", "--threshold", "0.5"],
        ["--y-true", labels, "--y-pred", scores, "--task", "regression", "--ignore-class", "1"],
        ["--y-true", labels, "--y-pred", scores, "--task", "regression", "--from-logits"],
        ["--y-true", labels, "--y-pred", scores, "--sample-weight", write("w.npy", weights("3f", -1, 1, 1))],
        ["--y-true", labels, "--y-pred", scores, "--sample-weight", write("v.npy", weights("3f", 1, math.nan, 1))],
        ["--y-true", labels, "--y-pred", scores, "--batch", "0"],
        ["--y-true", labels, "--y-pred", scores, "--metrics", "Nonsense"],
        ["--y-true", labels, "--y-pred", scores, "--task", "multiclass"],
        ["--y-true", labels, "--y-pred", scores, "--json", os.path.join(folder, "no", "such", "folder.json")],
    ]
    for arguments in cases:
        done = run(*arguments)
        text = done.stderr.strip()
        check(done.returncode == 2, f"{arguments} gave exit code {done.returncode}: {text}")
        check(text.startswith("evaluate: ") and "\n" not in text, f"{arguments} printed: {text!r}")
    print(f"{len(cases)} bad inputs refused")
    third = write("third.npy", npy(header("<i8", "(5,)"), struct.pack("<5q", 0, 1, 1, 0, 9)))
    five = write("five.npy", npy(header("<f4", "(5,)"), struct.pack("<5f", 0.1, 0.9, 0.5, 0.2, 0.3)))
    done = run("--y-true", third, "--y-pred", five, "--batch", "2")
    check("row 4" in done.stderr, f"the row of the file is not named: {done.stderr}")
    check("--task labels or regression" in done.stderr, f"no hint at other tasks: {done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    compare_with_libraries(folder)
    compare_with_definitions(folder)
    hostile(folder)
print(f"{checks} checks, {len(failures)} failures")
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
