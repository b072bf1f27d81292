#!/usr/bin/env bash
# install-python-packages.sh FOLDER ARGUMENT…: makes a Python environment in the folder, and runs `pip install ARGUMENT…`
# for it.
set -euo pipefail

folder=$1
shift
scripts=$(dirname "$0")
# All environments share one pip (22.3 or newer): it takes longer to install than most packages.
shared=$scripts/../.build/tools/pip
pip() { "$shared/bin/python3" -m pip "$@"; }
"$scripts/install-packages.sh" python3-venv >&2
pip --version >/dev/null 2>&1 || python3 -m venv --clear "$shared" >&2
python3 -m venv --without-pip "$folder"
pip --python "$folder/bin/python3" install --quiet "$@" >&2
