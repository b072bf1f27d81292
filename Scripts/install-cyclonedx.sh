#!/usr/bin/env bash
# Installs the schemas of CycloneDX and their validator from PyPI into the folder named, if they are not there, and prints
# the path of the Python that has them.
set -euo pipefail

folder=$1
version=11.12.0
if ! "$folder/bin/python3" -c 'import cyclonedx.validation.json, jsonschema' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" "cyclonedx-python-lib[json-validation]==$version"
fi
echo "$folder/bin/python3"
