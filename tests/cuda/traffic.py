#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""traffic.py <emulator build folder> <test_cuda_update>: what updates ask of the CUDA runtime.

Runs the program on the emulator with a trace. Between its marks (memsets of 1000 + k bytes) an update must be
one kernel launch and nothing else, and must read each byte of its input once.
"""
import json
import os
import subprocess
import sys
import tempfile

# Mark before the update, bytes of its inputs, bytes it may read besides: partial results and the state.
UPDATES = [(1, 20000 * 10 * 4 + 20000 * 4, 20000), (2, 2 * 200000 * 4, 20000)]


def events_between(events, mark):
    inside, found = False, []
    for event in events:
        if event["event"] == "memset" and event["bytes"] in (1000 + mark, 1001 + mark):
            if inside:
                return found
            inside = event["bytes"] == 1000 + mark
        elif inside:
            found.append(event)
    raise SystemExit(f"mark {mark} is not in the trace")


def main():
    build, program = sys.argv[1:]
    if not os.path.exists(os.path.join(build, "libcudart.so.13")):
        print("skipped: traces of the CUDA runtime need the emulator, which was not found")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace.json")
        environment = dict(os.environ, LD_LIBRARY_PATH=build, CUDA_EMU_TRACE=trace, SITU_TEST_MARKS="1")
        subprocess.run([program, "--no-intro", "--test-case=*nothing else*"], env=environment, check=True)
        with open(trace, encoding="utf-8") as lines:
            events = [json.loads(line) for line in lines]
    problems = []
    for mark, inputs, extra in UPDATES:
        got = events_between(events, mark)
        kinds = [event["event"] for event in got]
        if kinds != ["launch"]:
            problems.append(f"update {mark}: {kinds} instead of one launch")
            continue
        read, sectors = got[0]["global_read_bytes"], got[0]["global_read_sectors"]
        print(f"update {mark}: reads {read} bytes of {inputs}, {sectors} sectors of {inputs // 32}")
        if not inputs <= read <= inputs + extra:
            problems.append(f"update {mark} reads {read} bytes; its inputs have {inputs}")
        if sectors > 1.1 * inputs / 32:
            problems.append(f"update {mark} asks for {sectors} sectors; its inputs have {inputs // 32}")
        if got[0]["fault"]:
            problems.append(f"update {mark} faulted")
    waits = [e for e in events_between(events, 3) if e["event"] == "synchronize"]
    if len(waits) != 2:
        problems.append(f"two results wait {len(waits)} times")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
