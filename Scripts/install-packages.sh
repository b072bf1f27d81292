#!/usr/bin/env bash
# Installs the Debian packages named, those that are missing only.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system; what is needed is what Debian calls: $*" >&2
  exit 0
fi

missing=()
for package in "$@"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  if [ "$status" != installed ]; then
    # A package that another one provides (pkgconf for pkg-config) need not be there under its own name.
    [ "$package" = pkg-config ] && command -v pkg-config >/dev/null && continue
    missing+=("$package")
  fi
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
echo "installing ${missing[*]}"

# Servers are for tests: Debian would start them.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap '"${as_root[@]}" rm -f "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
  "${as_root[@]}" chmod 755 "$policy"
fi

install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends -qq "${missing[@]}" \
    >/dev/null
}
# The lists of a fresh machine are empty or old.
install 2>/dev/null || { "${as_root[@]}" apt-get update -qq && install; }
