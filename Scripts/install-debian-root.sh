#!/usr/bin/env bash
# Makes the archive of a bare Debian 12, without recommended packages, in the folder named, if it is not there, and
# prints the archive's path.
set -euo pipefail

archive=$1/bookworm.tar
if ! [ -f "$archive" ]; then
  "$(dirname "$0")/install-packages.sh" mmdebstrap >&2
  mkdir -p "$1"
  mmdebstrap --quiet --variant=minbase bookworm "$1/part.tar" >&2
  mv "$1/part.tar" "$archive"
fi
echo "$archive"
