#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs all tests, after installing what is missing. See --help.
set -euo pipefail
SITU_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/setup.sh
. "$SITU_ROOT/cmake/setup.sh"

usage() {
  cat <<'END'
usage: tests/run.sh [options]
Builds into build/ and runs every test: the library in Release, the SIMD and engine tests again for
AVX2 and for this machine, all of them under AddressSanitizer and UndefinedBehaviorSanitizer, the
threads under ThreadSanitizer, the programs that must not compile, the consumers, the examples, and
with nvcc the CUDA tests.
  --quick             without the sanitizers and the other instruction sets
  --sanitize LIST     every test under address, undefined, address,undefined or thread
  --compiler CXX      with another C++ compiler, for example clang++
  --filter REGEX      run only the tests whose name matches
END
}

options=() filter=() name=release
while [ $# -gt 0 ]; do
  case $1 in
    --quick) options+=(-DSITU_TEST_VARIANTS=OFF) name=quick ;;
    --sanitize)
      case ${2:-} in
        address | undefined | address,undefined | undefined,address) ;;
        thread) options+=(-DSITU_USE_OPENMP=OFF) ;;
        *) situ_say "--sanitize takes address, undefined, address,undefined or thread"; exit 2 ;;
      esac
      options+=("-DSITU_SANITIZE=$2" -DSITU_BUILD_CUDA=OFF) name=${2//,/-}
      shift ;;
    --compiler)
      [ $# -gt 1 ] && command -v "$2" >/dev/null || { situ_say "--compiler needs a compiler"; exit 2; }
      export CXX=$2
      options+=("-DCMAKE_CXX_COMPILER=$2") name+=-$(basename "$2")
      shift ;;
    --filter)
      [ $# -gt 1 ] || { situ_say "--filter needs a regular expression"; exit 2; }
      filter=(-R "$2")
      shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done

situ_setup cmake g++ ninja-build python3 doctest-dev libcli11-dev libfmt-dev nlohmann-json3-dev \
  libbenchmark-dev -- clang libomp-dev
build=$SITU_ROOT/build/$name
situ_configure_and_build "$build" -DCMAKE_BUILD_TYPE=Release "${options[@]}"

# ctest prints its summary last; the reasons of skipped tests go before it.
summary=$build/summary.txt
: >"$summary"
status=0
(cd "$build" && ctest --output-on-failure --no-tests=error -j "$(situ_jobs)" "${filter[@]}" 2>&1) |
  awk -v summary="$summary" '/tests passed,/ {held = 1} {if (held) print >summary; else print}' ||
  status=$?
reasons=$(grep -h 'skipped: ' "$build/Testing/Temporary/LastTest.log" | sort -u) || true
if [ -n "$reasons" ]; then printf 'Reasons for what was skipped:\n%s\n\n' "$reasons"; fi
cat "$summary"
exit "$status"
