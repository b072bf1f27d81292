"""An exported preview works from a plain file server, under any path, and nothing of a stranger's content runs."""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from viewer import Viewer, body, choose, field, point_at, shown, until

HOME = "entries/screen/home.yaml"
# A moment at which the sample's banner of the holidays is shown.
MOMENT = "2026-12-01T12:00:00Z"
READERS = ["--locale", "en", "--locale", "fr", "--locale", "ar", "--device", "phone", "--device", "tablet"]
ATTACK = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>parent.document.title = "ran"</script><rect width="40" height="40" fill="red" onload="alert(1)"/></svg>'


@contextlib.contextmanager
def file_server(folder):
    """Serves a folder by Python's own server, which knows nothing of previews; yields its address."""
    words = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = re.search(r"port (\d+)", process.stdout.readline())
        yield f"http://127.0.0.1:{port[1]}/"
    finally:
        process.terminate()
        process.wait(20)


@contextlib.contextmanager
def exported(viewer, *words, edit=()):
    """Exports a copy of the content with edits below the server's folder `pages/pr-17`; yields a viewer of it."""
    with tempfile.TemporaryDirectory(prefix="contentc-export.") as folder:
        content, pages = Path(folder) / "content", Path(folder) / "pages"
        shutil.copytree(viewer.content, content)
        for path, old, new in edit:
            file = content / path
            text = file.read_text(encoding="utf-8") if old else ""
            assert old in text, f"{path} does not hold {old!r}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace(old, new, 1) if old else new, encoding="utf-8")
        command = [viewer.program, "preview", "--export", "pages/pr-17", "--at", MOMENT, "--quiet", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}: {done.returncode} {done.stderr}"
        with file_server(pages) as address:
            yield Viewer(viewer.browser, f"{address}pr-17/", content, viewer.program)


@contextlib.contextmanager
def visit(export, fragment="", **options):
    """Opens a page of an export, and expects every request to be for an existing file of it."""
    with export.open(fragment, **options) as page:
        asked, failed = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("response", lambda answer: answer.status >= 400 and failed.append(f"{answer.status} for {answer.url}"))
        # The reload ends what the first load has not finished.
        page.on(
            "requestfailed", lambda request: request.failure != "net::ERR_ABORTED" and failed.append(request.url))
        page.reload()
        page.wait_for_selector("html[data-generation]", state="attached")
        yield page
        foreign = [url for url in asked if not url.startswith((export.base, "data:"))]
        assert asked and not foreign and not failed, f"asked elsewhere: {foreign}; failed: {failed}"


def go(page, fragment):
    page.evaluate("fragment => location.hash = fragment", fragment)


def shows_an_export_from_a_plain_file_server(viewer):
    edit = [(HOME, "Good to see you", "Nice to see you")]
    with exported(viewer, *READERS, "--base", str(viewer.content), "--label", "commit 1f2e3d", edit=edit) as export:
        with visit(export, "#preview?locale=en&device=phone") as page:
            shown(page, "Nice to see you")
            until(lambda: "commit 1f2e3d · Exported as of" in page.locator(".status").inner_text(), "the version")
            point_at(page, "elements[welcome].title")
            assert "content/entries/screen/home.yaml:" in page.locator(".place-text").inner_text()
            # Only exported readers can be chosen, and nothing that needs the preview's server is there.
            page.locator("#device").click()
            assert page.locator("#device-list .option").evaluate_all("all => all.map(({ dataset }) => dataset.value)") == ["phone", "tablet"]
            page.keyboard.press("Escape")
            for absent in ["#at", "#pseudo", "#country", "#app"]:
                assert not page.locator(absent).is_visible(), absent
            assert page.get_by_role("button", name="On a phone").count() == 0

            choose(page, "locale", "ar")
            until(lambda: body(page).get_attribute("dir") == "rtl", "a right-to-left screen")
            until(lambda: page.locator(".frame .fallback").count(), "marks of fallbacks")
            choose(page, "device", "tablet")
            until(lambda: "ar · tablet" in page.locator(".frame.primary").inner_text(), "another device")
            choose(page, "locale", "fr")
            shown(page, "Bouquets")
            body(page).get_by_text("Bouquets").click()
            until(lambda: "show=" in page.evaluate("location.hash"), "an entry")
            until(lambda: page.evaluate("[...document.querySelectorAll('.frame-body img')].every(image => image.naturalWidth)"), "pictures")
            page.locator(".contents input").fill("peon")
            page.locator(".contents").get_by_text(re.compile("peon", re.I)).first.wait_for()

            go(page, "#changes?locale=en&device=phone")
            page.locator(".change-id", has_text="screen/home").wait_for()
            assert page.locator(".diff-old").first.inner_text().endswith("Good to see you")
            assert page.locator(".diff-new").first.inner_text().endswith("Nice to see you")
            page.locator(".frame-body").get_by_text("Good to see you").first.wait_for()
            go(page, "#preview?locale=en&device=phone&side=both")
            page.locator(".frame:not(.primary) .frame-body").get_by_text("Good to see you").first.wait_for()
            go(page, "#coverage?locale=fr&device=phone")
            page.locator(".coverage .cell").nth(1).click()
            page.locator(".coverage-detail h3").wait_for()
            go(page, "#sizes?locale=fr&device=phone")
            page.locator(".sizes table").first.wait_for()
            go(page, "#schedule?locale=fr&device=phone")
            page.locator(".moments li").first.wait_for()
            go(page, "#problems?locale=fr&device=phone")
            page.get_by_text("The content has no problems.").wait_for()
            go(page, "#translations?locale=fr&device=phone")
            page.locator(".unit-text").first.wait_for()
            assert page.locator(".translations textarea").count() == 0
            assert not page.get_by_role("button", name="Export …").is_visible()
            # No text asks for a command that would start a server.
            assert "contentc preview" not in page.locator("body").inner_text()


