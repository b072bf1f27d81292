"""Compares a string catalog of real locale files with their values in PyYAML.

real-input.py duplicates FOLDER        prints file:line of every duplicate key
real-input.py compare FOLDER OUT       compares each locale's own texts with its bundle in OUT
"""
import pathlib, plistlib, sys

import yaml

LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def duplicates(folder):
    for path in sorted(pathlib.Path(folder).glob("*.yml")):
        with open(path, encoding="utf-8") as file:
            for line in sorted(repeated(yaml.compose(file, Loader=LOADER))):
                print(f"{path.name}:{line}")


def repeated(node):
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.start_mark.line + 1
            seen.add(key.value)
            yield from repeated(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from repeated(item)


def texts(node):
    """Returns a node in the form of a catalog.

    Texts are as written; a null is missing in a mapping and empty in a list.
    """
    if isinstance(node, yaml.MappingNode):
        return {k.value: texts(v) for k, v in node.value if not is_null(v)}
    if isinstance(node, yaml.SequenceNode):
        return ["" if is_null(item) else texts(item) for item in node.value]
    return node.value


def is_null(node):
    return isinstance(node, yaml.ScalarNode) and not node.style \
        and node.value in ("", "~", "null", "Null", "NULL")


def holds(whole, part, path):
    """Checks that a bundle has all texts of a locale's own file, and returns their number."""
    if isinstance(part, dict):
        if not isinstance(whole, dict):
            sys.exit(f"{path}: {whole!r} is no mapping")
        return sum(holds(whole.get(key), value, f"{path}.{key}") for key, value in part.items())
    if whole != part:
        sys.exit(f"{path}: {whole!r}, but the file says {part!r}")
    return 1


def compare(folder, out):
    out, compared, locales = pathlib.Path(out), 0, 0
    with open(out / "preview/config.plist", "rb") as file:
        config = plistlib.load(file)
    for path in sorted(pathlib.Path(folder).glob("*.yml")):
        with open(path, encoding="utf-8") as file:
            root = yaml.compose(file, Loader=LOADER)
        for key, value in root.value:
            index = read(out, config["indexes"][key.value]["any"])
            bundle = read(out, index["bundles"]["strings"]["object"])
            compared += holds(bundle["entries"]["strings/redmine"]["content"], texts(value), key.value)
            locales += 1
    print(f"{compared} values in {locales} locales are equal")


def read(out, digest):
    name = digest.hex()
    with open(out / "objects" / name[:2] / f"{name}.plist", "rb") as file:
        return plistlib.load(file)


if sys.argv[1] == "duplicates":
    duplicates(sys.argv[2])
else:
    compare(sys.argv[2], sys.argv[3])
