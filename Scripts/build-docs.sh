#!/usr/bin/env bash
# Builds the documentation of the libraries in .build/documentation, and fails on a warning:
# build-docs.sh COMMAND..., which builds the tests, and so has the modules already. Its folder `api` has the pages of all
# libraries for the site, which Scripts/build-site.sh builds.
set -euo pipefail
cd "$(dirname "$0")/.."
docc=$(command -v docc || xcrun --find docc)
extract=$(command -v swift-symbolgraph-extract || xcrun --find swift-symbolgraph-extract)
target=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
documentation=.build/documentation

env "$@" --target ContentClientTesting
modules=$(env "$@" --show-bin-path)/Modules
imports=(-I "$modules")
for map in Sources/C*/module.modulemap; do imports+=(-I "${map%/*}"); done
archives=()
for module in ContentModel PropertyLists RichText ContentClient ContentClientTesting; do
  graphs=$documentation/symbols/$module
  rm -rf "$graphs"
  mkdir -p "$graphs"
  "$extract" -module-name "$module" "${imports[@]}" -target "$target" -output-dir "$graphs" \
    -minimum-access-level public -skip-synthesized-members -skip-inherited-docs
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$module" --fallback-bundle-identifier "contentc.$module" \
    --warnings-as-errors --output-path "$documentation/$module.doccarchive"
  archives+=("$documentation/$module.doccarchive")
done
rm -rf "$documentation/api"
"$docc" merge "${archives[@]}" --synthesized-landing-page-name contentc --output-path "$documentation/api"
echo "documentation in $documentation"
