#!/usr/bin/env python3
"""Runs the tests that `swift build --build-tests` has built.

  Scripts/run-tests.py            run the unit tests, then all others in two processes side by side
  Scripts/run-tests.py unit       run the unit tests: no server, no browser, no root
  Scripts/run-tests.py NAME...    run the tests whose names match any of these regular expressions

The preview, its browser and the servers of delivery have a process beside the other tests: they wait most of the time,
and a test that waits occupies one of the few threads of its process. All failures are listed again at the end.

Tests that wait for a real server, a browser or a clock can fail on a busy machine, because another process can take the
time that they allow. `WAITING` lists their files and the reasons. If only such tests fail, and at most three, each is
repeated three times by itself. The run passes if they pass each time, and lists them as unsteady, with the reasons.
Tests that wait for nothing are never repeated.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Files below Tests that may record an issue of a repeated test, and what these tests wait for.
WAITING = {
    "ContentPreviewTests/ChannelTests.swift": "a preview's server",
    "ContentPreviewTests/FileServingTests.swift": "a preview's server",
    "ContentPreviewTests/FolderWatcherTests.swift": "the kernel's events",
    "ContentPreviewTests/HostileRequestTests.swift": "a preview's server",
    "ContentPreviewTests/InstantBuildsTests.swift": "builds in the background",
    "ContentPreviewTests/LivePreview.swift": "a preview's server",
    "ContentPreviewTests/PreviewAPITests.swift": "a preview's server",
    "ContentPreviewTests/RebuildingTests.swift": "the kernel's events",
    "ContentPreviewTests/ResponseCacheTests.swift": "a preview's server",
    "ContentcTests/*/PreviewBrowserTests.swift": "a browser",
    "ContentcTests/*/PreviewCommandTests.swift": "a preview's process",
    "ContentcTests/*/RunningPreview.swift": "a preview's process",
    "ContentcTests/*/PurgeCommandTests.swift": "a process that is killed at a given moment",
    "ContentcTests/*/BucketPublishingTests.swift": "SeaweedFS",
    "DeliveryServerTests/*": "real servers, and the ages of their answers",
    "HTTPTransportTests/*": "a server that answers late",
    "RemoteCacheTests/FaultyServerTests.swift": "a server that answers late",
    "RemoteCacheTests/RequestTests.swift": "a server that answers late",
    "RemoteCacheTests/NginxTests.swift": "nginx",
    "RemoteCacheTests/SeaweedTests.swift": "SeaweedFS",
    "TestServers/*": "a server's start",
}
MOST = 3
TIMES = 3
UNIT = (
    r"^(ContentModel|Hashing|PropertyLists|Diagnostics|SourceYAML|ContentSource|ContentCompiler|ContentReports|SharedGzip"
    r"|ContentStore)Tests\.")
PREVIEW = r"^(ContentPreviewTests|ContentcTests\.Preview\w*)[./]"
DELIVERY = r"^(ContentDeliveryTests|DeliveryServerTests|HTTPTransportTests|RemoteCacheTests)\."
OUTPUT = threading.Lock()
# Another process may have left a line unfinished: a test's line need not stand at a line's beginning.
ISSUE = re.compile(r"Test (?P<name>\w+\([\w:]*\)|\".*?\") recorded an issue\b.*?\bat (?P<file>[\w+]+\.swift):\d+")
FAILED = re.compile(r"Test (?P<name>\w+\([\w:]*\)|\"[^\n]*?\")(?: with \d+ test cases?)? failed after ")
PASSED = re.compile(r"Test (?P<name>\w+\([\w:]*\))(?: with \d+ test cases?)? passed after ")
SUMMARY = re.compile(r"Test run with (?P<tests>\d+) tests? .*?(?P<end>passed|failed) after .*?seconds(?: with (?P<issues>\d+) issue)?")
CRASH = re.compile(r"unexpected signal|Fatal error|Sanitizer|error: Exited")


def bundle():
    """The program with all tests."""
    folder = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    return pathlib.Path(folder) / "contentcPackageTests.xctest"


def run(flags):
    """The exit status and the output, which is also passed on line by line."""
    # `swift test` holds a lock, so that two of them cannot run side by side.
    command = [str(bundle()), "--testing-library", "swift-testing"]
    if sys.platform == "darwin":
        command = ["swift", "test", "--skip-build"]
    process = subprocess.Popen([*command, *flags], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = bytearray()
    for line in process.stdout:
        with OUTPUT:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        log += line
    return process.wait(), log.decode(errors="replace")


def issues(log):
    """Returns the lines that report failures, with their continuation lines."""
    is_told = False
    for line in log.splitlines():
        if re.search(r"(^|\s)(Test|Suite) ", line):
            is_told = "recorded an issue" in line or " failed after " in line
        if is_told:
            yield line[:800]


def reason(file):
    """What the tests of a file wait for; None if they wait for nothing, or there is no such file."""
    places = [path.relative_to(ROOT / "Tests").as_posix() for path in (ROOT / "Tests").rglob(file)]
    reasons = [next((WAITING[rule] for rule in WAITING if fnmatch.fnmatchcase(place, rule)), None) for place in places]
    return reasons[0] if reasons and all(reasons) else None


def unsteady(log):
    """Returns the tests to repeat and what they wait for; none if another failure occurred or is possible."""
    ends = list(SUMMARY.finditer(log))
    if len(ends) != 1 or ends[0]["end"] != "failed" or CRASH.search(log):
        return {}
    told = list(ISSUE.finditer(log))
    if len(told) != log.count("recorded an issue") or str(len(told)) != ends[0]["issues"]:
        return {}
    names = {found["name"] for found in FAILED.finditer(log)}
    if names != {found["name"] for found in told} or len(names) > MOST or any('"' in name for name in names):
        return {}
    reasons = {found["name"]: reason(found["file"]) for found in told}
    return reasons if all(reason(found["file"]) for found in told) else {}


def pass_by_themselves(names):
    """Returns true if each of them passes each time."""
    chosen = "|".join(f"/{re.escape(name)}" for name in sorted(names))
    for _ in range(TIMES):
        status, log = run(["--filter", chosen])
        if status != 0 or not names <= {found["name"] for found in PASSED.finditer(log)}:
            return False
    return True


def report(flags, status, log):
    """Lists what failed; 0 if nothing did, or if all that failed passes by itself."""
    end = SUMMARY.search(log)
    if status == 0 and end and int(end["tests"]) > 0:
        return 0
    print(f"\nwhat failed with {' '.join(flags)}")
    print("\n".join(list(issues(log))[:150]) or "no test ended")
    reasons = unsteady(log) if status != 0 else {}
    if reasons and pass_by_themselves(set(reasons)):
        print(f"unsteady: {len(reasons)} failed beside all others, and passed {TIMES} times by themselves:")
        for name, why in sorted(reasons.items()):
            print(f"  {name} waits for {why}")
        return 0
    # A signal is a negative status.
    return abs(status) or 1


def run_side_by_side(*lanes):
    """Runs lanes of groups side by side, the groups of a lane in turn; the highest of their statuses."""
    results = [[] for _ in lanes]

    def run_lane(place):
        for flags in lanes[place]:
            results[place].append((flags, *run(flags)))

    threads = [threading.Thread(target=run_lane, args=[place]) for place in range(len(lanes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Only now is the machine free for the tests that need it for themselves.
    return max(report(*result) for lane in results for result in lane)


def main(arguments):
    if arguments == ["unit"]:
        return run_side_by_side([["--filter", UNIT]])
    if arguments:
        return run_side_by_side([[flag for name in arguments for flag in ("--filter", name)]])
    rest = [flag for name in (UNIT, PREVIEW, DELIVERY) for flag in ("--skip", name)]
    return run_side_by_side([["--filter", UNIT]]) or run_side_by_side(
        [["--filter", PREVIEW], ["--filter", DELIVERY]], [rest])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
