#!/usr/bin/env bash
# Installs moto's servers, which answer as Amazon's do, from PyPI into the folder named, if they are not there, and prints
# the program's path.
set -euo pipefail

folder=$1
version=5.2.1
if ! [ -x "$folder/bin/moto_server" ]; then
  "$(dirname "$0")/install-packages.sh" python3-venv >&2
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet --no-compile "moto[server]==$version" >&2
fi
echo "$folder/bin/moto_server"
