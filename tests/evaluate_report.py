#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The evaluate program's reports: --html, --explain, metrics with values, and tasks of labels.

Usage: evaluate_report.py PROGRAM DATA_FOLDER.
"""
import html.parser
import itertools
import json
import math
import os
import random
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


class Page(html.parser.HTMLParser):
    """Counts elements, and collects what is not closed or comes from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.counts, self.wrong, self.text = [], {}, [], ""
        self.feed(text)
        self.close()
        self.wrong += self.open

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in ("meta",):
            self.open.append(tag)
        self.wrong += [name for name, _ in attributes if name in ("src", "href")]

    def handle_startendtag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, text):
        self.text += text


def report(folder, *arguments):
    out = os.path.join(folder, "report.html")
    done = run(*arguments, "--html", out, "--json", out + ".json")
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    text = open(out, encoding="utf-8").read()
    page = Page(text)
    check(not page.wrong, f"{arguments}: badly nested or not self-contained: {page.wrong[:5]}")
    check("nan" not in text and "inf" not in text.replace("info", ""), f"{arguments}: not a number in the page")
    for name in json.load(open(out + ".json"))["metrics"]:
        check(name in page.text, f"{arguments}: {name} is not in the page")
    return text, page


def pages(folder):
    text, page = report(folder, "--y-true", "digits_labels.npy", "--y-pred", "digits_probabilities.npy")
    check(page.counts["polyline"] == 20, f"ten ROC and ten PR curves, not {page.counts.get('polyline')}")
    matrix = json.load(open(os.path.join(folder, "report.html.json")))["confusion_matrix"]
    cells = sum(weight > 0 for row in matrix for weight in row)
    check(text.count("<title>true ") == cells > 10, f"{text.count('<title>true ')} of {cells} cells")
    for part in ("Confusion matrix", "ROC curve", "Precision-recall curve", "Reliability diagram"):
        check(part in page.text, f"no {part}")
    logits, _ = report(folder, "--y-true", "digits_labels.npy", "--y-pred", "digits_logits.npy", "--from-logits")
    check(logits.count("<polyline") == 20, "curves of logits")
    cancer = ["--y-true", "breast_cancer_labels.npy", "--y-pred", "breast_cancer_scores.npy"]
    text, page = report(folder, *cancer, "--sample-weight", "breast_cancer_weights.npy")
    check(page.counts["polyline"] == 2, "one ROC and one PR curve")
    batches, _ = report(folder, *cancer, "--sample-weight", "breast_cancer_weights.npy", "--batch", "7")
    check(batches == text, "the page depends on the batches")
    done = run(*cancer, "--metrics", "CalibrationError,AUC", "--json", os.path.join(folder, "v.json"))
    values = json.load(open(os.path.join(folder, "v.json")))["metrics"] if done.returncode == 0 else {}
    text, page = report(folder, *cancer)
    for name, value in values.items():
        check(f"{value:.4f}" in page.text, f"{name} {value} is not in the caption of its picture")
    _, page = report(folder, "--y-true", "diabetes_targets.npy", "--y-pred", "diabetes_predictions.npy")
    check("svg" not in page.counts, "pictures of a regression")
    # One class only, few rows, a name that is markup.
    strange = os.path.join(folder, "<b>&.csv")
    with open(strange, "w") as f:
        f.write("y,p\n" + "1,0.5\n" * 3)
    _, page = report(folder, "--y-true", strange + ":y", "--y-pred", strange + ":p")
    check("<b>&.csv" in page.text, "the name of the file is not escaped")
    with open(strange, "w") as f:
        f.write("y,p\n1,0.5\n")
    report(folder, "--y-true", strange + ":y", "--y-pred", strange + ":p", "--ignore-class", "1")
    done = run(*cancer, "--html", os.path.join(folder, "no", "such", "folder.html"))
    check(done.returncode == 2 and "cannot write" in done.stderr, f"unwritable page: {done.stderr}")


def explanations():
    digits = ["--y-true", "digits_labels.npy", "--y-pred", "digits_probabilities.npy"]
    done = run(*digits, "--explain", "--metrics", "CohenKappa,CategoricalHinge")
    check(done.returncode == 0 and not done.stderr, f"--explain: {done.stderr}")
    for said in ("An update of 9 metrics on Host", "one pass", "899 rows", "cohen_kappa", "categorical_hinge", "bytes"):
        check(said in done.stdout, f"--explain does not say {said}: {done.stdout}")


