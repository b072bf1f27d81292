#!/usr/bin/env bash
# Installs Debian's Chromium without windows, which needs a third less processor time than the usual one, and from PyPI
# into the folder named what drives it and axe, which judges accessibility, if they are not there, and prints the path of
# the Python that has them.
set -euo pipefail

folder=$1
playwright=1.65.2
axe=0.1.8
"$(dirname "$0")/install-packages.sh" chromium-headless-shell fonts-noto-core fonts-noto-cjk >&2
has_both() { "$folder/bin/python" -c 'import playwright.sync_api, axe_playwright_python.sync_playwright' 2>/dev/null; }
if ! has_both; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" "playwright==$playwright" "axe-playwright-python==$axe"
fi
has_both
echo "$folder/bin/python"
