#!/usr/bin/env python3
"""Holds reading and writing property lists against libplist, orjson and openstep-plist, each measured in its own process.

Ours and the peer take turns; a row's figure is the median of the rounds' ratios. Prints a JSON line per row, then a table.
BENCH_ROUNDS is the count of rounds (31).
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "Scripts"
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "31"))
# Long enough to be measured, short enough that a round sees one state of the machine.
SLICE = 0.006

# Row, ours, peer, what must be seen, the goal.
ROWS = [
    ("write a 300 kB bundle, against libplist", "ours:write:bundle.bin", "libplist:write:bundle.bin", 3, 7),
    ("read a 300 kB bundle, against libplist", "ours:read:bundle.bin", "libplist:read:bundle.bin", 1.5, 4),
    ("open it and read one field, against reading all with libplist", "ours:field:bundle.bin", "libplist:read:bundle.bin", 50, 500),
    ("the same in a bundle of 2 MB", "ours:field:large.bin", "libplist:read:large.bin", 50, 500),
    ("the same, file included, mapped", "ours:mapped-field:large.bin", "libplist:read-file:large.bin", 50, 500),
    ("decode it into Codable types, against reading with libplist", "ours:decode:bundle.bin", "libplist:read:bundle.bin", None, None),
    ("read 500 flowers as binary, against libplist", "ours:read:flowers.bin", "libplist:read:flowers.bin", 1, 2),
    ("read 500 flowers as XML, against libplist", "ours:read:flowers.xml", "libplist:read:flowers.xml", 1, 2),
    ("read 500 flowers as OpenStep, against openstep-plist", "ours:read:flowers.openstep", "openstep-plist:read:flowers.openstep", 1, 2),
    ("read 500 flowers as JSON, against orjson", "ours:read:flowers.json", "orjson:read:flowers.json", 1, 2),
    ("read 500 flowers as JSON, keys unsorted, against orjson", "ours:read:served.json", "orjson:read:served.json", 1, 2),
]


class Server:
    """A process that times tasks on demand."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, task, iterations):
        print(task, iterations, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"no answer to {task}")
        return float(answer)


def venv():
    """The interpreter of an environment that has the peers."""
    python = HERE / ".build-venv" / "bin" / "python"
    if not python.exists():
        install = SCRIPTS / "install-python-packages.sh"
        subprocess.run([install, python.parent.parent, "orjson", "openstep-plist"], check=True)
    return python


def build():
    subprocess.run([SCRIPTS / "install-packages.sh", "libplist-dev"], check=True)
    swift = ["swift", "build", "--package-path", HERE, "-c", "release"]
    subprocess.run(swift, check=True, stdout=sys.stderr)
    path = subprocess.run([*swift, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return pathlib.Path(path) / "PropertyListBenchmark"


def prepare(binary, folder):
    subprocess.run([sys.executable, HERE / "flowers.py", folder], check=True)
    for source, target in [("served", "flowers"), ("bundle", "bundle"), ("large", "large")]:
        subprocess.run([binary, "prepare", folder / f"{source}.json", folder / target], check=True)


def measure(servers, ours, peer):
    """Our seconds and the peer's, and the median of the ratios of the rounds."""
    def server(task):
        return servers["python" if task.startswith(("orjson", "openstep-plist")) else "swift"]
    counts = {task: max(1, round(SLICE / server(task).seconds(task, 3))) for task in (ours, peer)}
    rounds = []
    for _ in range(ROUNDS):
        rounds.append([server(task).seconds(task, counts[task]) for task in (ours, peer)])
    ratio = statistics.median(theirs / mine for mine, theirs in rounds)
    return [statistics.median(column) for column in zip(*rounds)], ratio


def main():
    binary, python = build(), venv()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        prepare(binary, pathlib.Path(folder))
        servers = {"swift": Server(binary, "serve", folder), "python": Server(python, HERE / "peer.py", folder)}
        for name, ours, peer, must, goal in ROWS:
            if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
                continue
            (mine, theirs), ratio = measure(servers, ours, peer)
            row = {"row": name, "value": round(ratio, 2), "must": must, "goal": goal, "better": "higher"}
            print(json.dumps(row), flush=True)
            table.append((name, mine, theirs, ratio, must, goal))
    print(f"\n{'':66}{'ours µs':>10}{'peer µs':>10}{'ratio':>9}{'must':>6}{'goal':>6}")
    for name, mine, theirs, ratio, must, goal in table:
        wanted = f"{must if must else '':>6}{goal if goal else '':>6}"
        print(f"{name:66}{mine * 1e6:10.1f}{theirs * 1e6:10.1f}{ratio:9.2f}{wanted}")


if __name__ == "__main__":
    main()
