#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs what is worth knowing on a machine with an NVIDIA GPU, in under eight minutes: the CUDA tests,
# compute-sanitizer, and a table of updates beside a copy, PyTorch and torchmetrics where they are installed.
# Prints everything; writes only below build/gpu.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/gpu
emulated=${SITU_BENCH_EMULATOR:-}  # the build folder of an emulator, to try this script without a GPU
most=1000000000
say() { printf '== %s\n' "$*"; }

command -v nvcc >/dev/null || { echo "gpu.sh needs nvcc (CUDA 13) in PATH" >&2; exit 2; }
if [ -n "$emulated" ]; then
  export LD_LIBRARY_PATH=$emulated${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  arch="-gencode arch=compute_80,code=compute_80" most=10000
else
  nvidia-smi -L || { echo "gpu.sh needs a machine with an NVIDIA GPU" >&2; exit 2; }
  arch="-arch=native"
fi
mkdir -p "$build"
flags="-std=c++20 -O3 --no-compress -cudart shared $arch -I$root/include -I$root/tests"

say "building"
pids=()
# shellcheck disable=SC2086
nvcc $flags "$root/bench/gpu.cu" -o "$build/bench" & pids+=($!)
if [ -e /usr/include/doctest/doctest.h ]; then
  for t in update metrics; do
    # shellcheck disable=SC2086
    nvcc $flags "$root/tests/cuda/$t.cu" "$root/tests/main.cpp" -o "$build/$t" & pids+=($!)
  done
else
  say "skipped: the tests need doctest (apt-get install doctest-dev)"
fi
for p in "${pids[@]}"; do wait "$p"; done

for t in update metrics; do
  [ -x "$build/$t" ] || continue
  filter=()
  devices=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU') || devices=2
  if [ "$devices" -lt 2 ]; then filter=("--test-case-exclude=*Cuda<1>*,*across devices*"); fi
  say "test $t"
  "$build/$t" --no-intro "${filter[@]}"
  if [ -z "$emulated" ] && command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck initcheck; do
      say "compute-sanitizer $tool $t"
      timeout 90 compute-sanitizer --tool "$tool" --error-exitcode 3 "$build/$t" --no-intro "${filter[@]}" |
        tail -n 3 || say "compute-sanitizer $tool found something, or took more than 90 seconds"
    done
  fi
done

say "updates"
"$build/bench" "$most"
if [ -z "$emulated" ] && python3 -c 'import torch' 2>/dev/null; then
  say "PyTorch"
  python3 "$root/bench/gpu_peers.py"
else
  say "skipped: PyTorch is not installed, or there is no GPU"
fi
