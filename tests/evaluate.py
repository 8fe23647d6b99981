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


with tempfile.TemporaryDirectory() as folder:
    compare_with_libraries(folder)
    hostile(folder)
print(f"{checks} checks, {len(failures)} failures")
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
