#!/usr/bin/env bash
# Installs moto's servers, which answer as Amazon's do, from PyPI into the folder named, if they are not there, and prints
# the program's path.
set -euo pipefail

folder=$1
version=5.2.1
# Its extra `server` would add thousands of files for services that no test uses.
if ! "$folder/bin/python3" -c 'import flask_cors, moto.server' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile "moto==$version" flask flask-cors
fi
echo "$folder/bin/moto_server"
