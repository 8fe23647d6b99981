# SPDX-License-Identifier: Apache-2.0
# Sourced by tests/run.sh, examples/run.sh and bench/run.sh: installs what is missing when it may,
# else says exactly what to install; then offers situ_configure_and_build.
# shellcheck shell=bash

situ_say() { printf 'situ: %s\n' "$*" >&2; }

# Is the header there for the compiler? Works for any distribution and any prefix in CPATH.
situ_has_header() {
  printf '#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++20 -E -x c++ - >/dev/null 2>&1
}

# situ_has <debian package>: whether what the package provides is usable.
situ_has() {
  case $1 in
    cmake) command -v cmake >/dev/null ;;
    g++) command -v "${CXX:-c++}" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null || command -v make >/dev/null ;;
    python3) command -v python3 >/dev/null ;;
    python3-venv) python3 -c 'import venv, ensurepip' 2>/dev/null ;;
    clang) command -v clang++ >/dev/null ;;
    libomp-dev) ! command -v clang++ >/dev/null || printf 'int main(){}' |
      clang++ -fopenmp -x c++ -o /dev/null - 2>/dev/null ;;
    doctest-dev) situ_has_header doctest/doctest.h ;;
    libbenchmark-dev) situ_has_header benchmark/benchmark.h ;;
    libcli11-dev) situ_has_header CLI/CLI.hpp ;;
    libfmt-dev) situ_has_header fmt/format.h ;;
    nlohmann-json3-dev) situ_has_header nlohmann/json.hpp ;;
    *) return 1 ;;
  esac
}

situ_missing() {
  local package
  for package in "$@"; do situ_has "$package" || printf '%s ' "$package"; done
}

# Prints the prefix that apt-get needs, or fails when this user may not install packages.
situ_apt_prefix() {
  command -v apt-get >/dev/null || return 1
  if [ "$(id -u)" = 0 ]; then echo env; return 0; fi
  command -v sudo >/dev/null && sudo -n true 2>/dev/null && echo 'sudo -n env'
}

situ_apt() {
  # shellcheck disable=SC2086
  $SITU_APT_PREFIX DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2
}

# situ_setup <needed packages> [-- <welcome packages>]: the welcome ones widen the tests; without
# them some tests are skipped.
situ_setup() {
  local needed=() welcome=() into=needed package missing
  for package in "$@"; do
    if [ "$package" = -- ]; then into=welcome
    elif [ $into = needed ]; then needed+=("$package")
    else welcome+=("$package"); fi
  done
  read -ra missing <<<"$(situ_missing "${needed[@]}" "${welcome[@]}")"
  [ ${#missing[@]} = 0 ] && return 0

  if SITU_APT_PREFIX=$(situ_apt_prefix); then
    situ_say "installing ${missing[*]}"
    situ_apt update || situ_say "apt-get update failed; trying with the package lists as they are"
    situ_apt install -y --no-install-recommends "${missing[@]}" ||
      for package in "${missing[@]}"; do
        situ_apt install -y --no-install-recommends "$package" || true
      done
  fi

  # Asked again, since having clang++ is what makes libomp-dev worth having, and so on.
  read -ra missing <<<"$(situ_missing "${welcome[@]}")"
  [ ${#missing[@]} = 0 ] || situ_say "without ${missing[*]} some tests are skipped"
  read -ra missing <<<"$(situ_missing "${needed[@]}")"
  [ ${#missing[@]} = 0 ] && return 0
  situ_say "missing: ${missing[*]}"
  situ_say "install them with: sudo apt-get install ${missing[*]}"
  # Header libraries can be fetched by CMake, tools cannot.
  case " ${missing[*]} " in
    *' cmake '* | *' g++ '* | *' ninja-build '* | *' python3 '* | *' python3-venv '*) return 1 ;;
  esac
  situ_say "CMake now tries to fetch them instead, which needs git and a network"
}

# One job per processor, and 2 GB of memory for each: the template-heavy units need that.
situ_jobs() {
  local processors memory
  processors=$(nproc 2>/dev/null || echo 2)
  memory=$(awk '/^MemAvailable/ {print int($2 / 2097152)}' /proc/meminfo 2>/dev/null)
  [ -n "$memory" ] && [ "$memory" -lt "$processors" ] && processors=$((memory < 1 ? 1 : memory))
  echo "$processors"
}

# situ_configure_and_build <build folder> <cmake options>
situ_configure_and_build() {
  local build=$1
  shift
  if [ ! -f "$build/CMakeCache.txt" ] && [ -z "${CMAKE_GENERATOR:-}" ] && command -v ninja >/dev/null
  then set -- -G Ninja "$@"; fi
  cmake -S "$SITU_ROOT" -B "$build" "$@" || {
    situ_say "configuring failed; the lines above say why"
    return 1
  }
  cmake --build "$build" --parallel "$(situ_jobs)"
}
