#!/usr/bin/env bash
# Installs the release VERSION of contentc into RUNNER_TEMP and adds it to the path of the job's later steps.
#
# An archive whose SHA-256 is not SHA256 is removed unread. Inputs come from the environment, so that no text in them is
# ever part of a script. action.yml lists them.
set -euo pipefail

# Messages of the runner are one line each: `%` and line breaks would end them.
fail() {
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=contentc::%s\n' "${text//$'\n'/%0A}"
  exit "${2:-1}"
}

[[ $VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
  fail "'version' must be a number such as 1.2.3, without a 'v'; it is '$VERSION'"
[[ $SHA256 =~ ^[0-9a-f]{64}$ ]] ||
  fail "'sha256' must have 64 digits from 0 to f, as in the release's SHA256SUMS; it is '$SHA256'"
for name in CHECK BUILD PREVIEW CACHE; do
  [[ ${!name} =~ ^(true|false)$ ]] || fail "'${name,,}' must be 'true' or 'false'; it is '${!name}'"
done
for name in WORKING_DIRECTORY CONTENT; do
  # The cache takes a path for lines of patterns, and a command takes a leading hyphen for an option.
  if [[ -z ${!name} || ${!name} == -* || ${!name} =~ [][*?!\\#~[:cntrl:]] ]]; then
    input=${name,,}
    fail "'${input//_/-}' must be a path without line breaks and * ? [ ] ! \\ # ~, not beginning with -; it is '${!name}'"
  fi
done
case "$(uname -s) $(uname -m)" in
  'Linux x86_64') processor=x86_64 ;;
  'Linux aarch64') processor=aarch64 ;;
  *) fail "contentc has releases for Linux on x86_64 and aarch64; this runner is $(uname -s) on $(uname -m)" ;;
esac

downloads=${DOWNLOADS:-$SERVER/$REPOSITORY/releases/download/v$VERSION}
[[ $downloads == https://* ]] || fail "'downloads' must begin with https://; it is '$downloads'"
archive=contentc-$VERSION-linux-$processor.tar.xz
folder=$RUNNER_TEMP/contentc-$VERSION
rm -rf -- "$folder"
mkdir -p -- "$folder"
curl --proto '=https' --proto-redir '=https' --tlsv1.2 --fail --silent --show-error --location --max-redirs 5 \
  --retry 3 --retry-connrefused --connect-timeout 20 --max-time 300 --max-filesize 200000000 \
  --output "$folder/$archive" -- "${downloads%/}/$archive" ||
  fail "cannot download ${downloads%/}/$archive (curl ended with $?); see the log for its message"
if ! (cd -- "$folder" && printf '%s  %s\n' "$SHA256" "$archive" | sha256sum --check --strict --quiet) 2>/dev/null; then
  found=$(sha256sum <"$folder/$archive")
  rm -rf -- "$folder"
  fail "$archive has the checksum ${found%% *}, and 'sha256' is $SHA256: one of them is not what you verified"
fi
tar --extract --xz --no-same-owner --directory "$folder" --file "$folder/$archive"
rm -- "$folder/$archive"
bin=$folder/contentc-$VERSION-linux-$processor/bin
found=$("$bin/contentc" --version) ||
  fail "the installed program does not start: install libssl3, on a system with glibc 2.36 or later"
found=${found%%$'\n'*}
[[ $found == "$VERSION" ]] || fail "the archive contains contentc $found instead of $VERSION"
printf '%s\n' "$bin" >>"$GITHUB_PATH"

# The channels of a project share the file, but each channel's runs restore the file that its last run saved.
project=$(realpath --canonicalize-missing --no-symlinks -- "$GITHUB_WORKSPACE/$WORKING_DIRECTORY/$(dirname -- "$CONTENT")")
key=$(printf '%s\0' "$WORKING_DIRECTORY" "$CONTENT" "$CHANNEL" | sha256sum)
{
  printf 'memory=%s/.contentc/signed.plist\n' "$project"
  printf 'cache-key=contentc-releases-%s-\n' "${key:0:16}"
} >>"$GITHUB_OUTPUT"
printf 'Installed contentc %s\n' "$VERSION"
