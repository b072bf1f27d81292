"""Purges after many others, and after many releases, at a folder: neither may make a purge slow.

The yardstick is the purge after one earlier purge. Before each measured purge, its project and target are as they were
before the last one. Histories are kept between runs, since hundreds of purges take minutes.
"""

import shutil
import subprocess

from figures import at_most
from rounds import Command, in_turn

LOCALES = ["en", "fr", "de", "es"]
PRODUCTS, EARLIER, RELEASES = 1_000, [1, 100, 500], 300
# Products that each release changes, so that all releases have 74,000 objects.
CHANGED = 57


class HistoryShop:
    """Products in a split bundle and a whole one, and notes in a bundle of their own, to be purged one by one.

    The project has its target in its own folder, so that a copy of the folder is another shop with the same history.
    """

    def __init__(self, bench, name):
        self.contentc, self.folder = bench.contentc, bench.folder / name
        self.content, self.site = self.folder / "content", self.folder / "site"
        self.kept = bench.folder / f"{name}.kept"

    def create(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.content / "datatypes").mkdir(parents=True)
        (self.content / "entries").mkdir()
        self.write_declarations()
        (self.content / "datatypes" / "product.yaml").write_text(
            "fields:\n  title: {type: string, localized: true}\n  text: {type: text, localized: true}\n")
        (self.content / "datatypes" / "note.yaml").write_text("fields:\n  title: {type: string}\n")
        notes = range(max(EARLIER) + 10)
        (self.content / "entries" / "note.yaml").write_text(
            "".join(f"n{note:04}: {{title: 'note {note}'}}\n" for note in notes))

    def write_declarations(self):
        (self.content / "content.yaml").write_text(
            f"app: shop\nsourceLocale: en\nlocales: [{', '.join(LOCALES)}]\n"
            "bundles:\n  product: {include: product/*, split: entry}\n  all: {include: product/*}\n"
            f"  notes: {{include: note/*}}\nchannels:\n  production: {{target: {self.site}}}\n")

    def publish(self, release):
        """Publishes a release that differs from the one before in some products, in each locale."""
        for locale in LOCALES:
            lines = [
                f"p{n}: {{title: '{locale} product {n}, {self.edition(n, release)}', text: '{'word ' * 20}{n}'}}\n"
                for n in range(PRODUCTS)]
            suffix = "" if locale == "en" else f".{locale}"
            (self.content / "entries" / f"product{suffix}.yaml").write_text("".join(lines))
        self.run("publish", "production", "--quiet", "--out", self.folder / "out")

    @staticmethod
    def edition(product, release):
        """The last release that changed a product."""
        turn = product // CHANGED
        turns = -(-PRODUCTS // CHANGED)
        return max((release - turn) // turns * turns + turn, 0)

    def line(self, entry, *options):
        return [self.contentc, "purge", "production", entry, *options, "--reason", "A benchmark", "--quiet", "--content",
                self.content]

    def run(self, command, *arguments):
        subprocess.run(
            [self.contentc, command, *arguments, "--content", self.content], check=True, stdout=subprocess.DEVNULL)

    def keep(self):
        """Keeps the files of now for all runs."""
        unfinished = self.kept.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(self.folder, unfinished)
        unfinished.rename(self.kept)

    def continue_after(self, other):
        """Begins with the history of another shop, at a target of its own."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(other.kept, self.folder)
        self.write_declarations()

    def purge(self, name, entry, *options):
        """A purge that begins with the kept files."""
        return Command(name, self.line(entry, *options), before=self.restore)

    def restore(self):
        """Restores the files that differ from the kept ones, which takes less time than a copy of all."""
        kept, found = modification_times(self.kept), modification_times(self.folder)
        for path in found.keys() - kept.keys():
            (self.folder / path).unlink()
        for path in (path for path, time in kept.items() if found.get(path) != time):
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.kept / path, self.folder / path)

    @property
    def objects(self):
        return sum(1 for path in (self.site / "objects").rglob("*.plist"))


def modification_times(folder):
    """The times of all files, in nanoseconds, which a copy of a file keeps."""
    return {path.relative_to(folder): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def history(bench, rounds=7):
    """Rows for the processor's time after more and more purges, and for the whole time after many releases."""
    yield from purged(bench, rounds)
    yield released(bench)


def often_purged(bench):
    """A shop after each number of purges."""
    shops = []
    for earlier, count in zip([0, *EARLIER], EARLIER):
        shop = HistoryShop(bench, f"purged-{count}")
        if not shop.kept.exists():
            if shops:
                shop.continue_after(shops[-1])
            else:
                shop.create()
                shop.publish(0)
            for note in range(earlier, count):
                subprocess.run(shop.line(f"note/n{note:04}"), check=True, stdout=subprocess.DEVNULL)
            shop.keep()
        shops.append(shop)
    return shops


def purged(bench, rounds):
    commands, kinds = [], {"a purge": [], "a purge of a field": ["--field", "title"]}
    for count, shop in zip(EARLIER, often_purged(bench)):
        for kind, options in kinds.items():
            commands.append(shop.purge(f"{kind} {count}", f"note/n{max(EARLIER) + 5:04}", *options))
    found = in_turn(commands, rounds, warm=1)
    for kind in kinds:
        for count in EARLIER[1:]:
            late, early = f"{kind} {count}", f"{kind} 1"
            times = f"{found.cpu_seconds(late) * 1e3:.0f} ms against {found.cpu_seconds(early) * 1e3:.0f} ms"
            yield at_most(
                1.2, None, f"processor time of {kind} after {count:,} others against after one",
                found.cpu_ratio(late, early), times, found.count)


def released(bench, rounds=3):
    shop = HistoryShop(bench, "released-often")
    if not shop.kept.exists():
        shop.create()
        for release in range(RELEASES):
            shop.publish(release)
        shop.keep()
    note = f"{RELEASES} releases, {shop.objects:,} objects"
    found = in_turn([shop.purge("purge", "product/p7")], rounds)
    return at_most(5, None, "a purge with a long history, done", found.seconds("purge"), note, found.count, unit="s")
