#!/usr/bin/env bash
# Installs MkDocs with the Material theme, and markdown-it, which reads Markdown as GitHub does, from PyPI into the folder
# named, if they are not there, and prints the path of a Python that has them.
set -euo pipefail

folder=$1
if ! "$folder/bin/python3" -c 'import markdown_it, material, mkdocs' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" mkdocs==1.6.1 mkdocs-material==9.8.1 markdown-it-py==4.3.0
fi
echo "$folder/bin/python3"
