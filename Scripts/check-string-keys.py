#!/usr/bin/env python3
"""Refuses dictionaries and sets of strings in the modules that hold names: those with String+ByteEquality.swift.

Refuses a module without that file, too, unless the module is in NAMELESS.

Swift's strings are equal when they are canonically equivalent, so such a collection would merge two names that are
different files. `ExactString` compares bytes. An exception says why in a comment "// String keys: ..." at the end of
its line or above it. Operators that compare canonically are hidden by a file in each module.
"""

import pathlib
import re
import subprocess
import sys

# The modules with Swift code that compare no names.
NAMELESS = [
    "ContentClientTesting", "ContentPreviewServer", "SharedGzip", "SystemC", "XML", "contentc", "contentc-preview"]
TEXT = r"(Swift *\. *)?(String|Substring|Character)"
SPELLED = re.compile(
    rf"\[ *{TEXT} *:|\b(Dictionary|Set|OrderedSet|KeyValuePairs) *< *{TEXT} *[,>]|extension (Set|Dictionary).*== {TEXT}\b")
INFERRED = re.compile(
    r"(\b(Set|Dictionary)\((grouping: |uniqueKeysWithValues: )?[^:()]*[({].*\.(name|path|text|identifier|device|key|id|hex)( *\}|\)))"
    r"|\b(Set|Dictionary)\(.*\{ *\(?\"")
EXCUSE = re.compile(r"// String keys: [A-Za-z]")
HARMLESS = re.compile(r"(ExactString|Array|Set|Dictionary)\((names:|firstOf:)|(ExactString|Array)\(|\bbytes\(of:")


def is_excused(lines, index):
    """Returns true if the line, or a comment directly above its declaration, has an exception."""
    if EXCUSE.search(lines[index]) or HARMLESS.search(lines[index]):
        return True
    index -= 1
    while index >= 0 and lines[index].lstrip().startswith("//"):
        if EXCUSE.search(lines[index]):
            return True
        index -= 1
    return False


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    failed = False
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", "Sources/*.swift"],
        cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    files = [name for name in listed if (root / name).exists()]
    modules = {name.split("/")[1] for name in files}
    named = {module for module in modules if (root / "Sources" / module / "String+ByteEquality.swift").exists()}
    for module in sorted(modules - named - set(NAMELESS)):
        print(f"Sources/{module}: add the link String+ByteEquality.swift, or the module to NAMELESS", file=sys.stderr)
        failed = True
    for name in files:
        if name.split("/")[1] not in named:
            continue
        lines = (root / name).read_text(encoding="utf-8").split("\n")
        for index, line in enumerate(lines):
            if line.lstrip().startswith("//"):
                continue
            if (SPELLED.search(line) or INFERRED.search(line)) and not is_excused(lines, index):
                print(f"{name}:{index + 1}: {line.strip()}", file=sys.stderr)
                failed = True
    if failed:
        print("  ↳ names are compared by bytes, and are keys as ExactString", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
