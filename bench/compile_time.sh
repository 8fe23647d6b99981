#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the library costs to compile: the include alone and eight fused metrics, each beside an empty file.
# Medians of five runs, in seconds. Usage: bench/compile_time.sh [compiler] [flags...]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compiler=${1:-g++}
[ $# -gt 0 ] && shift
flags=(-std=c++20 "${@:--O2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

: > "$work/empty.cpp"
echo '#include <situ/situ.hpp>' > "$work/include.cpp"
cat > "$work/eight.cpp" <<'CPP'
#include <situ/situ.hpp>
using namespace situ;
double update(View<const float, 1, Host> y, View<const float, 1, Host> p) {
  auto metrics = collect<Host>(BinaryAccuracy{}, Precision{}, Recall{}, MeanSquaredError{}, MeanAbsoluteError{},
                               TruePositives{}, FalsePositives{}, BinaryCrossentropy{.from_logits = false});
  metrics.update_state(y, p);
  return std::get<0>(metrics.result());
}
CPP

median_of() {  # median_of FILE: seconds to compile it
  local times=()
  for _ in 1 2 3 4 5; do
    local start end
    start=$(date +%s%N)
    "$compiler" "${flags[@]}" -I"$root/include" -c "$work/$1.cpp" -o "$work/out.o"
    end=$(date +%s%N)
    times+=("$(((end - start) / 1000000))")
  done
  printf '%s\n' "${times[@]}" | sort -n | sed -n 3p
}

empty=$(median_of empty)
include=$(median_of include)
eight=$(median_of eight)
printf '%s %s\n' "$("$compiler" --version | head -1)" "${flags[*]}"
printf '  %-44s %5d ms\n' 'an empty file' "$empty" '#include <situ/situ.hpp>, over an empty file' $((include - empty)) \
  'eight fused metrics, include and all' "$eight"
