#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""entries.py <program> <count>: kernels in a program's PTX.

There must be one fused kernel for each distinct update, however many devices it runs on, and no kernel may
depend on the number of a device.
"""
import re
import sys

program, count = sys.argv[1], int(sys.argv[2])
with open(program, "rb") as file:
    entries = re.findall(rb"\.entry (\S+?)\(", file.read())
updates = [name for name in entries if b"12fused_update" in name]
print(f"{len(entries)} kernels, {len(updates)} of them fused updates")
problems = []
if len(updates) != count:
    problems.append(f"expected {count} fused updates")
if len(set(entries)) != len(entries):
    problems.append("a kernel is there twice")
if any(b"4CudaILi" in name for name in entries):
    problems.append("a kernel depends on the number of its device")
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
