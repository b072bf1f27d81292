"""From a save to the screen: the preview in a real browser."""

import json
import subprocess

from bench import HERE, ROOT
from figures import at_most
from purging import percentile

PRODUCTS, SAVES = 5_000, 50


def preview(bench, count=SAVES):
    """Rows for the middle of fifty saves, and for the slowest but two."""
    shop = bench.shop("preview", "--products", str(PRODUCTS), "--locales", "4")
    python = ROOT / ".build" / "tools" / "browser" / "bin" / "python"
    if not python.exists():
        raise SystemExit("no browser: 'make setup-servers' installs it")
    line = [bench.contentc, "preview", "--port", "0", "--quiet", "--content", shop.content, "--out", shop.out]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        entry = "aisle-003/p01500"
        file = shop.content / "entries" / f"{entry}.yaml"
        printed = subprocess.run(
            [python, HERE / "save-to-screen.py", address, file, entry, str(count)], stdout=subprocess.PIPE, check=True)
        found = json.loads(printed.stdout)
    finally:
        process.terminate()
        process.wait(20)
    for name, part, must in (("p50", 0.5, None), ("p95", 0.95, 100)):
        note = f"{PRODUCTS:,} entries, 16 contexts; from the file's close to the painted frame, in Chromium"
        yield at_most(must, None, f"from a save to the screen, {name}", percentile(found, part) * 1e3, note, count, unit="ms")
