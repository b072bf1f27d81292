#!/usr/bin/env python3
"""Reads the site of the documentation in a real browser.

site.py                  builds the site in a temporary folder, with empty pages of the libraries, and checks it
site.py FOLDER           checks a site that was built
site.py --pictures FOLDER [FOLDER]   also takes pictures of some pages

A plain file server delivers the site, below a path. Prints a line per check; the exit status is 1 if one failed.
"""

import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from run import browser_path, run

ROOT = Path(__file__).resolve().parents[3]
LIBRARIES = ["ContentModel", "PropertyLists", "RichText", "ContentClient", "ContentClientTesting"]
# A page of each kind: the first one, a list of pages, drawings, pictures, wide tables, code in several languages, a file, a folder.
KINDS = ["index.html", "guides/index.html", "start/first-shop.html", "guides/preview.html", "concepts/index.html", "reference/publishing.html",
         "reference/rules.html", "reference/libraries.html", "comparison.html", "project/CHANGELOG.html", "project/Dockerfile.html",
         "project/Examples/ci/github/index.html"]
NARROW_KINDS = ["index.html", "guides/preview.html", "comparison.html"]


def empty_libraries(folder):
    """Makes the libraries' pages from their articles alone, because their symbols need a build."""
    archives = []
    for name in LIBRARIES:
        graphs, archive = folder / "graphs" / name, folder / f"{name}.doccarchive"
        graphs.mkdir(parents=True)
        platform = {"architecture": "x86_64", "vendor": "unknown", "operatingSystem": {"name": "linux"}}
        graph = {"metadata": {"formatVersion": {"major": 0, "minor": 6, "patch": 0}, "generator": "site.py"},
                 "module": {"name": name, "platform": platform}, "symbols": [], "relationships": []}
        (graphs / f"{name}.symbols.json").write_text(json.dumps(graph), encoding="utf-8")
        # The articles link to symbols, which DocC warns about.
        subprocess.run(
            ["docc", "convert", ROOT / f"Sources/{name}/{name}.docc", "--additional-symbol-graph-dir", graphs, "--fallback-display-name", name,
             "--fallback-bundle-identifier", f"contentc.{name}", "--output-path", archive], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        archives.append(archive)
    subprocess.run(["docc", "merge", *archives, "--output-path", folder / "api"], check=True)
    return folder / "api"


@contextlib.contextmanager
def served(folder):
    """Starts a file server for the folder above the site; yields the site's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "-d", folder.parent, str(port)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        base = f"http://127.0.0.1:{port}/{folder.name}/"
        for patience in range(200, -1, -1):
            with contextlib.suppress(urllib.error.URLError):
                urllib.request.urlopen(base).close()
                break
            assert patience, "the file server does not answer"
            time.sleep(0.05)
        yield base
    finally:
        server.terminate()
        server.wait(20)


class Reader:
    """Opens pages of the site. A request to another server, a missing file and an error of a script fail the check."""

    def __init__(self, browser, folder, base):
        self.browser, self.folder, self.base = browser, folder, base

    def pages(self):
        names = sorted(str(file.relative_to(self.folder)) for file in self.folder.rglob("*.html"))
        return [name for name in names if not name.startswith("api/")]

    @contextlib.contextmanager
    def open(self, name="index.html", width=1440, height=900, scheme="light"):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-US", reduced_motion="reduce")
        page = context.new_page()
        page.set_default_timeout(15_000)
        complaints = []
        context.on("request", lambda asked: asked.url.startswith((self.base, "data:", "blob:")) or complaints.append(f"asks {asked.url}"))
        page.on("response", lambda answer: answer.status >= 400 and complaints.append(f"{answer.status} for {answer.url}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        try:
            page.goto(self.base + name)
            # A script of the theme or of DocC has run.
            page.wait_for_selector("html.js, body[data-color-scheme]", state="attached")
            yield page
            assert not complaints, f"{name}: {complaints}"
        finally:
            context.close()


def finds_a_word_and_opens_its_page(reader):
    with reader.open() as page:
        page.locator(".md-search__input").click()
        page.locator(".md-search__input").type("embargo")
        result = page.locator(".md-search-result__link").first
        result.wait_for()
        result.click()
        page.wait_for_url(re.compile(r"reference/"))
        assert "embargo" in page.locator("article").inner_text().lower()


def finds_an_option(reader):
    with reader.open("reference/index.html") as page:
        page.locator(".md-search__input").click()
        page.locator(".md-search__input").type("--fail-under")
        page.locator(".md-search-result__link", has_text="fail-under").first.wait_for()


def switches_between_light_and_dark(reader):
    for scheme, other in [("light", "dark"), ("dark", "light")]:
        with reader.open(scheme=scheme) as page:
            colour = "getComputedStyle(document.body).backgroundColor"
            first = page.evaluate(colour)
            seen = {first}
            for _ in range(3):
                page.locator("form[data-md-component=palette] label:visible").click()
                page.wait_for_timeout(100)
                seen.add(page.evaluate(colour))
            assert len(seen) == 2, f"one colour of the page: {seen}"
            assert page.evaluate(colour) == first, "three clicks lead to the system's colours"
            page.emulate_media(color_scheme=other)
            page.wait_for_function(f"first => {colour} !== first", arg=first)


def keeps_the_colours_on_the_next_page(reader):
    with reader.open() as page:
        page.locator("form[data-md-component=palette] label:visible").click()
        page.locator("form[data-md-component=palette] label:visible").click()
        page.goto(reader.base + "reference/rules.html")
        assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


def fits_a_phone_and_loads_nothing_from_elsewhere(reader):
    with reader.open(width=390, height=844) as page:
        wide = []
        for name in reader.pages():
            page.goto(reader.base + name)
            if page.evaluate("document.documentElement.scrollWidth") > 390:
                wide.append(name)
        assert not wide, wide


def copies_code(reader):
    with reader.open("start/install.html") as page:
        code = page.locator(".highlight code").first
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator(".highlight button[data-md-type=copy]").first.click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.strip() and copied.strip() in code.inner_text(), copied
    with reader.open("start/first-shop.html") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        block = page.locator(".language-console", has_text="contentc build").first
        block.locator("button[data-md-type=copy]").click()
        copied = page.evaluate("navigator.clipboard.readText()").splitlines()
        assert copied == ["contentc build"], copied


def shows_the_pages_of_the_libraries(reader):
    with reader.open("reference/libraries.html") as page:
        for name in LIBRARIES:
            page.goto(reader.base + "reference/libraries.html")
            page.locator("article").get_by_role("link", name=name, exact=True).click()
            page.locator("h1", has_text=name).first.wait_for()
    with reader.open("api/documentation/contentclient/") as page:
        # An article, whose pages the script loads by itself, then the same page anew.
        page.locator("main a", has_text="SwiftUI").first.click()
        page.wait_for_url("**/swiftui")
        page.locator("h1", has_text="SwiftUI").wait_for()
        page.reload()
        page.locator("h1", has_text="SwiftUI").wait_for()


def violations(page, rules=None):
    """The violations that axe finds, each with the first elements that have it."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    return [f"{violation['id']}, {len(violation['nodes'])} times: " + " ".join(f"{node['html'][:200]} {node.get('failureSummary', '')[:300]}".split())
            for violation in Axe().run(page, options=options).response["violations"] for node in violation["nodes"][:3]]