def says_what_an_export_does_not_have(viewer):
    with exported(viewer, "--locale", "fr", "--device", "phone") as export:
        # Not by `visit`: the page replaces this address, so a second load has no notices.
        with export.open("#preview?locale=de&device=tv&country=FR") as page:
            page.locator(".notice", has_text="“de”").wait_for()
            page.locator(".notice", has_text="“tv”").wait_for()
            page.locator(".notice", has_text="“FR”").wait_for()
            page.locator(".frame.primary", has_text="fr · phone").wait_for()
            page.keyboard.press("2")
            page.get_by_text("This export is compared with nothing").wait_for()
            page.keyboard.press("7")
            page.locator(".unit-text").first.wait_for()


def runs_nothing_of_a_strangers_content(viewer):
    naughty = "elements:\n" + "".join(
        f"  - {{id: n{number}, type: row, title: {text!r}, action: {action!r}}}\n"
        for number, (text, action) in enumerate([("<script>document.title='ran'</script>", "javascript:document.title='ran'"), ("<img src=x onerror=alert(1)>", "data:text/html,<script>alert(1)</script>")])
    ) + "  - {id: picture, type: image, image: attack.svg, title: attack}\n"
    edit = [(HOME, "elements:\n", naughty), ("assets/attack.svg", "", ATTACK)]
    with exported(viewer, "--locale", "en", "--device", "phone", edit=edit) as export:
        with visit(export, "#preview?locale=en&device=phone") as page:
            shown(page, "<script>document.title='ran'</script>")
            shown(page, "<img src=x onerror=alert(1)>")
            title = page.title()
            for number in range(2):
                field(page, f"elements[n{number}].title").click()
            picture = body(page).locator('[data-path="elements[picture].image"]').first
            until(lambda: picture.evaluate("image => image.naturalWidth") == 40, "the picture")
            assert picture.get_attribute("src").startswith("data:image/svg+xml;base64,"), picture.get_attribute("src")[:80]
            assert page.title() == title and "ran" not in title, page.title()
            policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
            assert "default-src 'none'" in policy and "unsafe" not in policy, policy
            names = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
            file = next(name for name in names if ".svg" in name)
            assert file.endswith(".svg.bin"), file
            # By itself, a browser only saves the file.
            answer = page.request.get(file)
            assert answer.headers["content-type"] == "application/octet-stream", answer.headers
            # A server that guesses types from first bytes finds no markup.
            assert answer.body()[:2] == b"\x1f\x8b", answer.body()[:20]


CHECKS = []
# They run the program beside the preview.
PUBLISHING = [shows_an_export_from_a_plain_file_server, says_what_an_export_does_not_have, runs_nothing_of_a_strangers_content]
