#!/usr/bin/env python3
"""Compares contentc's bundles with the peer's or Hugo's, for every locale and device.

Ours is read as an app would: config, index, bundle, each object's hash checked, its `.gz` too.
"""

import argparse
import gzip
import hashlib
import json
import pathlib
import plistlib
import sys


def same(a, b):
    """Equality that distinguishes 1, 1.0 and true, as property lists do."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def with_reals(value):
    """JSON has one kind of numbers, and programs differ in how they write 20.0."""
    if isinstance(value, dict):
        return {key: with_reals(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_reals(item) for item in value]
    return float(value) if type(value) is int else value


class Objects:
    """One side's `objects` folder: contentc's or the peer's, property lists or JSON."""

    def __init__(self, out):
        self.out = out
        self.is_json = (out / "preview" / "config.json").exists()

    def path(self, name):
        return self.out / "objects" / name[:2] / f"{name}.{'json' if self.is_json else 'plist'}"

    def read(self, name):
        path = self.path(name)
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != name:
            raise SystemExit(f"{path}: its bytes are not those of its name")
        compressed = path.with_name(path.name + ".gz")
        if compressed.exists() and gzip.decompress(compressed.read_bytes()) != data:
            raise SystemExit(f"{compressed}: decompresses to other bytes")
        return self.decoded(data)

    def decoded(self, data):
        return with_reals(json.loads(data)) if self.is_json else plistlib.loads(data)

    def bundles(self):
        """Context → the name of its object, for all that contentc's config leads to."""
        config = self.decoded((self.out / "preview" / f"config.{'json' if self.is_json else 'plist'}").read_bytes())
        return {
            (locale, device, bundle): self.hexadecimal(row["object"])
            for locale, by_device in config["indexes"].items()
            for device, index in by_device.items()
            for bundle, row in self.read(self.hexadecimal(index))["bundles"].items()
        }

    def hexadecimal(self, digest):
        return digest if self.is_json else digest.hex()


def peer_bundles(peer):
    found = json.loads((peer / "map.json").read_text())
    return {
        (locale, device, bundle): name
        for locale, by_device in found.items()
        for device, by_bundle in by_device.items()
        for bundle, name in by_bundle.items()
    }


def differences_from_peer(out, peer):
    """A sentence for each context that differs."""
    ours, theirs = Objects(out), Objects(peer)
    our_names, peer_names = ours.bundles(), peer_bundles(peer)
    for context in sorted(our_names.keys() ^ peer_names.keys()):
        yield f"{context}: only {'contentc' if context in our_names else 'the peer'} has it"
    # Contexts share some of their objects: each pair is compared once.
    verdicts = {}
    for context in sorted(our_names.keys() & peer_names.keys()):
        pair = our_names[context], peer_names[context]
        if pair not in verdicts:
            verdicts[pair] = same(ours.read(pair[0]), theirs.read(pair[1]))
        if not verdicts[pair]:
            yield f"{context}: {pair[0][:12]} and {pair[1][:12]} differ"
    if not our_names:
        yield "contentc wrote no bundle"


def differences_from_hugo(out, site):
    """The same for a site of Hugo's, which writes every context on its own, under a lower-case path."""
    ours = Objects(out)
    names = ours.bundles()
    pages = {path.parent.relative_to(site).as_posix() for path in site.rglob("index.json")}
    wanted = {"/".join(context).lower(): name for context, name in names.items()}
    for page in sorted(pages ^ wanted.keys()):
        yield f"{page}: only {'contentc' if page in wanted else 'Hugo'} has it"
    for page in sorted(pages & wanted.keys()):
        if not same(ours.read(wanted[page]), with_reals(json.loads((site / page / "index.json").read_bytes()))):
            yield f"{page}: {wanted[page][:12]} and Hugo's page differ"
    if not names:
        yield "contentc wrote no bundle"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path, help="the peer's output, or Hugo's")
    options = parser.parse_args()
    is_peer = (options.other / "map.json").exists()
    differences = differences_from_peer if is_peer else differences_from_hugo
    found = list(differences(options.ours, options.other))
    for sentence in found[:20]:
        print(sentence, file=sys.stderr)
    print("equal" if not found else f"{len(found)} contexts differ")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
