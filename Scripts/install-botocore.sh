#!/usr/bin/env bash
# Sees to it that `python3`, whichever comes first in the path, has botocore.
set -euo pipefail

has_botocore() { python3 -c 'import botocore.auth' 2>/dev/null; }

has_botocore && exit 0
"$(dirname "$0")/install-packages.sh" python3-botocore
has_botocore && exit 0
# A Python of the user's own does not look where Debian puts its packages.
python3 -m pip install --quiet botocore
has_botocore
