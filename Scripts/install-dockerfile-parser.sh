#!/usr/bin/env bash
# Installs Docker's own parser of Dockerfiles from PyPI into the folder named, if it is not there, and prints the path of
# a Python that has it.
set -euo pipefail

folder=$1
version=3.4.0
if ! "$folder/bin/python3" -c 'import dockerfile' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile --only-binary :all: "dockerfile==$version"
fi
echo "$folder/bin/python3"
