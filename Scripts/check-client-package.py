#!/usr/bin/env python3
"""Checks that another package can depend on this one by tag, and that its library ContentClient stays small.

  Scripts/check-client-package.py CONTENTC    the program that builds the sample

1. Clones the last commit, and builds ContentClient there: only the modules of the library are compiled, which excludes
   NIO, libyaml and the compiler of content.
2. Tags the clone. An empty package that depends on the tag builds the ten-line program of the README.
3. That program prints what the README says, from the sample on a server on loopback.
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
MANIFEST = """\
// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "reader",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "file://{clone}", exact: "{version}")],
  targets: [
    .executableTarget(
      name: "reader", dependencies: [.product(name: "ContentClient", package: "contentc")])
  ]
)
"""


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


def blocks(language):
    """The code blocks of a language in the README."""
    return re.findall(rf"```{language}\n(.*?\n)```", (ROOT / "README.md").read_text(), re.S)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main(contentc):
    shutil.rmtree(WORK, ignore_errors=True)
    clone, package, site = WORK / "contentc", WORK / "reader", WORK / "site"
    run("git", "clone", "--quiet", "--no-tags", ROOT, clone)
    if (ROOT / "Package.resolved").exists():
        # The versions of dependencies that this machine has.
        shutil.copy(ROOT / "Package.resolved", clone)
    check_modules(build(clone, "--target", "ContentClient"), MODULES, "a fresh clone")
    run("git", "-C", clone, "tag", VERSION)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    (package / "Sources/reader").mkdir(parents=True)
    (package / "Package.swift").write_text(MANIFEST.format(clone=clone, version=VERSION))
    program = blocks("swift")[0].replace("localhost:8000", f"localhost:{server.server_port}")
    (package / "Sources/reader/main.swift").write_text(program)
    check_modules(build(package), MODULES | {"reader"}, "a package that depends on the tag")

    run(contentc, "build", "--quiet", "--content", ROOT / "content", "--out", site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    binaries = run("swift", "build", "--package-path", package, "--show-bin-path", stdout=subprocess.PIPE).stdout.strip()
    printed = run(f"{binaries}/reader", stdout=subprocess.PIPE, timeout=60).stdout
    if printed != blocks("text")[-1]:
        sys.exit(f"the README's program prints\n{printed}")
    print("the README's program prints what the README says")

    example = clone / "Examples/flowershop"
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", example)
    check_modules(build(example), MODULES | {"ShopScreens", "ShopTerminal", "flowershop"}, "the example app")


if __name__ == "__main__":
    main(*sys.argv[1:])
