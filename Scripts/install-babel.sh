#!/usr/bin/env bash
# Installs Babel, which has the names of CLDR's locales, from PyPI into the folder named, if it is not there, and prints
# the path of a Python that has it.
set -euo pipefail

folder=$1
version=2.19.0
hash=sha256:6d49734aed1d595b2c065d012174df8c83964692f26fc461702281634dd7555b
if ! "$folder/bin/python3" -c "import babel; assert babel.__version__ == '$version'" 2>/dev/null; then
  requirements=$(mktemp)
  trap 'rm "$requirements"' EXIT
  echo "babel==$version --hash=$hash" >"$requirements"
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile --require-hashes -r "$requirements"
fi
echo "$folder/bin/python3"
