#!/usr/bin/env bash
# run.sh check|build|diff|publish|compare|preview: runs contentc in the project WORKING_DIRECTORY, and ends with its
# status.
#
# Inputs come from the environment, and reach contentc as values of options: none can be an option itself.
set -euo pipefail

content=${CONTENT:?}
project=$(dirname -- "$content")
cd -- "$GITHUB_WORKSPACE/$WORKING_DIRECTORY"

# Prints a key of the JSON object in a file: a text, a number or a Boolean value; nothing if there is none.
value() {
  python3 -c '
import json, sys
value = json.load(open(sys.argv[1], encoding="utf-8"))
for key in sys.argv[2].split("."):
    value = value.get(key, "") if isinstance(value, dict) else ""
print(value if isinstance(value, str) else json.dumps(value))' "$@" 2>/dev/null || true
}

# Runs contentc without annotations, and prints at most 200 kB of what it writes.
transcribe() {
  local status=0 text=$RUNNER_TEMP/contentc-text
  contentc "$@" --diagnostics human >"$text" 2>&1 || status=$?
  head -c 200000 -- "$text"
  return "$status"
}

# Makes the content of the base branch live in the channel's folder, and copies this folder beside the proposal.
#
# A channel whose target is no folder would need credentials, which a proposal must not have.
publish_base() {
  local base=$GITHUB_WORKSPACE/$BASE/$content found=$RUNNER_TEMP/contentc-base.json folder target
  folder=$(dirname -- "$base")
  local options=(--channel="$CHANNEL" --content="$base" --out="$folder/out")
  if ! contentc diff "${options[@]}" --json --diagnostics human >"$found"; then
    echo "The base branch cannot be compared: it has no content, content with mistakes, or no channel '$CHANNEL'."
    return 1
  fi
  target=$(value "$found" settings.target)
  if ! [[ $target =~ ^[A-Za-z0-9_][A-Za-z0-9._-]*$ ]]; then
    echo "The base branch cannot be compared: the target of '$CHANNEL' must be a folder such as 'site'."
    return 1
  fi
  transcribe publish "${options[@]}" --quiet || return 1
  rm -rf -- "${project:?}/$target"
  cp -R -- "$folder/$target" "$project/$target"
}

case $1 in
  check) contentc check --content="$content" ;;
  build) contentc build --content="$content" --out="$project/out" ;;
  diff) contentc diff --channel="$CHANNEL" --content="$content" --out="$project/out" ;;
  publish)
    result=$RUNNER_TEMP/contentc-publish.json
    status=0
    options=(--channel="$CHANNEL" --content="$content" --out="$project/out" --json --diagnostics github)
    if [ -n "$MESSAGE" ]; then options+=(--message="$MESSAGE"); fi
    if [ -n "$NOT_BELOW" ]; then options+=(--not-below="$NOT_BELOW"); fi
    contentc publish "${options[@]}" >"$result" || status=$?
    # Status 3 says that the release is live, but a program that should hear of it failed.
    if [ "$status" -eq 0 ] || [ "$status" -eq 3 ]; then
      release=$(value "$result" release)
      for key in release record changed; do printf '%s=%s\n' "$key" "$(value "$result" "$key")"; done >>"$GITHUB_OUTPUT"
      if [ "$(value "$result" changed)" = true ]; then
        text="Release $release is live; sent $(value "$result" objectsSent) objects"
      else
        text="Release $release, which is live, has this content already"
      fi
      printf '%s\n' "$text"
      printf '%s\n\n' "$text" >>"$GITHUB_STEP_SUMMARY"
    fi
    exit "$status"
    ;;
  compare)
    results=$RUNNER_TEMP/contentc-proposal
    rm -rf -- "$results"
    mkdir -p -- "$results"
    printf '%s\n' "$NUMBER" >"$results/number.txt"
    # The step that checks fails, after this one has written what a comment should say.
    transcribe check --content="$content" >"$results/check.txt" || true
    if [ -n "$CHANNEL" ]; then
      if publish_base >"$results/changes.txt"; then
        options=(--channel="$CHANNEL" --content="$content" --out="$project/out" --base="$GITHUB_WORKSPACE/$BASE/$content")
        # The job summary gets all changes: the text, which a comment can hold, leaves many out.
        if transcribe diff "${options[@]}" >"$results/changes.txt"; then
          contentc diff "${options[@]}" --built --diagnostics github >/dev/null 2>&1 || true
        fi
      fi
    fi
    printf 'results=%s\n' "$results" >>"$GITHUB_OUTPUT"
    ;;
  preview)
    folder=$RUNNER_TEMP/contentc-preview
    options=(--content="$content" --out="$project/out" --export="$folder" --label="${LABEL:0:12}")
    # Without a base, the preview shows the proposal alone: the base may lack content, or have mistakes that it mends.
    base=$GITHUB_WORKSPACE/$BASE/$content
    if [ -n "$BASE" ] && contentc check --content="$base" --diagnostics human >/dev/null 2>&1; then
      options+=(--base="$base")
    fi
    # Content with mistakes has no preview. The step that checks reports them.
    if contentc preview "${options[@]}" --diagnostics human >/dev/null; then
      printf 'preview=%s\n' "$folder" >>"$GITHUB_OUTPUT"
    else
      echo 'There is no preview, because contentc could not build the content'
    fi
    ;;
  *)
    echo "run.sh has no command '$1'" >&2
    exit 64
    ;;
esac
