#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh <emulator build folder> <program> [arguments]: runs a CUDA test on a GPU when one is
# visible, else on the emulator; ends with status 77, which ctest shows as skipped, without either.
# SITU_TEST_DEVICES: how many devices the test needs; with fewer GPUs it runs on the emulator too.
emulator=$1
shift
needed=${SITU_TEST_DEVICES:-1}
gpus=0
if [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then
  gpus=$(nvidia-smi -L 2>/dev/null | grep -c '^GPU') || gpus=1
fi
if [ "$needed" -gt 0 ] && [ "$gpus" -ge "$needed" ]; then
  exec "$@"
elif [ -e "$emulator/libcudart.so.13" ]; then
  LD_LIBRARY_PATH=$emulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  SITU_TEST_EMULATED=1
  export LD_LIBRARY_PATH SITU_TEST_EMULATED
  exec "$@"
fi
echo "skipped: $(basename "$1") needs $needed CUDA devices, $gpus are visible; no emulator was found"
exit 77
