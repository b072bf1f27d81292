#!/usr/bin/env python3
"""Checks that another package can depend on this one by tag, and that its library ContentClient stays small.

  Scripts/check-client-package.py CONTENTC    the program that builds the sample

1. Clones the last commit, and builds ContentClient there: only the modules of the library are compiled, which excludes
   NIO, libyaml and the compiler of content.
2. Tags the clone. The package of docs/guides/read-from-swift.md, which depends on the tag, builds.
3. Its program prints what the page says, from the sample on a server on loopback, and its test passes.
4. The example app builds as a package of its own, in the clone.
"""

import functools
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/client-package"
VERSION = "0.1.0"
MODULES = {
    "ContentClient", "ContentModel", "HTTPTransport", "PropertyLists", "RichText", "SiteFormat", "SystemC",
}
# The page that says how another package depends on this one, and the files of that package.
PAGE = ROOT / "docs/guides/read-from-swift.md"
FILES = ["Package.swift", "Sources/reader/main.swift", "Sources/follow/main.swift", "Tests/ShopTests/CorrectionTests.swift"]
ADDRESS = "https://git.example.com/contentc"


def run(*command, **settings):
    return subprocess.run([str(word) for word in command], check=True, text=True, **settings)


def build(folder, *arguments):
    """Builds a package and returns the names of the compiled modules."""
    # Without a terminal, each step has its line.
    command = ["swift", "build", "--package-path", str(folder), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{' '.join(command)} has failed")
    # SwiftPM also compiles the plugins of packages that it loads, which no app contains.
    return set(re.findall(r"\] (?:Compiling|Emitting module) (?!plugin )(\w+)", done.stdout))


def check_modules(built, expected, where):
    if built != expected:
        sys.exit(f"{where} compiles {', '.join(sorted(built))} instead of {', '.join(sorted(expected))}")
    print(f"{where} compiles {', '.join(sorted(built))}")


def shown_file(name):
    """The file that the page shows under a name."""
    found = re.search(rf'^```swift title="{re.escape(name)}"\n(.*?\n)```$', PAGE.read_text(), re.M | re.S)
    return found[1] if found else sys.exit(f"{PAGE.name} shows no {name}")


def shown_output(command):
    """The output that the page shows for a command."""
    found = re.search(rf"^\$ {re.escape(command)}\n(.*?\n)```$", PAGE.read_text(), re.M | re.S)
    return found[1] if found else sys.exit(f"{PAGE.name} shows no '{command}'")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main(contentc):
    shutil.rmtree(WORK, ignore_errors=True)
    clone, package, site = WORK / "contentc", WORK / "shop", WORK / "site"
    run("git", "clone", "--quiet", "--no-tags", ROOT, clone)
    if (ROOT / "Package.resolved").exists():
        # The versions of dependencies that this machine has.
        shutil.copy(ROOT / "Package.resolved", clone)
    check_modules(build(clone, "--target", "ContentClient"), MODULES, "a fresh clone")
    run("git", "-C", clone, "tag", VERSION)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    for name in FILES:
        text = shown_file(name).replace(ADDRESS, f"file://{clone}").replace("localhost:8000", f"localhost:{server.server_port}")
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    check_modules(build(package), MODULES | {"follow", "reader"}, "a package that depends on the tag")

    run(contentc, "build", "--quiet", "--content", ROOT / "content", "--out", site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    binaries = run("swift", "build", "--package-path", package, "--show-bin-path", stdout=subprocess.PIPE).stdout.strip()
    printed = run(f"{binaries}/reader", stdout=subprocess.PIPE, timeout=60).stdout
    if printed != shown_output("swift run reader"):
        sys.exit(f"the page's program prints\n{printed}")
    print("the page's program prints what the page says")
    run("swift", "test", "--quiet", "--package-path", package)
    print("the page's test passes")

    example = clone / "Examples/flowershop"
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", example)
    check_modules(build(example), MODULES | {"ShopScreens", "ShopTerminal", "flowershop"}, "the example app")


if __name__ == "__main__":
    main(*sys.argv[1:])
