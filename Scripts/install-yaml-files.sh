#!/usr/bin/env bash
# Copies YAML files of Debian's packages of Redmine, Ansible and Rails into the folder named, if they are not there, and
# prints the folder. The tests of YAML edit them. The files have licences of their own, such as the GPL, and are
# never committed.
set -euo pipefail

folder=$1
count() { find "$folder" -type f 2>/dev/null | wc -l; }

if [ "$(count)" -lt 200 ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$folder"
  get="apt-get -o Acquire::http::Timeout=20 -o Acquire::Retries=1"
  (
    cd "$work"
    $get download redmine ansible ruby-rails-i18n >&2 ||
      { $get update >&2 && $get download redmine ansible ruby-rails-i18n >&2; }
    for package in *.deb; do dpkg -x "$package" unpacked; done
  )
  # Every twelfth file of Ansible, whose collections come from more than a hundred repositories.
  (
    cd "$work/unpacked"
    find . -name '*.yml' -o -name '*.yaml' | LC_ALL=C sort | awk '/redmine|rails/ || NR % 12 == 0'
  ) | tar -c -C "$work/unpacked" -T - | tar -x -C "$folder"
fi
echo "$folder"
