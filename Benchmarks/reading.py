"""What a person waits for in an app: opening stored content, reading, and a new release.

A program in Swift measures it with the client that apps use, beside Foundation's property lists.
"""

import json
import pathlib
import random
import shutil
import statistics
import subprocess
import sys

from bench import HERE, folder_in_memory
from figures import at_least, at_most

PRODUCTS, PARTS, RELEASES = 1_000, 500, 21
# Files of a part of the archive: 500 of them have 50 MB.
PART_BYTES = 100_000


class ReadShop:
    """A catalog of 300 kB, an archive of 50 MB in parts, and releases that each change one title."""

    def __init__(self, bench, transfer="binary"):
        self.bench, self.folder = bench, bench.folder / "client"
        self.content, self.site = self.folder / "content", self.folder / "site"
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.content / "datatypes").mkdir(parents=True)
        (self.content / "entries").mkdir()
        (self.site / "configs").mkdir(parents=True)
        (self.content / "content.yaml").write_text(
            f"app: bench\nsourceLocale: en\nlocales: [en]\ntransfer: {transfer}\n"
            "bundles:\n  catalog: {include: product/*}\n  archive: {include: page/*, split: entry}\n"
            f"channels:\n  production: {{target: {self.site}}}\n")
        (self.content / "datatypes" / "product.yaml").write_text(
            "fields:\n  title: {type: string}\n  text: {type: text}\n  price: {type: number}\n"
            "  stock: {type: integer}\n  tags: {type: list, of: {type: string}}\n")
        (self.content / "datatypes" / "page.yaml").write_text("fields:\n  text: {type: text}\n")
        self.random = random.Random(1)
        self.products = {f"p{n:04}": self.product(n, self.random.randrange(1000)) for n in range(PRODUCTS)}
        pages = [f"page{n:03}: {{text: '{n} {'word ' * (PART_BYTES // 5)}'}}\n" for n in range(PARTS)]
        (self.content / "entries" / "page.yaml").write_text("".join(pages))

    def product(self, number, stock):
        text = " ".join(self.random.choice(("rose", "lily", "iris", "tulip")) for _ in range(26))
        return (f"{{title: 'Product {self.random.randrange(10**6):06} {number}', text: '{text}', "
                f"price: {number / 4 + 0.5}, stock: {stock}, tags: [red, 'tag {number % 7}']}}")

    def publish(self, release):
        """Publishes, and keeps the release's config."""
        # No filter lets it through: all releases have the same results.
        self.products["p0007"] = self.product(release, 0)
        text = "".join(f"{name}: {product}\n" for name, product in self.products.items())
        (self.content / "entries" / "product.yaml").write_text(text)
        line = [self.bench.contentc, "publish", "production", "--quiet", "--content", self.content]
        subprocess.run([*line, "--out", self.folder / "out"], check=True, stdout=subprocess.DEVNULL)
        shutil.copy(self.site / "production" / "config.plist", self.site / "configs" / f"{release}.plist")


def program():
    swift = ["swift", "build", "--package-path", HERE / "client", "-c", "release"]
    subprocess.run(swift, check=True, stdout=sys.stderr)
    path = subprocess.run([*swift, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return pathlib.Path(path) / "ClientBenchmark"


def read(bench, rounds=31):
    """Rows for opening, reading, and the switch to a new release."""
    shop = ReadShop(bench)
    for release in range(1, RELEASES + 1):
        shop.publish(release)
    # No row waits for a disk's sync.
    with folder_in_memory() as store:
        printed = subprocess.run([program(), shop.site, store, str(rounds)], stdout=subprocess.PIPE, check=True)
        stored = sum(path.stat().st_size for path in pathlib.Path(store).rglob("*") if path.is_file())
    yield from figures(json.loads(printed.stdout), stored)


def figures(seconds, stored):
    """The rows of the times of each task, and the number of stored bytes."""
    def middle(task):
        return statistics.median(seconds[task])

    def ratio(over, under):
        return statistics.median(a / b for a, b in zip(seconds[over], seconds[under]))

    def limit(must, goal, name, task, note, scale=1e3, unit="ms"):
        return at_most(must, goal, name, middle(task) * scale, note, len(seconds[task]), unit)

    if stored < 50e6:
        raise SystemExit(f"the client stores {stored} bytes only")
    yield limit(5, 1, "client: open what is stored", "open", f"{stored / 1e6:.0f} MB stored")
    yield limit(None, None, "client: open, and read one field", "open and read", "of a 300 kB bundle, its hash checked")
    yield limit(None, None, "client: open, and find an entry", "open and find", "without its bundle's name, in 501 bundles")
    yield limit(None, None, "client: find an entry", "find", "the same again", 1e6, "µs")
    yield limit(10, 2, "client: one field", "field", "of an entry at hand", 1e6, "µs")
    note = f"{middle('entry') * 1e6:.1f} µs with the entry's look-up against {middle('field by Foundation') * 1e3:.2f} ms"
    yield at_least(50, 500, "client: one field, faster than PropertyListSerialization", ratio(
        "field by Foundation", "entry"), note, len(seconds["entry"]))
    yield limit(5, 2, "client: filter, sort and limit 1,000 entries", "read", "20 of about 500 decoded")
    note = f"{middle('read') * 1e3:.2f} ms against {middle('read by Foundation') * 1e3:.2f} ms, equal results"
    yield at_least(2, 5, "client: the same, faster than PropertyListDecoder", ratio(
        "read by Foundation", "read"), note, len(seconds["read"]))
    yield limit(10, 5, "client: a release with a 300 kB bundle", "switch", "from the request of config to the snapshot, in memory files")
