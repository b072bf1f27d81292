#!/usr/bin/env bash
# Makes a Python environment in the folder named, and installs packages from PyPI in it, by the arguments of `pip install`.
set -euo pipefail

folder=$1
shift
scripts=$(dirname "$0")
# All environments share one pip: it takes longer to install than most packages.
shared=$scripts/../.build/tools/pip
"$scripts/install-packages.sh" python3-venv >&2
[ -x "$shared/bin/pip" ] || python3 -m venv "$shared"
python3 -m venv --without-pip "$folder"
"$shared/bin/pip" --python "$folder/bin/python3" install --quiet "$@" >&2
