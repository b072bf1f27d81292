#!/usr/bin/env bash
# Builds the site of the documentation, and checks it: build-site.sh [FOLDER], which is .build/site if nothing else is said.
# The variable CONTENTC_API names the folder of the libraries' pages, if it is not .build/documentation/api.
set -euo pipefail
cd "$(dirname "$0")/.."
site=${1:-.build/site}

python=$(Scripts/install-site-builder.sh .build/tools/site)
# The variable hides an announcement of the theme.
NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 "$python" -m mkdocs build --quiet --strict --site-dir "$(realpath -m "$site")"
Scripts/check-site.py "$site"
echo "site in $site: python3 -m http.server --bind 127.0.0.1 -d $site"
