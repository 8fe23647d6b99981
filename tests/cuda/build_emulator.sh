#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# build_emulator.sh <sources> <build folder>: needed only where no GPU is visible.
set -e
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then
  echo "skipped: cuda_emulator: a CUDA device is visible, the tests run on it"
  exit 77
fi
cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release
cmake --build "$2" --parallel 2
