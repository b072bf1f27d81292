#!/usr/bin/env python3
"""Compares edited YAML files with the originals by PyYAML, which resolves scalars by YAML 1.1.

The argument is a JSON file: a list of files with 'before' and 'after' (base64) and their edits. The exit status is 1 if
a file means anything else than the original with the edits.
"""

import base64
import json
import sys

import yaml

# The parser in Python shares no code with libyaml, but needs minutes for large files.
LARGE = 8_000


def construct_scalar(loader, node):
    return (node.tag, node.value)


def loader_of(base):
    class Loader(base):
        """Keeps each scalar as its tag and text."""

    def construct_mapping(loader, node):
        loader.flatten_mapping(node)
        members = []
        for key, value in node.value:
            members.append((loader.construct_object(key, deep=True), loader.construct_object(value, deep=True)))
        return {"members": members}

    def construct_other(loader, suffix, node):
        if isinstance(node, yaml.ScalarNode):
            return (node.tag, node.value)
        if isinstance(node, yaml.SequenceNode):
            return [loader.construct_object(item, deep=True) for item in node.value]
        return construct_mapping(loader, node)

    Loader.yaml_constructors = {}
    Loader.yaml_multi_constructors = {"": construct_other}
    Loader.add_constructor(None, lambda loader, node: construct_other(loader, "", node))
    return Loader


PURE, FAST = loader_of(yaml.SafeLoader), loader_of(yaml.CSafeLoader)


def changed(value, path, text):
    """Returns a value with a text at a path; the old one is not changed, since aliases may share it."""
    if not path:
        return ("tag:yaml.org,2002:str", text)
    step = path[0]
    if value is None:
        value = {"members": []}
    if isinstance(value, list):
        index = int(step[1:])
        return value[:index] + [changed(value[index], path[1:], text)] + value[index + 1:]
    members = list(value["members"])
    # Of duplicate keys, the last one counts.
    places = [index for index, (key, _) in enumerate(members) if key[1] == step[1:]]
    if not places:
        key = ("tag:yaml.org,2002:str", step[1:])
        return {"members": members + [(key, changed(None, path[1:], text))]}
    place = places[-1]
    members[place] = (members[place][0], changed(members[place][1], path[1:], text))
    return {"members": members}


def main():
    files = json.load(open(sys.argv[1], encoding="utf-8"))
    compared = edits = unread = wrong = 0
    for file in files:
        before, after = base64.b64decode(file["before"]), base64.b64decode(file["after"])
        loader = PURE if len(before) < LARGE else FAST
        try:
            expected = yaml.load(before, loader)
        except (yaml.YAMLError, ValueError):
            unread += 1
            continue
        try:
            for edit in file["edits"]:
                expected = changed(expected, edit["path"], edit["text"])
            actual = yaml.load(after, loader)
        except (yaml.YAMLError, ValueError, KeyError) as error:
            print(f"{file['name']}: {error}")
            wrong += 1
            continue
        compared += 1
        edits += len(file["edits"])
        if actual != expected:
            wrong += 1
            print(f"{file['name']}: means something else; edits {file['edits']}")
    print(f"PyYAML {yaml.__version__}: {compared} files with {edits} edits compared, {unread} not read, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
