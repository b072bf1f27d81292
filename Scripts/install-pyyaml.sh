#!/usr/bin/env bash
# Sees to it that `python3`, whichever comes first in the path, has PyYAML.
set -euo pipefail

has_yaml() { python3 -c 'import yaml' 2>/dev/null; }

has_yaml && exit 0
"$(dirname "$0")/install-packages.sh" python3-yaml
has_yaml && exit 0
# A Python of the user's own does not look where Debian puts its packages.
python3 -m pip install --quiet pyyaml
has_yaml
