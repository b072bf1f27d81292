#!/usr/bin/env bash
# Installs botocore for the first `python3` in the path, if it is missing.
set -euo pipefail

has_botocore() { python3 -c 'import botocore.auth' 2>/dev/null; }

has_botocore && exit 0
"$(dirname "$0")/install-packages.sh" python3-botocore
has_botocore && exit 0
# A Python that the user installed does not search Debian's package folder.
python3 -m pip install --quiet --no-compile botocore
has_botocore
