#!/usr/bin/env python3
"""Runs the tests that `make build-tests` has built.

  Scripts/run-tests.py            run all tests
  Scripts/run-tests.py NAME...    run the tests whose names match any of these regular expressions

As for `swift test`, `CONTENTC_SERVERS=1` adds the tests that need servers, and `CONTENTC_NIGHTLY=1` those that take
long (Tests/TestServers/Conditions.swift). While `swift test` starts one process, each test target has a process here.
One process more than the machine has processors run at a time. One lane begins with the targets that wait: their tests
leave most of a processor to others. The other lanes begin with the smallest targets.

Tests that wait can fail on a busy machine, because another process can take the time that they allow. If at most three
tests of a run fail, all of them in these targets, each is repeated three times after all others. The run passes if they
pass each time, and counts them as unsteady. All other tests have one chance.
"""

import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / ".build/tested/release/contentcPackageTests.xctest"
# These suites measure seconds. Each has a process, and begins beside the smallest targets.
MEASURING = [r"^DeliveryServerTests\.StalenessTests/", r"^CommandServerTests\.DistantBucketTests/"]
# The tests of these targets wait for servers, a browser, a clock or the limit of a program. The longest come first.
WAITING = [
    "CommandServerTests", "DeliveryServerTests", "ContentPreviewTests", "SharedCacheTests", "HTTPTransportTests",
    "NotificationsTests", "ContentReleasesTests",
]
# Its tests write where users build: on a disk. All others write in memory if there is room, which is faster.
ON_DISK = "ContentBuildTests"
MEMORY, ROOM = pathlib.Path("/dev/shm"), 2 << 30
MOST, TIMES = 3, 3


class Run:
    """A test process, and its events as swift-testing writes them: one JSON value on a line."""

    def __init__(self, names, environment, skipping=()):
        start, self.names = time.monotonic(), " ".join(names)
        flags = [flag for name in names for flag in ("--filter", name)]
        flags += [flag for name in skipping for flag in ("--skip", name)]
        command = [TESTS, "--testing-library", "swift-testing"]
        if sys.platform == "darwin":
            # The program is a bundle there, which only `swift test` starts, one process at a time.
            command = ["swift", "test", "-c", "release", "--skip-build", "--scratch-path", ROOT / ".build/tested"]
        with tempfile.NamedTemporaryFile() as events:
            command += ["--event-stream-version", "0", "--event-stream-output-path", events.name, *flags]
            self.status = subprocess.run(command, cwd=ROOT, env=environment).returncode
            # The test process may have replaced the file.
            lines = pathlib.Path(events.name).read_text(encoding="utf-8", errors="replace").splitlines()
        self.ended, self.skipped, self.issues, self.is_whole = set(), set(), {}, False
        for line in lines:
            with contextlib.suppress(ValueError):  # A process that was killed may have left half a line.
                self.add(json.loads(line)["payload"])
        print(f"{time.monotonic() - start:.0f} s for {self.names}: status {self.status}", flush=True)

    def add(self, event):
        # The identifier of a test ends with its file, line and column; that of a suite has one part.
        test, kind = re.sub(r"/[^/]*\.swift:\d+:\d+$", "", event.get("testID", "")), event["kind"]
        if kind == "issueRecorded" and not event["issue"].get("isKnown"):
            self.issues.setdefault(test, []).extend(message["text"] for message in event["messages"])
        elif kind in ("testEnded", "testSkipped") and "/" in test:
            (self.ended if kind == "testEnded" else self.skipped).add(test)
        self.is_whole |= kind == "runEnded"

    @property
    def has_passed(self):
        return self.status == 0 and self.is_whole and not self.issues

    @property
    def may_repeat(self):
        """`True` if nothing failed but tests that wait."""
        failed = [test.split(".")[0] in WAITING and test in self.ended for test in self.issues]
        return self.is_whole and failed != [] and all(failed)


def run_all(environment):
    """Runs all test targets side by side, and returns their runs."""
    def size(target):
        return sum(file.stat().st_size for file in (ROOT / "Tests" / target).rglob("*.swift"))

    others = {folder.name for folder in (ROOT / "Tests").glob("*Tests")} - set(WAITING)
    targets = [rf"^{target}\." for target in [*WAITING, *sorted(others, key=size, reverse=True)]]
    queue, runs = collections.deque([*MEASURING, *targets]), []

    def run_lane(take):
        while True:
            try:
                name = take()
            except IndexError:  # The queue is empty.
                return
            own = os.environ if ON_DISK in name else environment
            runs.append(Run([name], own, [suite for suite in MEASURING if suite != name]))

    lanes = [queue.popleft, *[queue.pop] * os.cpu_count()]
    with concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool:
        list(pool.map(run_lane, lanes))
    return runs


def memory():
    """The file system in memory; `None` if it has too little room, or starts no programs, which tests compile."""
    if not os.access(MEMORY, os.W_OK):
        return None
    system = os.statvfs(MEMORY)
    has_room = system.f_bavail * system.f_frsize >= ROOM
    return MEMORY if has_room and not system.f_flag & os.ST_NOEXEC else None


def main(names):
    if not TESTS.exists():
        sys.exit("the tests are not built: run 'make build-tests'")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="contentc-tests-", dir=memory()) as folder:
        # Servers can run as other users.
        os.chmod(folder, 0o755)
        environment = os.environ | {"TMPDIR": folder}
        runs = [Run(names, environment)] if names else run_all(environment)
        failed = [run for run in runs if not run.has_passed]
        for run in failed:
            print(f"\nfailed in {run.names}: status {run.status}{'' if run.is_whole else ', ended before its tests'}")
            for test, messages in sorted(run.issues.items()):
                print("\n  ".join([test or "no test", *(text[:800] for text in messages[:20])]))
        tests, unsteady = sorted(test for run in failed for test in run.issues or [run.names]), []
        if failed and len(tests) <= MOST and all(run.may_repeat for run in failed):
            again = [Run([f"^{re.escape(test)}/" for test in tests], environment) for _ in range(TIMES)]
            if all(run.has_passed and set(tests) <= run.ended for run in again):
                failed, tests, unsteady = [], [], tests
    for test in unsteady:
        print(f"unsteady: {test} failed beside all others, and passed {TIMES} times by itself")
    passed = sum(len(run.ended - set(run.issues)) for run in runs) + len(unsteady)
    skipped = sum(len(run.skipped) for run in runs)
    print(
        f"tests: {passed} passed, {len(unsteady)} of them unsteady; {len(tests)} failed; {skipped} skipped; "
        f"{time.monotonic() - start:.0f} s")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
