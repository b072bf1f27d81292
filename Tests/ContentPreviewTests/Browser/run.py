#!/usr/bin/env python3
"""Clicks through the preview in a real browser.

run.py --contentc PROGRAM --sample FOLDER [--only GROUP,…] [--pictures FOLDER]
run.py --base URL --content FOLDER …

The first form starts `PROGRAM preview` on a copy of the sample shop, on one of the museum for its group, and on a
project of many places for the groups of maps and Markdown, and one that saves translations for its group.
The second form uses a running preview: URL is its address, FOLDER its content folder. Files in it are edited and
restored; checks that publish are skipped. Prints a line per check; the exit status is 1 if one failed.
"""

import argparse
import importlib
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from playwright.sync_api import sync_playwright

import places
from server import preview
from viewer import Viewer

GROUPS = ["reader", "switches", "frame", "sources", "panels", "channels", "keyboard", "design", "layout", "live", "hostile", "export", "accessibility",
          "pictures"]
# A project of another kind than the sample, and its checks.
MUSEUM = Path(__file__).resolve().parents[1] / "Museum/content"
MUSEUM_GROUPS = ["museum"]
# A project with thousands of places, made by the tests, and its checks.
PLACES_GROUPS = ["map", "markdown"]
# Checks of a preview that saves translations of the sample.
EDITING_GROUPS = ["translations"]


def browser_path():
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("no Chromium: Scripts/install-browser.sh installs it")
    return found


def run(check, viewer):
    began = time.monotonic()
    try:
        check(viewer)
    except Exception as error:
        print(f"FAILED {check.__name__}: {str(error).splitlines()[0] if str(error) else type(error).__name__}", flush=True)
        traceback.print_exc(limit=-3)
        return False
    print(f"ok     {check.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
    return True


def look(base, content, given, wanted):
    with sync_playwright() as playwright:
        # Root in a container has no user namespaces for the sandbox.
        # The browser treats 10.0.2.2 as a network address: no secure context, and no Sec-Fetch-Site.
        args = ["--no-sandbox", "--host-resolver-rules=MAP 10.0.2.2 127.0.0.1, MAP rebound.example 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=args)
        viewer = Viewer(browser, base, content, given.contentc)
        if given.pictures:
            importlib.import_module("pictures").take(viewer, given.pictures)
        modules = [importlib.import_module(f"check_{name}") for name in wanted if name != "none"]
        checks = [check for module in modules for check in module.CHECKS + (getattr(module, "PUBLISHING", []) if given.contentc else [])]
        failed = [check.__name__ for check in checks if not run(check, viewer)]
        browser.close()
    print(f"{len(checks) - len(failed)} of {len(checks)} checks passed")
    return failed


def samples(shop, wanted, made):
    """Yields each project that the wanted groups need, with those groups and flags; `made` is a folder for the project of places."""
    others = MUSEUM_GROUPS + PLACES_GROUPS + EDITING_GROUPS
    for sample, groups, flags in [(shop, [name for name in wanted if name not in others], []), (MUSEUM, [name for name in wanted if name in MUSEUM_GROUPS], []),
                                  (made, [name for name in wanted if name in PLACES_GROUPS], []), (shop, [name for name in wanted if name in EDITING_GROUPS], ["--edit", "--out", "other place"])]:
        if sample == made and groups:
            places.write(made)
        if groups:
            yield sample, groups, flags


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base")
    parser.add_argument("--content")
    parser.add_argument("--contentc")
    parser.add_argument("--sample")
    parser.add_argument("--only", default="", help="groups, with commas; none: only pictures")
    parser.add_argument("--pictures")
    given = parser.parse_args()
    wanted = [name for name in given.only.split(",") if name] or GROUPS + MUSEUM_GROUPS + PLACES_GROUPS + EDITING_GROUPS
    if not given.contentc:
        sys.exit(1 if look(given.base, given.content, given, wanted) else 0)
    failed = []
    with tempfile.TemporaryDirectory(prefix="contentc-places.") as made:
        for sample, groups, flags in samples(given.sample, wanted, Path(made)):
            with preview(given.contentc, sample, flags) as (base, content):
                failed += look(base, content, given, groups)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
