#!/usr/bin/env python3
"""Saves a file again and again while a browser shows it, and prints how long each took, as JSON: a list of seconds.

save-to-screen.py ADDRESS FILE ENTRY COUNT. From the file's close to the frame in which the page has painted the new title.
"""

import json
import pathlib
import re
import shutil
import sys
import time

from playwright.sync_api import sync_playwright

# The time of the first frame after one in which a text stood in the page, by the clock that Python reads, too.
WATCH = """text => {
  window.painted = new Promise((done, fail) => {
    setTimeout(() => fail(`'${text}' did not appear within 30 s`), 30_000);
    const look = () => {
      // The page also has a frame for comparisons, which is hidden.
      if (![...document.querySelectorAll('.frame-body')].some(frame => frame.textContent.includes(text))) return false;
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done((performance.timeOrigin + performance.now()) / 1000);
        channel.port2.postMessage(0);
      });
      return true;
    };
    if (look()) return;
    const observer = new MutationObserver(() => { if (look()) observer.disconnect(); });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}"""


def save(path, title):
    path.write_text(re.sub(r"(?m)^title: .*$", f"title: {title}", path.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    return time.time()


def main():
    address, file, entry, count = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    original = file.read_text(encoding="utf-8")
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"{address}#preview?locale=en&device=phone&show={entry}")
        page.wait_for_selector(".frame-body [data-path]")
        # The first save leaves the memory that the others go on from, as the first one of a day does.
        for number in range(-1, count):
            # An editor's saves are seconds apart; marks for fallback texts, which come later, are then there, too.
            page.wait_for_timeout(1_500)
            title = f"Saved {number + 2} times"
            page.evaluate(WATCH, title)
            closed = save(file, title)
            painted = page.evaluate("window.painted")
            if number >= 0:
                times.append(painted - closed)
        browser.close()
    file.write_text(original, encoding="utf-8")
    print(json.dumps(times))


if __name__ == "__main__":
    main()
