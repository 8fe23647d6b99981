#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same updates as gpu.cu in eager PyTorch and, where it is installed, torchmetrics."""
import statistics

import torch

try:
    import torchmetrics
except ImportError:
    torchmetrics = None


def median_us(update):
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    update()
    update()
    times = []
    for _ in range(9):
        start.record()
        update()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop) * 1e3)
    return statistics.median(times)


def line(what, rows, columns, microseconds, size):
    print(f"{what:44s} {rows:12d} x {columns:<7d} {microseconds:10.2f} us {size / microseconds / 1e3:9.1f} GB/s")


def main():
    for n in (10**3, 10**5, 10**7, 10**8):
        y, p = (torch.rand(n, device="cuda") for _ in range(2))
        total = torch.zeros((), dtype=torch.float64, device="cuda")
        line("PyTorch: sum of squared errors", n, 1, median_us(lambda: total.add_(((y - p) ** 2).sum())), 8 * n)
        if torchmetrics:
            metric = torchmetrics.MeanSquaredError().cuda()
            line("torchmetrics: MeanSquaredError", n, 1, median_us(lambda: metric.update(p, y)), 8 * n)
    for columns in (10, 100, 1000, 32768):
        rows = 2**27 // columns
        scores = torch.rand(rows, columns, device="cuda")
        labels = torch.randint(columns, (rows,), device="cuda")
        size = 4 * rows * columns
        hits = torch.zeros((), dtype=torch.int64, device="cuda")
        line("PyTorch: accuracy", rows, columns,
             median_us(lambda: hits.add_((scores.argmax(1) == labels).sum())), size)
        line("PyTorch: cross_entropy", rows, columns,
             median_us(lambda: torch.nn.functional.cross_entropy(scores, labels)), size)
        if torchmetrics:
            metric = torchmetrics.classification.MulticlassAccuracy(columns, average="micro").cuda()
            line("torchmetrics: MulticlassAccuracy", rows, columns, median_us(lambda: metric.update(scores, labels)), size)


if __name__ == "__main__":
    main()
