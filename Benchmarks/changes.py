"""What a first load takes: a bundle as its recipe, beside the same bundle whole and by other compressors."""

import json
import shutil
import statistics
import subprocess

from bench import folder_in_memory
from compare import Objects
from figures import at_most
from reading import RELEASES, ReadShop, program
from rounds import in_turn

LOCALES = {"de": "German", "en": "English", "ja": "Japanese"}


def compressed_bytes(line, path):
    """The bytes that a compressor prints for a file; nothing if the compressor is not installed."""
    if not shutil.which(line[0]):
        return None
    return len(subprocess.run([*line, path], stdout=subprocess.PIPE, check=True).stdout)


def first_load(shop):
    """Rows for the bytes of one bundle in some languages."""
    objects = Objects(shop.out)
    config = objects.decoded((shop.out / "preview" / "config.plist").read_bytes())
    for locale, language in LOCALES.items():
        row = objects.read(config["indexes"][locale]["any"].hex())["bundles"]["aisle-000"]
        bundle = objects.path(row["object"].hex())
        name = row["text"]["object"].hex()
        recipe = shop.out / "objects" / name[:2] / f"{name}.bundletext"
        sizes = {file: file.with_name(file.name + ".gz").stat().st_size for file in (bundle, recipe)}
        others = [
            f"{label} {size / sizes[bundle]:.2f}"
            for label, line, file in (
                ("the bundle by zstd -19", ["zstd", "-19", "-c", "-q"], bundle),
                ("the recipe by zstd -19", ["zstd", "-19", "-c", "-q"], recipe),
                ("the recipe by brotli -9", ["brotli", "-q", "9", "-c"], recipe),
            )
            if (size := compressed_bytes(line, file))
        ]
        note = f"{sizes[recipe]:,} of {sizes[bundle]:,} bytes of gzip; " + ", ".join(others)
        must = 0.62 if locale == "de" else None
        yield at_most(must, None, f"first load, {language}: recipe against bundle", sizes[recipe] / sizes[bundle], note)


def switches(bench, transfer, rounds):
    """The seconds in which a client shows each release of a shop."""
    shop = ReadShop(bench, transfer)
    for release in range(1, RELEASES + 1):
        shop.publish(release)
    with folder_in_memory() as store:
        printed = subprocess.run([program(), shop.site, store, str(rounds)], stdout=subprocess.PIPE, check=True)
    return json.loads(printed.stdout)["switch"]


def changes(bench, rounds=7):
    """Rows for the bytes of a first load, and for the time that recipes take at both ends."""
    shop = bench.shop("S-text", "--size", "S")
    settings = shop.content / "content.yaml"
    if "transfer:" not in settings.read_text():
        settings.write_text(settings.read_text() + "transfer: text\n")
    plain = bench.sized("S")
    found = in_turn([bench.build(plain, "binary"), bench.build(shop, "text")], rounds, warm=1)
    yield from first_load(shop)
    note = f"{found.seconds('text'):.2f} s against {found.seconds('binary'):.2f} s"
    yield at_most(None, None, "cold S with recipes against without", found.ratio("text", "binary"), note, found.count)
    times = {transfer: switches(bench, transfer, 1) for transfer in ("binary", "text")}
    middle = {transfer: statistics.median(seconds) * 1e3 for transfer, seconds in times.items()}
    note = f"a release with a 300 kB bundle, loaded and shown: {middle['text']:.1f} ms against {middle['binary']:.1f} ms"
    yield at_most(
        10, None, "client: making a bundle of 300 kB", middle["text"] - middle["binary"], note, len(times["text"]), "ms")
