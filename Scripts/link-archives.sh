#!/usr/bin/env bash
# Fills a folder with links to the static archives of libraries, and with `.pc` files that name this folder; prints its
# path. `swift build --pkg-config-path` makes it the first folder in which the linker searches. The program then contains
# these libraries, so that other machines do not need them.
# usage: link-archives.sh FOLDER
set -euo pipefail
mkdir -p "$1"
cd "$1"
# link ARCHIVE NAME : the linker looks for a library by NAME.
link() {
  local path
  path=$(clang -print-file-name="$1")
  if [ ! -e "$path" ]; then
    echo "$1 is missing: run 'make setup'" >&2
    exit 1
  fi
  ln -sf "$(realpath "$path")" "$2"
}
for name in yaml deflate expat cmark-gfm cmark-gfm-extensions z stdc++; do
  link "lib$name.a" "lib$name.a"
done
# The half of libgcc that unwinds the stack, for which compilers pass the name of the shared library.
link libgcc_eh.a libgcc_s.a
for name in yaml-0.1 libdeflate expat libcmark-gfm zlib; do
  sed -E "s|^((shared)?libdir)=.*|\1=$PWD|" "$(pkg-config --variable=pcfiledir "$name")/$name.pc" >"$name.pc"
done
pwd
