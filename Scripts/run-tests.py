#!/usr/bin/env python3
"""Runs tests that are built; the flags are those of `swift test`.

What failed is told once more at the end: of a thousand tests that run side by side, nobody finds it above, and servers
keep the ends of logs.

Tests that wait for real servers, browsers and clocks, and that failed beside all others, are run three times more by
themselves (at most three of them, and none that compares bytes or says that nothing is lost). If they pass each time, the
run has passed, and says which were unsteady.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Paths of the files that may record an issue of such a test.
TIMED = re.compile(
    r"Tests/(ContentPreviewTests|DeliveryServerTests|HTTPTransportTests|TestServers)/"
    r"|Tests/ContentDeliveryTests/(CDN|Rclone|S3)/"
    r"|Tests/ContentcTests/(BucketPublishing|PreviewBrowser|PreviewCommand|PurgeCommand)Tests\.swift|Tests/ContentcTests/RunningPreview\."
    r"|Tests/RemoteCacheTests/(IllServer|Nginx|Request|Seaweed)Tests\.swift"
)
MOST = 3
TIMES = 3
# Another process may have left a line unfinished: a test's line need not stand at a line's beginning.
ISSUE = re.compile(r"Test (?P<name>\w+\([\w:]*\)|\".*?\") recorded an issue\b.*?\bat (?P<file>[\w+]+\.swift):\d+")
FAILED = re.compile(r"Test (?P<name>\w+\([\w:]*\)|\"[^\n]*?\")(?: with \d+ test cases?)? failed after ")
PASSED = re.compile(r"Test (?P<name>\w+\([\w:]*\))(?: with \d+ test cases?)? passed after ")
SUMMARY = re.compile(r"Test run with (?P<tests>\d+) tests? .*?(?P<end>passed|failed) after .*?seconds(?: with (?P<issues>\d+) issue)?")
CRASH = re.compile(r"unexpected signal|Fatal error|Sanitizer|error: Exited")


def run(flags):
    """The exit status, and all that was printed, which is passed on as it comes."""
    process = subprocess.Popen(
        ["swift", "test", "--skip-build", *flags], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = bytearray()
    for line in process.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        log += line
    return process.wait(), log.decode(errors="replace")


def issues(log):
    """The lines that tell what failed, and those after them that belong to them."""
    is_told = False
    for line in log.splitlines():
        if re.search(r"(^|\s)(Test|Suite) ", line):
            is_told = "recorded an issue" in line or " failed after " in line
        if is_told:
            yield line[:800]


def unsteady(log):
    """The names of the tests that get a second chance; none where something else failed, or may have."""
    ends = list(SUMMARY.finditer(log))
    if len(ends) != 1 or ends[0]["end"] != "failed" or CRASH.search(log):
        return set()
    told = list(ISSUE.finditer(log))
    if len(told) != log.count("recorded an issue") or str(len(told)) != ends[0]["issues"]:
        return set()
    names = {found["name"] for found in FAILED.finditer(log)}
    if names != {found["name"] for found in told} or len(names) > MOST or any('"' in name for name in names):
        return set()
    for file in {found["file"] for found in told}:
        places = [path.relative_to(ROOT).as_posix() for path in (ROOT / "Tests").rglob(file)]
        if not places or not all(TIMED.match(place) for place in places):
            return set()
    return names


def pass_by_themselves(names):
    """Whether each of them passes each time."""
    chosen = "|".join(f"/{re.escape(name)}" for name in sorted(names))
    for _ in range(TIMES):
        status, log = run(["--filter", chosen])
        if status != 0 or not names <= {found["name"] for found in PASSED.finditer(log)}:
            return False
    return True


def main(flags):
    status, log = run(flags)
    end = SUMMARY.search(log)
    if status == 0 and end and int(end["tests"]) > 0:
        return 0
    print(f"\nwhat failed of: swift test --skip-build {' '.join(flags)}")
    print("\n".join(list(issues(log))[:150]) or "no test was run to its end")
    is_plain = len(flags) % 2 == 0 and all(flag in ("--filter", "--skip") for flag in flags[::2])
    names = unsteady(log) if status != 0 and is_plain else set()
    if names and pass_by_themselves(names):
        print(f"unsteady: failed beside all others, and passed {TIMES} times by themselves: {', '.join(sorted(names))}")
        return 0
    return status or 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