def passes_axe(scheme, width, height, kinds):
    # Dark and light differ in colours only.
    rules = ["color-contrast", "link-in-text-block"] if scheme == "dark" else None

    def check(reader):
        found = {}
        for name in kinds:
            with reader.open(name, width, height, scheme) as page:
                for violation in violations(page, rules):
                    found.setdefault(violation, name)
        assert not found, "axe\n" + "\n".join(f"{name}: {violation}" for violation, name in list(found.items())[:20])
    check.__name__ = f"passes_axe_{scheme}_{width}"
    return check


def passes_axe_with_the_search_open(reader):
    for scheme in ["light", "dark"]:
        with reader.open(scheme=scheme) as page:
            page.locator(".md-search__input").click()
            page.locator(".md-search__input").type("purge")
            page.locator(".md-search-result__link").first.wait_for()
            found = violations(page)
            assert not found, "axe\n" + "\n".join(found)


CHECKS = [finds_a_word_and_opens_its_page, finds_an_option, switches_between_light_and_dark, keeps_the_colours_on_the_next_page, fits_a_phone_and_loads_nothing_from_elsewhere,
          copies_code, shows_the_pages_of_the_libraries, passes_axe("light", 1440, 900, KINDS), passes_axe("dark", 1440, 900, KINDS),
          passes_axe("light", 390, 844, NARROW_KINDS), passes_axe_with_the_search_open]


def take_pictures(reader, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in KINDS:
        for scheme, width, height in [("light", 1440, 900), ("dark", 1440, 900), ("light", 390, 844)]:
            with reader.open(name, width, height, scheme) as page:
                page.screenshot(path=folder / f"{name.replace('/', '-').removesuffix('.html')}-{scheme}-{width}.png")


def look(folder, pictures):
    with served(folder) as base, sync_playwright() as playwright:
        # Root in a container has no user namespaces for the sandbox.
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        reader = Reader(browser, folder, base)
        if pictures:
            take_pictures(reader, pictures)
        failed = [check.__name__ for check in CHECKS if not run(check, reader)]
        browser.close()
    print(f"{len(CHECKS) - len(failed)} of {len(CHECKS)} checks passed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    if given.folder:
        return look(given.folder.resolve(), given.pictures)
    with tempfile.TemporaryDirectory(prefix="contentc-site.") as made:
        folder = Path(made)
        environment = os.environ | {"CONTENTC_API": str(empty_libraries(folder))}
        subprocess.run([ROOT / "Scripts/build-site.sh", folder / "site"], check=True, env=environment)
        return look(folder / "site", given.pictures)


if __name__ == "__main__":
    sys.exit(main())
