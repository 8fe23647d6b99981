#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Renews golden*.txt: makes a virtual environment with the pinned libraries, then runs them.
# SITU_REFERENCE_VENV names an environment to make or to use again (default: .venv beside this).
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
venv="${SITU_REFERENCE_VENV:-$here/.venv}"
if [[ ! -x "$venv/bin/python" ]]; then
  python3 -m venv "$venv"
fi
"$venv/bin/python" -m pip install --quiet --requirement "$here/requirements.txt"
for script in make_golden.py make_golden_classification.py make_golden_regression.py; do
  PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$here/$script"
done
