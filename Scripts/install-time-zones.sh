#!/usr/bin/env bash
# Installs the time zone database of time-zones.txt from PyPI into the folder named, if it is not there, and prints the
# path of a Python that has it.
set -euo pipefail

folder=$1
scripts=$(dirname "$0")
version=$(sed -nE 's/^tzdata==([0-9.]+) .*/\1/p' "$scripts/time-zones.txt")
if [ "$("$folder/bin/python3" -c 'import tzdata; print(tzdata.__version__)' 2>/dev/null)" != "$version" ]; then
  rm -rf "$folder"
  "$scripts/install-python-packages.sh" "$folder" --no-compile --require-hashes -r "$scripts/time-zones.txt"
fi
echo "$folder/bin/python3"
