#!/usr/bin/env bash
# Rules that neither the compiler nor the linter checks, each with the files that it allows.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0

fail() {
  echo "$1" >&2
  failed=1
}

# refuse PATTERN REASON ALLOWED-FILE... : no Swift source but those allowed may match.
refuse() {
  local pattern=$1 reason=$2
  shift 2
  local excluded=()
  for file in "$@"; do excluded+=(":(exclude)$file"); done
  local found
  found=$(git grep --untracked -nE "$pattern" -- 'Sources/*.swift' "${excluded[@]}" || true)
  [ -z "$found" ] || fail "$found"$'\n'"  ↳ $reason"
}

# Each of these has one place; the files that may use it follow its reason.
refuse '\bDate\(\)' 'only one place reads the clock'
refuse '\bUUID\(\)' 'only one place creates random values'
refuse 'PropertyListSerialization' 'its bytes differ run by run: PropertyLists writes ours'
refuse 'FileManager\.default' 'only System and one reader access files'
refuse '^ *((public|package|internal|private|fileprivate|@_exported|@testable) )*import Foundation' \
  'Foundation costs every start of the tool milliseconds' \
  Sources/ContentClient/Transport/SystemTransport+URLSession.swift \
  Sources/ContentClient/System/ReaderContext+System.swift \
  Sources/ContentClient/System/Int+Written.swift \
  Sources/ContentClient/System/ValueDecoder+Foundation.swift \
  Sources/ContentClient/Files/FolderFile.swift Sources/RichText/AttributedString+Markdown.swift \
  Sources/RichText/MarkdownAttributes.swift
terminal=Sources/ContentcCommands/Reports/Terminal.swift
functions='print|debugPrint|dump|puts|fputs|fputc|putc|putchar|perror|fprintf|printf|dprintf|vprintf|fwrite|syslog'
refuse "(^|[^.A-Za-z_ ]|[^.A-Za-z_] |(try[?!]?|return|else|in|Swift\\.|SystemC\\.) *)($functions)\(" \
  'text goes out through Terminal, which escapes what could drive a terminal'
refuse '\b(FileHandle|TextOutputStream|std(out|err)|STD(OUT|ERR)_FILENO)\b|/dev/(std(out|err)|tty|fd)' \
  'text goes out through Terminal, which escapes what could drive a terminal'
refuse '\bSystemC\.(p?writev?)\(|[^.A-Za-z_]writev?\([0-9]' 'text goes out through Terminal' \
  "$terminal" Sources/System/Files/Descriptor.swift Sources/ContentClient/Files/FolderFile.swift
refuse '\\u\{0*(1B|9B)\}' 'styles are added by TerminalText' Sources/Diagnostics/TerminalText.swift
refuse '\bimport +(Glibc|Musl|Darwin)\b|canImport\((Glibc|Musl)' 'the C library of the system is SystemC' \
  Sources/SystemC/SystemC.swift
# The preview serves requests one after the other, and watches a folder while it does.
refuse '\b(DispatchQueue|Thread|pthread_create|with(Throwing)?(Discarding)?TaskGroup|concurrentPerform)\b' \
  'concurrency goes through System/Concurrency' 'Sources/System/Concurrency/*' 'Sources/ContentPreview/*' \
  'Sources/ContentClient/*'
refuse '\bwithoutActuallyEscaping\b' 'it puts the length of a source path into the program: builds in two folders differ'
refuse '\b(fatalError|try!)' 'throw errors instead of crashing'

# The modules of MODULES in check-client-package.py but HTTPTransport, which only Linux compiles.
client=(ContentClient ContentClientTesting ContentModel PropertyLists RichText SiteFormat SystemC)
found=$(git grep --untracked -nE '\bimport +Synchronization\b' -- "${client[@]/#/Sources/}" || true)
[ -z "$found" ] || fail "$found"$'\n''  ↳ iOS 17 has no Synchronization: use Locked of ContentModel'

# Comments that ask for unplanned work.
if git grep --untracked -nE '\b(TO[D]O|FIX[M]E)\b' -- ':(exclude)content/*'; then fail '  ↳ open an issue instead'; fi

# Paths of the machine that the file was written on.
for place in "$PWD/" "${HOME%/}/" '/Users/[a-z]' '/home/[a-z]'; do
  if [ "$place" = / ]; then continue; fi
  if git grep --untracked -nIE -- "(^|[^A-Za-z0-9._~-])$place" -- ':(exclude)Scripts/check-source.sh'; then
    fail "  ↳ a path of one machine ($place)"
  fi
done

# Results of builds and resolution are not sources.
generated=$(git ls-files -- Package.resolved 'out/*' ':(exclude)out/README.md' ':(exclude)out/.gitignore')
[ -z "$generated" ] || fail "$generated"$'\n''  ↳ is tracked, though a build makes it'

tables=$(mktemp)
python3 Scripts/generate-locale-tables.py Scripts/cldr "$tables"
cmp "$tables" Sources/ContentModel/Locales/CLDRTables.swift || fail '  ↳ the locale tables are not those of CLDR'
rm "$tables"

Scripts/draw-modules.py --check || failed=1
Scripts/draw-concepts.py --check || failed=1
Scripts/check-documents.py || failed=1

exit "$failed"
