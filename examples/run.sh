#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the examples, after installing what is missing, and runs the main one, `evaluate`, on the
# bundled predictions of real models. With arguments, runs `evaluate` with those instead.
set -euo pipefail
SITU_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/setup.sh
. "$SITU_ROOT/cmake/setup.sh"

situ_setup cmake g++ ninja-build libcli11-dev libfmt-dev nlohmann-json3-dev
build=$SITU_ROOT/build/examples
situ_configure_and_build "$build" -DCMAKE_BUILD_TYPE=Release -DSITU_BUILD_TESTS=OFF \
  -DSITU_BUILD_BENCH=OFF >&2
evaluate=$build/examples/evaluate

if [ $# -gt 0 ]; then exec "$evaluate" "$@"; fi

# Prints the command as one would type it, then runs it.
run() {
  printf '\n$ evaluate %s\n' "$*"
  "$evaluate" "$@"
}
cd "$SITU_ROOT/examples/data"
run --y-true digits_labels.npy --y-pred digits_probabilities.npy --html "$build/report.html"
run --y-true digits_labels_int32.npy --y-pred digits_logits.npy --from-logits
run --y-true breast_cancer_labels.npy --y-pred breast_cancer_scores.npy \
  --sample-weight breast_cancer_weights.npy
run --y-true diabetes_targets.npy --y-pred diabetes_predictions.npy
