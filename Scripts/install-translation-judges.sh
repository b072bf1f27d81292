#!/usr/bin/env bash
# Installs lxml and translate-toolkit from PyPI, and the OASIS schema of XLIFF 1.2 from a Debian package, into the folder
# named, if they are not there, and prints the path of a Python that has them.
#
# The schema is not ours to distribute. Debian's copy includes the schema of the xml: attributes that it imports.
set -euo pipefail

folder=$1
if ! "$folder/bin/python3" -c 'import lxml, translate' 2>/dev/null; then
  "$(dirname "$0")/install-python-packages.sh" "$folder" --no-compile lxml==6.1.3 translate-toolkit==3.20.4
fi
if ! [ -f "$folder/schemas/xliff-core-1.2-strict.xsd" ]; then
  download=$(mktemp -d)
  trap 'rm -rf "$download"' EXIT
  (cd "$download" && { apt-get download -qq php-symfony-translation || {
    if [ "$(id -u)" -eq 0 ]; then apt-get update -qq; else sudo apt-get update -qq; fi
    apt-get download -qq php-symfony-translation
  }; }) >&2 2>/dev/null
  dpkg-deb --extract "$download"/*.deb "$download/files"
  rm -rf "$folder/schemas"
  cp -R "$download/files/usr/share/php/Symfony/Component/Translation/Resources/schemas" "$folder/schemas"
fi
echo "$folder/bin/python3"
