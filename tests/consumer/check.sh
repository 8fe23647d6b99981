#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check.sh <way> <situ's sources> <scratch folder> <C++ compiler> <nvcc or none>
# Builds the project of this folder from nothing and runs it. The way is how it gets at the library:
# include (plain -I), subdirectory (add_subdirectory), fetch (FetchContent), package (installed, then
# find_package).
set -euo pipefail
way=$1 situ=$2 scratch=$3 compiler=$4 nvcc=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)

if [ "$way" = include ]; then
  for unit in main second; do
    "$compiler" -std=c++20 -O1 "${warnings[@]}" -I "$situ/include" -c "$here/$unit.cpp" -o $unit.o
  done
  "$compiler" main.o second.o -o consumer
  ./consumer
  if [ "$nvcc" != none ]; then
    # A program of g++ units and an nvcc unit: types must have one layout and one name in both.
    "$compiler" -std=c++20 -O1 "${warnings[@]}" -DCONSUMER_HAS_CUDA -I "$situ/include" \
      -c "$here/main.cpp" -o main.o
    "$nvcc" -std=c++20 -O1 -Werror all-warnings -arch=compute_80 -I "$situ/include" \
      -c "$here/kernel.cu" -o kernel.o
    "$nvcc" -arch=compute_80 main.o second.o kernel.o -o consumer_with_cuda
    ./consumer_with_cuda
  fi
  exit
fi

options=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$compiler" "-DCONSUMER_WAY=$way")
[ "$nvcc" = none ] || options+=("-DCMAKE_CUDA_COMPILER=$nvcc")
if [ "$way" = package ]; then
  # The install needs none of what the tests need.
  cmake -S "$situ" -B situ_build -DSITU_BUILD_TESTS=OFF -DSITU_BUILD_EXAMPLES=OFF \
    -DSITU_BUILD_BENCH=OFF -DCMAKE_INSTALL_MESSAGE=NEVER "-DCMAKE_CXX_COMPILER=$compiler"
  cmake --install situ_build --prefix "$scratch/prefix"
  options+=("-DCMAKE_PREFIX_PATH=$scratch/prefix")
else
  options+=("-DCONSUMER_SITU=$situ")
fi
cmake -S "$here" -B build "${options[@]}"
cmake --build build
./build/consumer
