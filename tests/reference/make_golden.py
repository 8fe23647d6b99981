# SPDX-License-Identifier: Apache-2.0
"""Writes golden.txt: for every case its words, a checksum of its inputs, and the answers.

A library's answer that is not within tolerance of `exact` must have a known reason, which is
recorded as a tag "<library>:<reason>"; without one nothing is written. README.md has the format.
"""
import os
import pathlib
import platform
import subprocess
import sys

import numpy as np

import cases
import definitions
import inputs

KERAS_TOLERANCE = 2e-5  # Keras accumulates in float32.
SKLEARN_TOLERANCE = 1e-9


UNEXPLAINED = []


def number(x):
    """Integers as decimals, everything else as a C hexadecimal float without trailing zeros."""
    x = float(x)
    if x != x:
        return "nan"
    if x in (np.inf, -np.inf):
        return "inf" if x > 0 else "-inf"
    if x == int(x) and abs(x) < 2**53:
        return str(int(x))
    head, exponent = x.hex().split("p")
    return f"{head.rstrip('0')}p{exponent}"


def join(values):
    return ",".join(number(v) for v in np.asarray(values, dtype=np.float64).reshape(-1))


def option(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return ",".join(str(v) for v in value)
    return str(value)


def line(case, sum_, answers, tags):
    batches = ",".join(map(str, case["batches"])) or "-"
    holes = f" holes={case['holes']}" if "holes" in case else ""
    words = (f"{case['metric']} id={case['id']} seed={case['seed']} rows={case['rows']} "
             f"cols={case['cols']} batches={batches} dtype={case['dtype']} true={case['true']} "
             f"pred={case['pred']} lift={case['lift']} weight={case['weight']}{holes} sum={sum_:016x}")
    options = " ".join(f"{k}={option(v)}" for k, v in case["options"].items())
    values = " ".join(f"{k}={v}" for k, v in answers.items())
    return " | ".join((words, options or "-", values, " ".join(sorted(tags)) or "-"))


def close(a, b, tolerance):
    a, b = np.asarray(a, dtype=np.float64).reshape(-1), np.asarray(b, dtype=np.float64).reshape(-1)
    return a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)


def keras_reason(case, tags):
    """Why Keras may answer otherwise, the most telling reason first."""
    m, o = case["metric"], case["options"]
    if "ignored" in tags:
        return "ignored_rows_counted"
    if "ties" in tags and ("TopK" in m or "top_k" in o):
        return "ties"
    if case["dtype"] == "f16" and (m.endswith("Crossentropy") or o.get("from_logits") or m in (
            "MeanSquaredError", "MeanAbsoluteError")):
        return "half"
    if m in ("F1Score", "FBetaScore"):
        return "epsilon"
    if "clipped" in tags:
        return "float32_clip"
    if m == "BinaryCrossentropy" and o["from_logits"]:
        return "sigmoid_clipped"
    if m == "R2Score" and o.get("num_regressors") and case["cols"] > 1:
        return "elements_counted_as_rows"
    if case["true"].startswith("offset") or (m == "R2Score" and "undefined" in tags):
        return "float32_cancellation"
    return None


def sklearn_reason(case, tags):
    m = case["metric"]
    if m == "AUC":
        return "not_binned"
    if "ties" in tags and "TopK" in m:
        return "ties"
    if {"undefined", "empty", "zero_weight"} & tags:
        return "undefined"
    if m.endswith("Crossentropy"):
        return "clipped"
    return None


def record(case, answers, exact, library, answer, error, tolerance, reason, tags):
    if error is not None:
        answers[library] = "none"
        tags.add(f"{library}:raises_{error}")
    elif answer is not None:
        text = join(answer)
        answers[library] = "exact" if text == answers["exact"] else text
        if not close(answer, exact, tolerance):
            if reason is None:
                UNEXPLAINED.append(f"{case} {tags}\nexact {exact}\n{library} {answer}")
            tags.add(f"{library}:{reason}")


