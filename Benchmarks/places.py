"""A bundle of 50,000 places that is split into tiles, against the same entries in one bundle.

The tiles are thousands of files more. On ext4, new files take several times longer in the minutes after others were
deleted (`rounds.put_away`), such as those of an earlier run. So all files are in memory.
"""

import functools
import pathlib
import random
import time

from bench import Shop, folder_in_memory
from compare import Objects
from figures import at_most
from rounds import in_turn, put_away

PLACES, MOST = 50_000, 200
# Latitude and longitude of towns, which have places as they have people: few have many.
TOWNS = 400
SPLIT = f"{{include: store/*, split: place, max: {MOST}, minimumTile: 100m}}"


def make(shop, bundle):
    """Writes the content, of which half is around towns and half in the countryside."""
    put_away(shop.folder)
    (shop.content / "datatypes").mkdir(parents=True)
    (shop.content / "entries").mkdir()
    (shop.content / "content.yaml").write_text(
        f"app: stores\nsourceLocale: en\nlocales: [en, fr]\ndevices: {{phone: {{}}}}\nbundles:\n  stores: {bundle}\n")
    (shop.content / "datatypes" / "store.yaml").write_text(
        "fields:\n  name: {type: string, localized: true}\n  location: {type: place, required: true}\n")
    source = random.Random(18)
    towns = [(source.uniform(-60, 70), source.uniform(-180, 180)) for _ in range(TOWNS)]
    lines = []
    for number in range(PLACES):
        latitude, longitude = towns[min(int(source.expovariate(1 / 60)), TOWNS - 1)]
        width = 0.05 if number % 2 else 2
        place = f"{{latitude: {source.gauss(latitude, width):.5f}, longitude: {wrapped(source.gauss(longitude, width)):.5f}}}"
        lines.append(f"s{number:05}: {{name: Store {number}, location: {place}}}\n")
    (shop.content / "entries" / "store.yaml").write_text("".join(lines))
    french = "".join(f"s{number:05}: {{name: Magasin {number}}}\n" for number in range(0, PLACES, 2))
    (shop.content / "entries" / "store.fr.yaml").write_text(french)


def wrapped(longitude):
    return (longitude + 180) % 360 - 180


def move(shop):
    """Moves one place to another town's tile."""
    path = shop.content / "entries" / "store.yaml"
    text = path.read_text()
    start = text.index("location: ") + len("location: ")
    path.write_text(text[:start] + "{latitude: 1.5, longitude: 1.5}" + text[text.index("}", start) + 1 :])


def directory(shop, locale="en"):
    """The size of the directory of tiles, and its rows."""
    objects = Objects(shop.out)
    config = objects.decoded((shop.out / "preview" / "config.plist").read_bytes())
    row = objects.read(config["indexes"][locale]["phone"].hex())["bundles"]["stores"]
    name = row["tiles"].hex()
    return objects.path(name).stat().st_size, objects.read(name)["tiles"]


def places(bench, rounds=5):
    with folder_in_memory() as folder:
        tiled, whole = (Shop(pathlib.Path(folder) / name) for name in ("tiles", "whole"))
        yield from rows(bench, tiled, whole, rounds)


def rows(bench, tiled, whole, rounds):
    make(tiled, SPLIT)
    make(whole, "{include: store/*}")
    found = in_turn([bench.build(tiled, "tiles"), bench.build(whole, "whole")], rounds)
    note = f"{found.seconds('tiles'):.2f} s against {found.seconds('whole'):.2f} s for one bundle"
    yield at_most(1.5, 1, f"{PLACES:,} places in tiles, cold", found.ratio("tiles", "whole"), note, found.count)
    size, before = directory(tiled)
    figure = functools.partial(at_most, rounds=1, unit="")
    yield figure(MOST, None, "entries of the fullest tile", max(row["count"] for row in before.values()), f"{len(before)} tiles")
    yield figure(150, None, "bytes of the directory for each tile", size / len(before), f"{size / 1000:.0f} kB")
    # A build trusts no stamp of the last two seconds.
    time.sleep(3)
    move(tiled)
    in_turn([bench.build(tiled, "moved", cold=False)], 1)
    _, after = directory(tiled)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    yield figure(2, None, "tiles that change if a place moves", len(changed), "in each locale")