def with_values(folder):
    cancer = ["--y-true", "breast_cancer_labels.npy", "--y-pred", "breast_cancer_scores.npy"]
    out = os.path.join(folder, "v.json")
    names = [f"{m}:{v}" for m in ("PrecisionAtRecall", "SpecificityAtSensitivity") for v in ("0.5", "0.9", "1")]
    done = run(*cancer, "--metrics", ",".join(names), "--json", out)
    check(done.returncode == 0, done.stderr)
    values = list(json.load(open(out))["metrics"][n] for n in names)
    check(values[0] >= values[1] >= values[2] and values[3] >= values[4] >= values[5], f"not falling: {values}")
    digits = ["--y-true", "digits_labels.npy", "--y-pred", "digits_probabilities.npy"]
    done = run(*digits, "--metrics", "SparseTopKCategoricalAccuracy:3,SparseTopKCategoricalAccuracy_3", "--json", out)
    values = list(json.load(open(out))["metrics"].values())
    check(len(values) == 2 and values[0] == values[1], f"top 3 in two ways: {values}")
    bad = [
        (cancer, "PrecisionAtRecall", "needs a value"),
        (cancer, "PrecisionAtRecall:", "number"),
        (cancer, "PrecisionAtRecall:much", "number"),
        (cancer, "PrecisionAtRecall:0.5x", "number"),
        (cancer, "PrecisionAtRecall:7", "[0, 1]"),
        (cancer, "PrecisionAtRecall:nan", "[0, 1]"),
        (cancer, "Specificity:1", "takes no"),
        (cancer, "AUC:1", "no metric"),
        (digits, "SparseTopKCategoricalAccuracy:2.5", "whole"),
        (digits, "SparseTopKCategoricalAccuracy:0", "k"),
        (digits, "IoU:10", "target_class_ids"),
    ]
    for base, name, said in bad:
        done = run(*base, "--metrics", name)
        check(done.returncode == 2 and said in done.stderr, f"{name}: {done.stderr}")


def of_labels(y, p):
    """Scores by their definitions, over pairs of rows where they are about pairs."""
    n = len(y)
    pairs = [(y[i] == y[j], p[i] == p[j]) for i, j in itertools.combinations(range(n), 2)]
    tp, fp, fn, tn = (pairs.count(pair) for pair in ((True, True), (False, True), (True, False), (False, False)))

    def entropy(labels):
        return -sum(labels.count(x) / n * math.log(labels.count(x) / n) for x in set(labels))

    mutual = entropy(y) + entropy(p) - entropy(list(zip(y, p)))
    homogeneity, completeness = mutual / entropy(y), mutual / entropy(p)
    hits = sum(a == b for a, b in zip(y, p))
    expected = sum(y.count(c) * p.count(c) for c in set(y)) / n
    classes = set(y) | set(p)
    union = {c: sum(a == c or b == c for a, b in zip(y, p)) for c in classes}
    both = {c: sum(a == c and b == c for a, b in zip(y, p)) for c in classes}
    return {
        "Accuracy": hits / n,
        "CohenKappa": (hits - expected) / (n - expected),
        "MeanIoU": sum(both[c] / union[c] for c in classes) / len(classes),
        "IoU:1": both[1] / union[1],
        "RandScore": (tp + tn) / len(pairs),
        "AdjustedRandScore": 2 * (tp * tn - fn * fp) / ((tp + fn) * (fn + tn) + (tp + fp) * (fp + tn)),
        "FowlkesMallowsScore": tp / math.sqrt((tp + fp) * (tp + fn)),
        "MutualInformation": mutual,
        "NormalizedMutualInformation": 2 * mutual / (entropy(y) + entropy(p)),
        "Homogeneity": homogeneity,
        "Completeness": completeness,
        "VMeasure": 2 * homogeneity * completeness / (homogeneity + completeness),
    }


def labels(folder):
    draw = random.Random(3)
    y = [draw.randrange(5) for _ in range(200)]
    p = [label if draw.random() < 0.6 else draw.randrange(7) for label in y]
    path = os.path.join(folder, "labels.csv")
    with open(path, "w") as f:
        f.write("y,p\n" + "".join(f"{a},{b}\n" for a, b in zip(y, p)))
    expected = of_labels(y, p)
    base = ["--task", "labels", "--y-true", path + ":y", "--y-pred", path + ":p"]
    out = os.path.join(folder, "labels.json")
    for batch in ("7", "1000"):
        done = run(*base, "--metrics", ",".join(expected), "--batch", batch, "--json", out)
        check(done.returncode == 0, f"labels: {done.stderr}")
        result = json.load(open(out))
        for name, value in expected.items():
            check(math.isclose(result["metrics"][name], value, rel_tol=1e-9), f"{name} {result['metrics'][name]} {value}")
        matrix = result["confusion_matrix"]
        check(all(matrix[a][b] == list(zip(y, p)).count((a, b)) for a in range(7) for b in range(7)), "confusion matrix")
    listed = run("--list").stdout.split("\nlabels\n")[1].split("\nregression\n")[0].splitlines()
    names = [line.split()[0] for line in listed if not line.endswith(":")]
    done = run(*base, "--metrics", ",".join(names))
    check(done.returncode == 0, f"all listed metrics of labels: {done.stderr}")
    report(folder, *base)
    bad = [
        ("0,1\n0,-1\n", [], "label"),
        ("0,1\n0,1.5\n", [], "whole"),
        ("0,1\n0,123456\n", [], "9999"),
        ("0,1\n0,1\n", ["--sample-weight", os.path.join(folder, "bad.csv:p"), "--metrics", "RandScore"], "--sample-weight"),
    ]
    for text, more, said in bad:
        bad_path = os.path.join(folder, "bad.csv")
        with open(bad_path, "w") as f:
            f.write("y,p\n" + text)
        done = run("--task", "labels", "--y-true", bad_path + ":y", "--y-pred", bad_path + ":p", *more)
        message = done.stderr.strip()
        check(done.returncode == 2 and said in message and "\n" not in message, f"{text!r} {more}: {message}")


with tempfile.TemporaryDirectory() as folder:
    pages(folder)
    explanations()
    with_values(folder)
    labels(folder)
print(f"{checks} checks, {len(failures)} failures")
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
