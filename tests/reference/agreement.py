#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/agreement.md from what the metric tests print:

    build/release/tests/test_metrics --no-intro | tests/reference/agreement.py > docs/agreement.md
"""
import re
import sys

LIBRARIES = ("keras", "sklearn", "torchmetrics", "exact")
HEAD = """# Agreement with other libraries

How many recorded random cases give what Keras 3.15.1, scikit-learn 1.9.1 (SciPy 1.17.1 where it says so) and TorchMetrics 1.9.0
answered, as the tests print it (`tests/reference/` draws the cases and asks the libraries; `tests/metrics/*golden_*` compare, and
`tests/reference/agreement.py` makes this page). *definition*: an independent computation in float64. Sizes 0, 1, 2, 31 to 300, 4097
and 100 000; 1 to 1000 classes; float16, bfloat16, float32 and float64; NaN and infinities where they have a meaning. Every case that
differs has a recorded reason: the library raises, rounds in float32 or half precision, clips, treats ties, undefined or ignored rows
otherwise; see [semantics](semantics.md) and the tags in `tests/reference/README.md`. On the emulator, `Cuda<0>` meets the float32
cases of `golden.txt` alike (`tests/cuda/golden.cu`).

| Metric | Keras | scikit-learn | TorchMetrics | definition |
|---|---|---|---|---|"""


def main():
    found = {}  # metric -> library -> [agreed, asked]

    def add(metric, library, agreed, asked):
        counts = found.setdefault(metric, {}).setdefault(library, [0, 0])
        counts[0] += int(agreed)
        counts[1] += int(asked)

    for line in sys.stdin:
        if m := re.match(r"(\w+) +(\w+) +(\d+) of (\d+) agree(.*)", line):
            metric, library, agreed, asked, rest = m.groups()
            add(f"{metric} (ties as there)" if "ties as there" in rest else metric, library, agreed, asked)
        elif m := re.match(r"(\w+) +\d+ +[\d.e+-]+ +(\S+) +(\S+) +(\S+)  ", line):
            for library, share in zip(LIBRARIES, m.groups()[1:]):
                if share != "-":
                    add(m.group(1), library, *share.split("/"))
    print(HEAD)
    for metric in sorted(found, key=str.lower):
        cells = []
        for library in LIBRARIES:
            agreed, asked = found[metric].get(library, (0, 0))
            cell = f"{agreed} of {asked}" if asked else ""
            if library == "sklearn" and "scipy" in found[metric]:
                cell = "SciPy: {} of {}".format(*found[metric]["scipy"])
            cells.append(cell)
        print(f"| {metric} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
