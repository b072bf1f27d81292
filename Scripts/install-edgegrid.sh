#!/usr/bin/env bash
# Installs Akamai's own signatures from PyPI into the folder named, if they are not there, and prints the path of a Python
# that has them.
set -euo pipefail

folder=$1
version=2.0.9
if ! "$folder/bin/python3" -c 'import akamai.edgegrid' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile "edgegrid-python==$version"
fi
echo "$folder/bin/python3"
