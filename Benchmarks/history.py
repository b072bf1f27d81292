"""Purges after many others, and after many releases, at a folder: neither may make a purge slow.

Each measured purge begins at a copy of the same folder. The yardstick is the purge after one earlier purge.
"""

import shutil
import subprocess

from figures import at_most
from rounds import Command, in_turn

LOCALES = ["en", "fr", "de", "es"]
PRODUCTS, EARLIER, RELEASES = 1_000, [1, 100, 1_000], 300
# Products that each release changes, so that all releases have 74,000 objects.
CHANGED = 57


class HistoryShop:
    """Products in a split bundle and a whole one, and notes in a bundle of their own, to be purged one by one."""

    def __init__(self, bench, name):
        self.contentc, self.folder = bench.contentc, bench.folder / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.content, self.site = self.folder / "content", self.folder / "site"
        (self.content / "datatypes").mkdir(parents=True)
        (self.content / "entries").mkdir()
        (self.content / "content.yaml").write_text(
            f"app: shop\nsourceLocale: en\nlocales: [{', '.join(LOCALES)}]\n"
            "bundles:\n  product: {include: product/*, split: entry}\n  all: {include: product/*}\n"
            f"  notes: {{include: note/*}}\nchannels:\n  production: {{target: {self.site}}}\n")
        (self.content / "datatypes" / "product.yaml").write_text(
            "fields:\n  title: {type: string, localized: true}\n  text: {type: text, localized: true}\n")
        (self.content / "datatypes" / "note.yaml").write_text("fields:\n  title: {type: string}\n")
        notes = range(max(EARLIER) + 10)
        (self.content / "entries" / "note.yaml").write_text(
            "".join(f"n{note:04}: {{title: 'note {note}'}}\n" for note in notes))

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

    def keep(self, name):
        """A copy of the published folder."""
        kept = self.folder / name
        shutil.copytree(self.site, kept)
        return kept

    def purge(self, name, kept, entry, *options):
        """A purge that begins at a copy of a folder."""
        def restore():
            shutil.rmtree(self.site, ignore_errors=True)
            shutil.copytree(kept, self.site)

        return Command(name, self.line(entry, *options), before=restore)

    @property
    def objects(self):
        return sum(1 for path in (self.site / "objects").rglob("*.plist"))


def history(bench, rounds=7):
    """Rows for the processor's time after more and more purges, and for the whole time after many releases."""
    yield from purged(bench, rounds)
    yield released(bench)


def purged(bench, rounds):
    shop = HistoryShop(bench, "purged-often")
    shop.publish(0)
    commands, done, kinds = [], 0, {"a purge": [], "a purge of a field": ["--field", "title"]}
    for count in EARLIER:
        for note in range(done, count):
            subprocess.run(shop.line(f"note/n{note:04}"), check=True, stdout=subprocess.DEVNULL)
        done = count
        kept = shop.keep(f"after-{count}")
        for kind, options in kinds.items():
            commands.append(shop.purge(f"{kind} {count}", kept, f"note/n{max(EARLIER) + 5:04}", *options))
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
    for release in range(RELEASES):
        shop.publish(release)
    note = f"{RELEASES} releases, {shop.objects:,} objects"
    found = in_turn([shop.purge("purge", shop.keep("kept"), "product/p7")], rounds)
    return at_most(5, None, "a purge with a long history, done", found.seconds("purge"), note, found.count, unit="s")
