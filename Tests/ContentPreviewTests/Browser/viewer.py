"""The browser and page of the checks."""

import contextlib
import os
import re
import subprocess
import time
from pathlib import Path

from playwright.sync_api import TimeoutError


class Viewer:
    """Opens the preview in a real browser; each error of the page fails the check."""

    def __init__(self, browser, base, content, program):
        self.browser = browser
        self.program = program and Path(program).resolve()
        self.base = base.rstrip("/") + "/"
        self.content = Path(content)

    @contextlib.contextmanager
    def open(self, fragment="", width=1440, height=900, scheme="light", motion="no-preference", expected=()):
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion=motion,
            timezone_id="Europe/Paris", locale="en-US")
        if "10.0.2.2" not in self.base:
            context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.base.rstrip("/"))
        page = context.new_page()
        page.set_default_timeout(15_000)
        complaints = []
        page.on("console", lambda said: said.type == "error" and not said.text.startswith("Failed to load") and complaints.append(said.text))
        # After a save, an object of the previous build may be missing; the page then reads config again.
        page.on("response", lambda answer: answer.status >= 400 and "/objects/" not in answer.url and complaints.append(f"{answer.status} for {answer.url}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append("a dialog: " + dialog.message), dialog.dismiss()))
        try:
            page.goto(self.base + fragment)
            page.wait_for_selector("html[data-generation]", state="attached")
            yield page
            unexpected = [c for c in complaints if not any(re.search(e, c) for e in expected)]
            assert not unexpected, "the page complained: " + "; ".join(unexpected)
        except Exception:
            print(f"    the page showed {page.locator('body').inner_text()[:3_000]!r}; it complained: {complaints}", flush=True)
            raise
        finally:
            context.close()

    @property
    def on_network(self):
        """The same preview under its network address."""
        return Viewer(self.browser, re.sub(r"127\.0\.0\.1|localhost", "10.0.2.2", self.base), self.content, self.program)

    @contextlib.contextmanager
    def edited(self, *edits):
        """Replaces texts in files, each `(path, old, new)`, and restores them at the end."""
        before = {}
        try:
            for path, old, new in edits:
                file = self.content / path
                text = file.read_text(encoding="utf-8")
                before.setdefault(file, text)
                assert old in text, f"{path} does not hold {old!r}"
                self.save(file, text.replace(old, new, 1))
            yield
        finally:
            for file, text in before.items():
                self.save(file, text)

    def save(self, file, text):
        """Replaces a file as a whole: a build on a busy machine could read half of it."""
        new = self.content.parent / f".{file.name}.new"
        new.write_text(text, encoding="utf-8")
        new.replace(file)

    def command(self, *words):
        """Runs `contentc` beside the preview, again if the preview is just writing."""
        for patience in range(50, -1, -1):
            done = subprocess.run([self.program, *words, "--quiet"], cwd=self.content.parent, capture_output=True, text=True)
            if done.returncode == 0:
                return
            assert done.returncode == os.EX_TEMPFAIL and patience, f"contentc {' '.join(words)}: {done.returncode} {done.stderr}"
            time.sleep(0.1)

    def write(self, path, old, new):
        file = self.content / path
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{path} does not hold {old!r}"
        self.save(file, text.replace(old, new, 1))


def body(page):
    """The screen of the primary frame."""
    return page.locator(".frame.primary .frame-body")


def address(page):
    """The current address. Unlike `page.url`, it asks the browser: `page.url` stays the same while a check only sleeps."""
    return page.evaluate("location.href")


def choose(page, switch, value):
    """Chooses a value in the list of a switch."""
    page.locator(f"#{switch}").click()
    page.locator(f"#{switch}-list").locator(f'[data-value="{value}"]').click()


def field(page, path, entry=None):
    """The text of a field in the frame."""
    entry = f'[data-entry="{entry}"]' if entry else ""
    return body(page).locator(f'[data-path="{path}"]{entry}').first


def point_at(page, path):
    """Points at the text of a field until its source is shown. A pointer that rests may miss a text that is drawn again."""
    def is_explained():
        page.mouse.move(0, 0)
        field(page, path).hover()
        try:
            page.locator(".inspected-path code").get_by_text(path, exact=True).wait_for(timeout=2_000)
        except TimeoutError:
            return False
        return True
    until(is_explained, f"the source of {path}")


def shown(page, text):
    """Waits until the frame shows a text."""
    body(page).get_by_text(text).first.wait_for()


def until(condition, what, seconds=15):
    """Waits for a condition that no selector can express. The condition asks the browser, because sleeping receives no events."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"timeout: {what}")


def own_text(locator):
    """A text without its fallback mark."""
    return locator.evaluate("part => part.firstChild?.data ?? ''")
