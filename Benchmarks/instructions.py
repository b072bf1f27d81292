#!/usr/bin/env python3
"""Counts the instructions of three builds of a small shop, and holds them against the committed numbers.

Times are noise on a shared machine; instructions under valgrind are the same within a few in a thousand. More than
--tolerance above the committed number fails. So far below it that a later slip would go unseen asks for new numbers:
--record writes them.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from bench import HERE, Shop
from groups import Edit

COMMITTED = HERE / "instructions.json"
SHOP = ["--products", "60", "--locales", "6"]
# Nothing of the caller's: variables lie on the stack, and a few programs look at many.
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C", "SWIFT_DETERMINISTIC_HASHING": "1"}


def counted(contentc, shop, profile):
    """The instructions of one build."""
    # One thread, because waiting costs instructions and depends on chance.
    jobs = ["--jobs", "1"] if "--jobs" in help_of(contentc) else []
    tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"]
    build = [contentc, "build", "--quiet", "--content", shop.content, "--out", shop.out, *jobs]
    found = subprocess.run(["taskset", "-c", "0", *tool, *build], env=ENVIRONMENT, capture_output=True, text=True)
    count = re.search(r"Collected : (\d+)", found.stderr)
    if found.returncode != 0 or not count:
        raise SystemExit(f"valgrind ended with status {found.returncode}\n{found.stderr}")
    return int(count[1])


def help_of(contentc):
    return subprocess.run([contentc, "build", "--help"], capture_output=True, text=True, check=True).stdout


def measured(contentc, folder, profiles):
    """Counts of a first build, of one without changes, and of one with a changed translation."""
    shop = Shop(folder)
    subprocess.run([sys.executable, HERE / "generate-shop.py", *SHOP, shop.content], check=True)
    # The next build reads files again that are younger than two seconds; that must not depend on chance.
    time.sleep(3)
    edit = Edit(shop, 0)
    found = {}
    for name, before in (("cold", lambda: None), ("no-op", lambda: None), ("edit", edit)):
        before()
        found[name] = counted(contentc, shop, profiles / f"callgrind.{name}.out")
    return found


def verdicts(committed, found, tolerance):
    """Returns each build's line, and true if one fails."""
    for name, count in found.items():
        before = committed.get(name)
        change = count / before - 1 if before else None
        line = f"{name:6} {count / 1e6:10,.1f} million instructions"
        if change is None:
            yield f"{line}, and no committed number: record", True
        elif change > tolerance:
            yield f"{line}, {change:+.1%}: MORE than {before / 1e6:,.1f} million allow", True
        else:
            hint = ": fewer; record them, so that a slip is seen" if change < -tolerance else ""
            yield f"{line}, {change:+.1%}{hint}", False


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contentc", type=pathlib.Path, help="the program, built by `make build-tests`")
    parser.add_argument("--record", action="store_true", help="write the numbers instead")
    parser.add_argument("--tolerance", type=float, default=0.1, help="the part of a number that it may grow by")
    parser.add_argument("--profiles", type=pathlib.Path, help="a folder to keep callgrind's files in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="contentc-instructions-") as folder:
        folder = pathlib.Path(folder)
        profiles = options.profiles or folder
        profiles.mkdir(parents=True, exist_ok=True)
        # Debian 12's valgrind gives up on the toolchain's debug information; names of functions stay.
        contentc = folder / "contentc"
        subprocess.run(["strip", "--strip-debug", "-o", contentc, options.contentc], check=True)
        found = measured(contentc, folder / "shop", profiles)
    if options.record:
        COMMITTED.write_text(json.dumps(found, indent=2) + "\n")
        print(f"recorded in {COMMITTED.name}: {found}")
        return
    lines = list(verdicts(json.loads(COMMITTED.read_text()), found, options.tolerance))
    for line, _ in lines:
        print(line)
    sys.exit(1 if any(fails for _, fails in lines) else 0)


if __name__ == "__main__":
    main()
