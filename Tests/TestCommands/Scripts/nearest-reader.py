#!/usr/bin/env python3
"""Finds the nearest stores of a build by the reader of docs/reference/output.md, and compares them with those of a search of all.

  nearest-reader.py OUTPUT.MD OUT    prints the number of queries, and the most tiles that one of them loaded
"""

import pathlib
import plistlib
import random
import re
import sys

QUERIES = 300


def main():
    page, out = map(pathlib.Path, sys.argv[1:])
    # The functions of the page.
    page_code = re.search(r"(?ms)^```python$(.*?def nearest.*?)^```$", page.read_text())
    reader = {}
    exec(page_code.group(1), reader)

    def read(hash):
        return plistlib.loads((out / "objects" / hash.hex()[:2] / f"{hash.hex()}.plist").read_bytes())

    config = plistlib.loads((out / "preview" / "config.plist").read_bytes())
    directory = read(read(config["indexes"]["fr"]["phone"])["bundles"]["stores"]["tiles"])
    tiles, field = directory["tiles"], directory["place"]
    loaded = []

    def load(row):
        loaded.append(row)
        entries = read(row["object"])["entries"]
        places = {id: entry["content"][field] for id, entry in entries.items()}
        return {id: (place["latitude"], place["longitude"]) for id, place in places.items()}

    every = {id: place for row in tiles.values() for id, place in load(row).items()}
    source, most = random.Random(18), 0
    for turn in range(QUERIES):
        here = source.uniform(-90, 90), source.uniform(-180, 180)
        if turn % 2:
            # Near a store, as most readers are.
            here = tuple(number + source.gauss(0, 0.1) for number in source.choice(list(every.values())))
        loaded.clear()
        found = reader["nearest"](*here, tiles, load, 10)
        wanted = sorted((reader["distance"](*here, *place), id) for id, place in every.items())[:10]
        if found != wanted:
            sys.exit(f"{here}: {found} instead of {wanted}")
        most = max(most, len(loaded))
    print(QUERIES, len(every), most, len(tiles))


main()