def near_threshold(case, p):
    """A sigmoid that rounding could move across one of AUC's thresholds."""
    if not case["options"].get("from_logits") or case["metric"] != "AUC":
        return False
    place = (case["options"]["num_thresholds"] - 1) / (1 + np.exp(-p[p != 0]))
    return bool((np.abs(place - np.round(place)) < 1e-4).any())


def prepare(case):
    while True:
        t, p, w = inputs.make(case)
        if not near_threshold(case, p):
            return t, p, w
        case["seed"] += 1


def run(case, libraries, torch_answers, jax_answers):
    t, p, w = prepare(case)
    element = libraries.ELEMENT[case["dtype"]]
    assert np.array_equal(p.astype(element).astype(np.float64), p, equal_nan=True), case
    assert case["dtype"] != "bf16" or (np.frexp(p)[0] * 256 % 1 == 0).all(), case
    assert case["dtype"] == "f64" or (t.astype(np.float32) == t).all(), case
    tags = set()
    exact = definitions.exact(case, t, p, w, tags)
    answers = {name: join(value) for name, value in exact.items()}
    key = (case["metric"], case["id"])
    answer, error = libraries.ask(libraries.keras_answer, case, t, p, w)
    record(case, answers, exact["exact"], "keras", answer, error, KERAS_TOLERANCE,
           keras_reason(case, tags), tags)
    if key in jax_answers:
        record(case, answers, exact["exact"], "keras_jax", jax_answers[key], None, KERAS_TOLERANCE,
               "half" if case["dtype"] == "f16" else None, tags)
    answer, error = libraries.ask(libraries.sklearn_answer, case, t, p, w)
    record(case, answers, exact["exact"], "sklearn", answer, error, SKLEARN_TOLERANCE,
           sklearn_reason(case, tags), tags)
    answer, error = libraries.ask(torch_answers.answer, case, t, p, w)
    record(case, answers, exact["exact"], "torchmetrics", answer, error, KERAS_TOLERANCE,
           torch_answers.reason(case, t, p, tags), tags)
    return line(case, inputs.checksum(t, p, w), answers, tags)


def for_jax(case):
    """Keras' backends differ for logits of two classes; each new shape makes JAX compile."""
    return case["metric"] == "BinaryCrossentropy" and case["options"]["from_logits"] and \
        case["rows"] < 4000


def main_jax():
    """Run in a second process, because Keras has one backend per process."""
    import libraries
    for case in filter(for_jax, cases.draw("BinaryCrossentropy")):
        answer, _ = libraries.ask(libraries.keras_answer, case, *prepare(case))
        print(case["metric"], case["id"], "none" if answer is None else join(answer))


def ask_jax():
    done = subprocess.run([sys.executable, __file__, "--jax"], check=True, text=True,
                          stdout=subprocess.PIPE, env=os.environ | {"KERAS_BACKEND": "jax"})
    found = {}
    for metric, id_, text in map(str.split, done.stdout.splitlines()):
        if text != "none":
            found[metric, int(id_)] = [
                float.fromhex(v) if "0x" in v else float(v) for v in text.split(",")]
    return found


def main():
    import libraries  # First: it names Keras' backend.
    import keras
    import scipy
    import sklearn
    import torch_answers
    jax_answers = ask_jax()
    head = [f"# keras {keras.__version__} backend {keras.backend.backend()}",
            f"# numpy {np.__version__}", f"# scikit-learn {sklearn.__version__}",
            f"# torchmetrics {torch_answers.tm.__version__} torch {torch_answers.torch.__version__}",
            f"# scipy {scipy.__version__}", f"# python {platform.python_version()}"]
    lines = []
    for metric in cases.PLAN:
        found = [run(case, libraries, torch_answers, jax_answers) for case in cases.draw(metric)]
        print(f"{metric}: {len(found)} cases, {sum(map(len, found))} bytes", flush=True)
        lines += found
    if UNEXPLAINED:
        sys.exit("\n".join(UNEXPLAINED) + "\nno reason is known for these")
    out = pathlib.Path(__file__).resolve().with_name("golden.txt")
    out.write_text("\n".join(head + lines) + "\n")


if __name__ == "__main__":
    main_jax() if "--jax" in sys.argv else main()
