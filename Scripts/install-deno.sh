#!/usr/bin/env bash
# Installs Deno from PyPI into the folder named, if it is not there, and prints the program's path. Only its formatter is
# used.
set -euo pipefail

folder=$1
version=2.9.8
if [ "$("$folder/bin/deno" --version 2>/dev/null | awk 'NR == 1 { print $2 }')" != "$version" ]; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile "deno==$version"
fi
echo "$folder/bin/deno"
