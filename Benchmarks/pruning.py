#!/usr/bin/env python3
"""Prunes of targets with many releases: twice the releases must cost about twice the processor's time.

The releases are copies of a small published one, with objects that nobody reads: a prune looks at names, records and
times only. So that 300 of them take seconds to make, contentc publishes only the first.

Run as a program, this compares builds of contentc: `pruning.py OLD NEW`. They need not be built for release, but must be
built alike.
"""

import argparse
import datetime
import hashlib
import pathlib
import plistlib
import shutil
import subprocess
import tempfile

from figures import at_most
from rounds import Command, in_turn

RELEASES = 300
# As many as a shop of 1,000 products in four languages has, of which each release changes one in 17.
OBJECTS, CHANGED = 4_000, 17


class ReleasedOften:
    """A folder target whose channel has a number of releases of the last hours."""

    def __init__(self, contentc, folder, releases, objects=OBJECTS):
        self.releases, self.objects, self.folder = releases, objects, folder
        self.content, self.site = folder / "content", folder / "site"
        self.channel = self.site / "production"
        shutil.rmtree(folder, ignore_errors=True)
        self.publish(contentc)
        self.repeat()

    def publish(self, contentc):
        self.content.mkdir(parents=True)
        (self.content / "content.yaml").write_text(
            f"app: shop\nsourceLocale: en\nlocales: [en]\nbundles: {{all: {{include: '**'}}}}\n"
            f"channels: {{production: {{target: {self.site}}}}}\n")
        (self.content / "strings").mkdir()
        (self.content / "strings" / "app.en.yml").write_text("en: {hello: Hello}\n")
        subprocess.run(
            [contentc, "publish", "production", "--quiet", "--content", self.content, "--out", self.folder / "out"],
            check=True)

    def repeat(self):
        """Writes the further releases, whose config is that of the first one with another record."""
        config = plistlib.loads((self.channel / "config.plist").read_bytes())
        record = plistlib.loads(next((self.channel / "releases").glob("1-*.plist")).read_bytes())
        start = config["issued"]
        own = record["objects"]
        objects = {self.add(f"{number} of 1"): self.row() for number in range(self.objects)}
        changed = self.objects // CHANGED
        for release in range(2, self.releases + 1):
            for oldest in list(objects)[:changed]:
                del objects[oldest]
            objects |= {self.add(f"{number} of {release}"): self.row() for number in range(changed)}
            issued = start - datetime.timedelta(seconds=self.releases - release)
            record |= {"release": release, "of": release, "issued": issued, "previous": config["record"]}
            record["objects"] = own | objects
            written = plistlib.dumps(record, fmt=plistlib.FMT_BINARY)
            digest = hashlib.sha256(written).digest()
            (self.channel / "releases" / f"{release}-{digest.hex()[:16]}.plist").write_bytes(written)
            config |= {"release": release, "issued": issued, "record": digest}
        (self.channel / "config.plist").write_bytes(plistlib.dumps(config, fmt=plistlib.FMT_BINARY))

    @staticmethod
    def row():
        return {"extension": "plist", "size": 1}

    def add(self, name):
        """Writes an object of one byte, and returns its name."""
        digest = hashlib.sha256(name.encode()).hexdigest()
        path = self.site / "objects" / digest[:2] / f"{digest}.plist"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        return digest

    def prune(self, contentc, name):
        """A prune that changes nothing, since all releases are of the last day."""
        return Command(name, [contentc, "prune", "production", "--quiet", "--content", self.content])


def prune(bench, rounds=3):
    sites = [ReleasedOften(bench.contentc, bench.folder / f"prune-{count}", count) for count in (RELEASES, 2 * RELEASES)]
    found = in_turn([site.prune(bench.contentc, f"{site.releases} releases") for site in sites], rounds)
    once, twice = (f"{site.releases} releases" for site in sites)
    times = f"{found.cpu_seconds(twice):.2f} s against {found.cpu_seconds(once):.2f} s"
    yield at_most(
        2.5, 2, f"processor time of a prune of {2 * RELEASES} releases against {RELEASES}", found.cpu_ratio(twice, once), times,
        found.count)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path, metavar="CONTENTC", help="a build to measure")
    parser.add_argument("--releases", type=int, nargs="+", default=[RELEASES, 2 * RELEASES])
    parser.add_argument("--objects", type=int, default=OBJECTS, help="of each release")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="contentc-prune-") as folder:
        for releases in options.releases:
            site = ReleasedOften(options.programs[0].resolve(), pathlib.Path(folder) / str(releases), releases, options.objects)
            commands = [site.prune(program.resolve(), str(program)) for program in options.programs]
            found = in_turn(commands, options.rounds)
            for command in commands:
                print(
                    f"{releases} releases: {found.cpu_seconds(command.name):7.2f} s of the processor, "
                    f"{found.peak_bytes(command.name) / 1e6:6.0f} MB, {command.name}")


if __name__ == "__main__":
    main()
