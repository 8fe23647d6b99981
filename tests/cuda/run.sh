#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh <emulator build folder> <program> [arguments]: runs a CUDA test on a GPU when one is
# visible, else on the emulator; ends with status 77, which ctest shows as skipped, without either.
emulator=$1
shift
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then
  exec "$@"
elif [ -e "$emulator/libcudart.so.13" ]; then
  LD_LIBRARY_PATH=$emulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  SITU_TEST_EMULATED=1
  export LD_LIBRARY_PATH SITU_TEST_EMULATED
  exec "$@"
fi
echo "skipped: $(basename "$1"): no CUDA device is visible and no emulator was found"
exit 77
