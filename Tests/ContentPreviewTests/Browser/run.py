#!/usr/bin/env python3
"""Clicks through the preview in a real browser.

run.py BASE_URL CONTENT [--only GROUP,…] [--pictures FOLDER]

BASE_URL is where `contentc preview` answers, CONTENT the folder that it watches: a copy of the sample shop's, since files in
it are edited and put back. Prints a line per check; exit status 1 if one failed.
"""

import argparse
import importlib
import shutil
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from viewer import Viewer

GROUPS = ["reader", "switches", "frame", "sources", "panels", "keyboard", "live", "hostile", "accessibility"]


def browser_path():
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if not found:
        sys.exit("no chromium: Scripts/install-browser.sh installs it")
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    parser.add_argument("content")
    parser.add_argument("--only", default="")
    parser.add_argument("--pictures")
    given = parser.parse_args()
    wanted = [name for name in given.only.split(",") if name] or GROUPS
    with sync_playwright() as playwright:
        # A container's root has no user namespaces to put the sandbox in.
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        viewer = Viewer(browser, given.base, given.content)
        if given.pictures:
            importlib.import_module("pictures").take(viewer, given.pictures)
        checks = [] if given.only == "none" else [check for name in wanted for check in importlib.import_module(f"check_{name}").CHECKS]
        failed = [check.__name__ for check in checks if not run(check, viewer)]
        browser.close()
    print(f"{len(checks) - len(failed)} of {len(checks)} checks passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
