#!/usr/bin/env bash
# Installs PyYAML for the first `python3` in the path, if it is missing.
set -euo pipefail

has_yaml() { python3 -c 'import yaml' 2>/dev/null; }

has_yaml && exit 0
"$(dirname "$0")/install-packages.sh" python3-yaml
has_yaml && exit 0
# A Python that the user installed does not search Debian's package folder.
python3 -m pip install --quiet pyyaml
has_yaml
