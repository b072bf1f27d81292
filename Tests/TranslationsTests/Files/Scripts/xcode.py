"""Compares string catalogs that contentc wrote with the catalogs of Xcode that it read.

  xcode.py FOLDER

FOLDER has readings.json: a list of objects with `path` (a catalog), `files` (by language, the file with the source
language and this one that contentc wrote) and `problems` (the lines and messages of what contentc refused).

Catalogs that were edited by hand or by other tools are left out: only what Xcode wrote has its spacing. Each other one
is reduced to what contentc keeps: two languages, the texts, their states and the comments. The rest, the order of keys,
languages and categories, the spacing and the escapes, stays as Xcode wrote it. The written file must have these bytes.
"""

import collections
import json
import pathlib
import re
import sys

CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# The categories of CLDR for the source languages of catalogs; plurals of other source languages are left out.
OWN = {**dict.fromkeys(("en", "de", "nl", "sv", "it", "es", "fr"), ("one", "other")),
       **dict.fromkeys(("zh-Hans", "zh-Hant", "ja", "ko"), ("other",))}
COUNTS = collections.Counter()


def dump(value):
    """Returns a value as Xcode writes it: with an empty line in an empty object."""
    text = json.dumps(value, indent=2, separators=(",", " : "), ensure_ascii=False)
    return re.sub(r"^( *)(.*)\{\}(,?)$", r"\1\2{\n\n\1}\3", text, flags=re.M)


def variants(localization):
    """Returns the texts and states by category, which is None for a text without one; None for other variations."""
    if "substitutions" in localization or "device" in localization.get("variations", {}):
        return None
    if "stringUnit" in localization:
        return {None: localization["stringUnit"]}
    return {key: value.get("stringUnit") for key, value in localization["variations"]["plural"].items()}


def unit(state, value):
    return {"stringUnit": {"state": state, "value": value}}


def target_unit(found, source):
    """Returns the unit of a translation; a text that a tool repeated from the source is missing."""
    if found is None or found["state"] == "new" and found["value"] in ("", source):
        return unit("new", "")
    state = {"new": "needs_review", "stale": "needs_review"}.get(found["state"], found["state"])
    return unit(state, found["value"])


def localized(units):
    if None in units:
        return units[None]
    return {"variations": {"plural": {name: units[name] for name in sorted(units)}}}


def reduced(key, entry, language, target):
    """Returns the entry in two languages; None if contentc refuses it."""
    localizations = entry.get("localizations", {})
    has_source = language in localizations
    sources = variants(localizations[language]) if has_source else {None: {"state": "translated", "value": key}}
    targets = variants(localizations[target]) if target in localizations else {}
    if sources is None or targets is None:
        return None
    if None in sources and has_source and targets and None not in targets:
        return None
    if None in targets and None not in sources:
        # For a language with one form, Xcode needs no variations.
        if target not in ("ja", "ko", "th", "vi", "zh-Hans", "zh-Hant", "zh-HK"):
            return None
        targets = {"other": targets[None]}
    names = [name for name in CATEGORIES if name in sources or name in targets] or [None]
    if names != [None] and language not in OWN:
        return None
    other = sources.get("other") or list(sources.values())[-1]
    source_units, target_units = {}, {}
    for name in names:
        source = sources.get(name, other)["value"]
        target_units[name] = target_unit(targets.get(name), source)
        # A category that the source language lacks repeats the text of `other`.
        if name in (None, "other") or name in OWN[language] or source != other["value"]:
            source_units[name] = unit("translated", source)
    both = {language: localized(source_units), target: localized(target_units)}
    order = list(localizations)
    if not {language, target} <= set(order):
        order = sorted(both, key=str.lower)
    comment = {"comment": entry["comment"]} if entry.get("comment") else {}
    return {**comment, "extractionState": "manual", "localizations": {name: both[name] for name in order if name in both}}


def is_sorted(catalog):
    """Returns true if the first letters of keys never fall: Xcode sorts keys, and some tools add theirs at the end."""
    initials = [key[0].lower() for key in catalog["strings"] if re.match(r"[A-Za-z]", key)]
    return initials == sorted(initials)


def compare(catalog, target, written, where):
    language = catalog["sourceLanguage"]
    strings = {}
    for key, entry in catalog["strings"].items():
        if entry.get("shouldTranslate") is False:
            continue
        found = reduced(key, entry, language, target)
        if found is not None:
            strings[key] = found
    if dump(json.loads(written)) != written:
        return f"{where}: the spacing differs"
    found = json.loads(written)["strings"]
    missing = sorted(set(found) ^ set(strings))
    if missing:
        return f"{where}: only one has the keys {missing[:5]}"
    for key, entry in strings.items():
        if dump(found[key]) != dump(entry):
            return f"{where}: {key!r}: {found[key]} is not {entry}"
    COUNTS["texts"] += len(strings)
    COUNTS["languages"] += 1
    # The order of other characters needs the tables of a collation: StringCatalog/CatalogOrder.swift.
    left, right = ([key for key in keys if key.isascii()] for keys in (found, strings))
    if left != right:
        place = next(index for index, pair in enumerate(zip(left, right)) if pair[0] != pair[1])
        return f"{where}: {left[place]!r} must follow {right[place]!r}"
    expected = {"sourceLanguage": language, "strings": {key: strings[key] for key in found}, "version": "1.0"}
    return None if written == dump(expected) else f"{where}: the bytes differ"


def refusals(reading, data):
    """Returns the wrong refusals of a catalog: contentc keeps no variations by device, and no substitutions."""
    lines = data.split("\n")
    for problem in reading["problems"]:
        COUNTS["refused texts"] += 1
        line = lines[problem.get("line", 1) - 1]
        if not re.search(r'"(device|substitutions)" : \{', line):
            yield f"{reading['path']}:{problem.get('line')}: {problem['message']}: {line.strip()}"


def main():
    folder = pathlib.Path(sys.argv[1])
    problems = []
    for reading in json.loads((folder / "readings.json").read_text()):
        data = pathlib.Path(reading["path"]).read_bytes().decode()
        catalog = json.loads(data)
        languages = {name for entry in catalog["strings"].values() for name in entry.get("localizations", ())}
        if dump(catalog) != data or not is_sorted(catalog):
            COUNTS["catalogs of other tools"] += 1
        elif not languages - {catalog["sourceLanguage"]}:
            COUNTS["catalogs of one language"] += 1
        else:
            COUNTS["catalogs"] += 1
            problems += refusals(reading, data)
            for target, name in sorted(reading["files"].items()):
                written = (folder / name).read_bytes().decode()
                problems.append(compare(catalog, target, written, f"{reading['path']} in {target}"))
    problems = [problem for problem in problems if problem]
    print(", ".join(f"{count} {name}" for name, count in sorted(COUNTS.items())))
    print("\n".join(problems[:50]))
    sys.exit(1 if problems or not COUNTS["catalogs"] else 0)


main()
