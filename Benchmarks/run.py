#!/usr/bin/env python3
"""Compares contentc with its yardsticks, and prints a table: one row per figure, with its must and its goal.

Groups named after the program are run alone: `cold-S`, or `cold` for all whose name begins so. Shops are kept between
runs in --folder. Ends with status 1 where another program's output holds different content.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from bench import HERE, ROOT, Bench
from figures import at_least, at_most, table
from groups import GROUPS

# Programs for measurements that Python cannot make. Each line of JSON in their output is a figure:
# {"row": name, "value": ratio, "must": …, "goal": …, "better": "higher" or "lower", "note": may be missing}.
PROGRAMS = {"property-lists": HERE / "property-lists" / "run.py"}


def figures_of(program):
    if not program.exists():
        return
    printed = subprocess.run([sys.executable, program], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in printed.splitlines():
        if line.startswith("{"):
            found = json.loads(line)
            limit = at_least if found["better"] == "higher" else at_most
            yield limit(found["must"], found["goal"], found["row"], found["value"], found.get("note", ""))


def chosen(names):
    every = [*GROUPS, *PROGRAMS]
    for name in names:
        if not any(group.startswith(name) for group in every):
            raise SystemExit(f"no group is called '{name}': {', '.join(every)}")
    return [group for group in every if not names or any(group.startswith(name) for name in names)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contentc", type=pathlib.Path, help="the program, built for release")
    parser.add_argument("groups", nargs="*", help="all, if none is named")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build" / "benchmarks")
    options = parser.parse_args()
    # Every program inherits this: the peer has two processes and the floor two threads, whatever the machine has.
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    bench = Bench(options.contentc.resolve(), options.folder.resolve())
    figures = []
    try:
        for name in chosen(options.groups):
            print(f"{name} …", file=sys.stderr)
            figures += GROUPS[name](bench) if name in GROUPS else figures_of(PROGRAMS[name])
    finally:
        # A group that fails must not cost the figures of those before it.
        print(table(figures))


if __name__ == "__main__":
    main()
