#!/usr/bin/env bash
# Unpacks the specification of the installed libcmark-gfm into the folder named, and prints the file's path. It is
# CC BY-SA 4.0, so it is not part of this repository; Debian's package cmark-gfm of the same source has it.
set -euo pipefail

folder=$1
file=$folder/spec.txt
if [ ! -s "$file" ]; then
  mkdir -p "$folder"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # Small images leave out the documentation of packages they install, so the package is unpacked here.
  version=$(dpkg-query --show --showformat='${source:Version}' libcmark-gfm-dev)
  chmod 755 "$work"
  (cd "$work" && apt-get download -qq "cmark-gfm=$version" >/dev/null 2>&1) ||
    (apt-get update -qq >&2 && cd "$work" && apt-get download -qq "cmark-gfm=$version" >/dev/null)
  dpkg-deb --fsys-tarfile "$work"/cmark-gfm_*.deb | tar --extract --to-stdout ./usr/share/doc/cmark-gfm/spec.txt.gz |
    gzip --decompress --stdout >"$work/spec.txt"
  mv "$work/spec.txt" "$file"
fi
echo "$file"
