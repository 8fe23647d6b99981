#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# schedules.sh <emulator build folder> <program>: the line `digest ...` that the program prints must be the same
# for every order in which the emulator runs threads, warps and blocks, and any number of multiprocessors.
if [ ! -e "$1/libcudart.so.13" ]; then
  echo "skipped: schedules of threads need the emulator, which was not found"
  exit 77
fi
export LD_LIBRARY_PATH="$1" CUDA_EMU_RACECHECK=1 CUDA_EMU_INITCHECK=1
expected=
for run in 0:2 1:108 2:8 3:2 4:108 5:8 6:132; do
  digest=$(CUDA_EMU_SCHEDULE=${run%:*} CUDA_EMU_SMS=${run#*:} "$2" --no-intro "--test-case=the bits*" |
    grep '^digest') || {
    echo "schedule ${run%:*} with ${run#*:} multiprocessors failed"
    exit 1
  }
  echo "schedule ${run%:*}, ${run#*:} multiprocessors: $digest"
  [ "${expected:=$digest}" = "$digest" ] || {
    echo "the bits differ"
    exit 1
  }
done
