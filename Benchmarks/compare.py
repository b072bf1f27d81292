#!/usr/bin/env python3
"""Whether contentc's output and the peer's hold equal bundles for every locale and device.

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
    """Equality that tells 1 from 1.0 and from true, as property lists do."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


class Objects:
    """One side's `objects` folder."""

    def __init__(self, out):
        self.out = out

    def read(self, name):
        path = self.out / "objects" / name[:2] / f"{name}.plist"
        data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != name:
            raise SystemExit(f"{path}: its bytes are not those of its name")
        compressed = path.with_name(path.name + ".gz")
        if compressed.exists() and gzip.decompress(compressed.read_bytes()) != data:
            raise SystemExit(f"{compressed}: decompresses to other bytes")
        return plistlib.loads(data)


def our_map(out, objects):
    config = plistlib.loads((out / "preview" / "config.plist").read_bytes())
    return {
        locale: {
            device: {name: row["object"].hex() for name, row in objects.read(index.hex())["bundles"].items()}
            for device, index in by_device.items()
        }
        for locale, by_device in config["indexes"].items()
    }


def contexts(found):
    return {
        (locale, device, bundle): name
        for locale, by_device in found.items()
        for device, by_bundle in by_device.items()
        for bundle, name in by_bundle.items()
    }


def differences(ours, peer):
    """A sentence for each context that differs."""
    our_objects, peer_objects = Objects(ours), Objects(peer)
    our_names = contexts(our_map(ours, our_objects))
    peer_names = contexts(json.loads((peer / "map.json").read_text()))
    for context in sorted(our_names.keys() ^ peer_names.keys()):
        yield f"{context}: only {'contentc' if context in our_names else 'the peer'} has it"
    # Contexts share most of their objects: each pair is compared once.
    verdicts = {}
    for context in sorted(our_names.keys() & peer_names.keys()):
        pair = our_names[context], peer_names[context]
        if pair not in verdicts:
            verdicts[pair] = same(our_objects.read(pair[0]), peer_objects.read(pair[1]))
        if not verdicts[pair]:
            yield f"{context}: {pair[0][:12]} and {pair[1][:12]} differ"
    if not our_names:
        yield "contentc wrote no bundle"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=pathlib.Path)
    parser.add_argument("peer", type=pathlib.Path)
    options = parser.parse_args()
    found = list(differences(options.ours, options.peer))
    for sentence in found[:20]:
        print(sentence, file=sys.stderr)
    print("equal" if not found else f"{len(found)} contexts differ")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
