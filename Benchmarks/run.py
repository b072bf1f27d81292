#!/usr/bin/env python3
"""Runs contentc and the peer in turns over made-up shops of growing size, and prints one table.

Every run starts with an empty output folder. BENCH_LARGE=0 leaves the largest shop out.
"""

import argparse
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [(500, 5), (5_000, 3), (50_000, 1)]


def measured(command):
    """Seconds of wall time, and the peak of resident memory of the largest process in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} ended with status {process.returncode}")
    # Kilobytes on Linux, bytes on macOS (getrusage(2)).
    return seconds, usage.ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


def size(out):
    """Bytes of the objects, and of their `.gz` files."""
    files = [path for path in (out / "objects").rglob("*") if path.is_file()]
    compressed = sum(path.stat().st_size for path in files if path.suffix == ".gz")
    return sum(path.stat().st_size for path in files) - compressed, compressed


def compare(binary, folder, products, rounds):
    content, ours, peer = folder / "content", folder / "ours", folder / "peer"
    generator = [sys.executable, HERE / "generate-shop.py", "--products", str(products), content]
    subprocess.run(generator, check=True)
    commands = {
        "contentc": (ours, [binary, "build", "--quiet", "--content", content, "--out", ours]),
        "peer": (peer, [sys.executable, HERE / "peer.py", content, peer]),
    }
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (out, command) in commands.items():
            shutil.rmtree(out, ignore_errors=True)
            runs[name].append(measured(command))
    check = subprocess.run([sys.executable, HERE / "compare.py", ours, peer], stdout=subprocess.DEVNULL)
    return {
        "products": products,
        "rounds": rounds,
        "equal": check.returncode == 0,
        "seconds": {name: statistics.median(run[0] for run in found) for name, found in runs.items()},
        "memory": {name: max(run[1] for run in found) for name, found in runs.items()},
        "bytes": {"contentc": size(ours), "peer": size(peer)},
    }


def growth(before, now, name):
    """The exponent k of time ~ entries^k since the size before; 1 is linear."""
    if before is None:
        return "–"
    times = now["seconds"][name] / before["seconds"][name]
    return f"{math.log(times) / math.log(now['products'] / before['products']):.2f}"


def report(results):
    header = ["entries", "rounds", "who", "median s", "peer/ours", "peak MB", "objects MB", "gz MB", "growth", "equal"]
    rows = [header]
    for before, now in zip([None, *results], results):
        for name in ("contentc", "peer"):
            ratio = now["seconds"]["peer"] / now["seconds"]["contentc"]
            plain, compressed = now["bytes"][name]
            rows.append(
                [
                    f"{now['products']:,}",
                    str(now["rounds"]),
                    name,
                    f"{now['seconds'][name]:.2f}",
                    f"{ratio:.1f}" if name == "contentc" else "",
                    f"{now['memory'][name]:.0f}",
                    f"{plain / 1e6:.1f}",
                    f"{compressed / 1e6:.1f}",
                    growth(before, now, name),
                    "yes" if now["equal"] else "NO",
                ]
            )
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)))
    print("peak MB: the largest single process (the peer runs three); growth: k of time ~ entries^k, 1 is linear")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--sizes", help="entries, separated by commas, in place of the usual ones")
    options = parser.parse_args()
    sizes = SIZES if os.environ.get("BENCH_LARGE") != "0" else SIZES[:-1]
    if options.sizes:
        sizes = [(int(text), 1) for text in options.sizes.split(",")]
    results = []
    for products, rounds in sizes:
        with tempfile.TemporaryDirectory(prefix="contentc-bench-") as folder:
            print(f"{products:,} entries …", file=sys.stderr)
            results.append(compare(options.binary.resolve(), pathlib.Path(folder), products, rounds))
    report(results)
    sys.exit(0 if all(result["equal"] for result in results) else 1)


if __name__ == "__main__":
    main()
