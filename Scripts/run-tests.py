#!/usr/bin/env python3
"""Runs the tests that `make build-tests` has built.

  Scripts/run-tests.py            run the unit tests and measurements first, then all others side by side
  Scripts/run-tests.py unit       run the unit tests: no server, no browser, no root
  Scripts/run-tests.py NAME...    run the tests whose names match any of these regular expressions

Tests compile, verify and compress for minutes, and run `contentc` thousands of times. So `make build-tests` makes a
release build, in a folder of its own: `swift build --build-tests` for debugging stays as it is.

Tests also write and remove many thousands of small files, which takes most of the time on a disk. So the temporary
folder of all but the unit tests is in memory, if there is room.

Tests that wait for a real server, a browser or a clock are in test targets of their own: `WAITING` lists them and what
they wait for. Those that measure seconds start with the unit tests and others that run no programs. The tests in a
browser follow them: they run one after another, and take longest. After the unit tests, three more processes run side
by side: one for the first of these targets and then for the slowest tests of commands, one for each of the other
targets in turn and for the client's tests, its fleet last, and one for all other tests. Tests that wait leave most of
the processor to these, and each occupies one of the few threads of its process. A process runs only a few tests at a
time: otherwise all would begin at once, and a test that pauses would wait for all others before it goes on, which no
limit of time allows for.

Tests that wait can fail on a busy machine, because another process can take the time that they allow. If at most three
tests of a run fail, all of them in these targets, each is repeated three times by itself. The run passes if they pass
each time, and lists them as unsteady. The last line counts them. All other tests have one chance.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The only targets whose tests may be repeated, and what these tests wait for.
WAITING = {
    "CommandServerTests": "a preview's process, a browser, a bucket, a cache, or the right moment",
    "DeliveryServerTests": "real servers, the ages of their answers, or a server that answers late",
    "ContentPreviewTests": "the kernel's events, builds in the background, or a preview's server",
    "SharedCacheTests": "nginx, SeaweedFS, or a server that answers late",
    "HTTPTransportTests": "a server that answers late",
    "NotificationsTests": "the time limits of programs",
    "ContentReleasesTests": "the time limits of programs, or an SSH agent",
}
# Its tests run one after another, so that they start first.
BROWSER = r"^CommandServerTests\.PreviewBrowserTests/"
# Its tests are fast, and would wait for threads that tests of commands occupy.
APART = r"^ContentClientTests\."
# It measures seconds, and other tests would block the few threads of its process for longer.
TIMED = r"^DeliveryServerTests\.StalenessTests/"
# It compares times, and its programs would block the threads of `TIMED`.
DISTANT = r"^CommandServerTests\.DistantBucketTests/"
# Its tests run no programs, so that they disturb no clock.
LIBRARY = r"^ContentDeliveryTests\."
# The suites that take longest. With the other tests of commands, they would end last, and use only one processor.
SLOW = r"^ContentcTests\.(ForeignReaders|JSONKey|KeyRotation|NothingLost|PurgeCommand|PurgeSafety)Tests/"
# It only calculates, for minutes, and has the lowest priority, too.
FLEET = r"^ContentClientTests\.FleetTests/"
MOST = 3
TIMES = 3
# Its tests need no server, no browser and no other program.
UNIT = (
    r"^(ContentBuild|ContentCompiler|ContentModel|ContentSource|Diagnostics|PropertyLists|RichText|SharedGzip"
    r"|SiteFormat|System|Translations|YAML)Tests\.")
# The most tests that a process runs at a time. Without it, swift-testing 6.3 starts all at once.
WIDTH = 2 * (os.cpu_count() or 2)
# The build folder of the tests.
BUILT = ROOT / ".build" / "tested"
TESTS = "contentcPackageTests.xctest"
LOWEST = ("nice", "-n", "19")
# A file system in memory, and the free bytes that it must have.
MEMORY = pathlib.Path("/dev/shm")
ROOM = 2 << 30
OUTPUT = threading.Lock()
STARTED = dict(os.environ)


class Run:
    """The events of a test process, as swift-testing writes them: one JSON value on a line."""

    def __init__(self, flags, status, lines):
        self.flags, self.status = flags, status
        # Issues by the identifiers of tests, such as `HTTPTransportTests.HTTPClientTests/sendsHeaders()`.
        self.issues, self.ended, self.is_whole = {}, set(), False
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                # A process that was killed may have left half a line.
                continue
            if record.get("kind") == "event":
                self.add(record["payload"])

    def add(self, event):
        # The identifier of a test ends with its file, line and column; that of a suite has one part.
        test = re.sub(r"/[^/]*\.swift:\d+:\d+$", "", event.get("testID", ""))
        if event["kind"] == "issueRecorded" and not event["issue"].get("isKnown"):
            self.issues.setdefault(test, []).extend(message["text"] for message in event["messages"])
        elif event["kind"] == "testEnded" and "/" in test:
            self.ended.add(test)
        elif event["kind"] == "runEnded":
            self.is_whole = True

    @property
    def passed(self):
        return self.status == 0 and self.is_whole and bool(self.ended) and not self.issues

    @property
    def unsteady(self):
        """The failed tests and what they wait for; none if another test failed, or something else did."""
        reasons = {test: WAITING.get(test.split(".")[0]) for test in self.issues if test in self.ended}
        return reasons if self.is_whole and len(reasons) == len(self.issues) and all(reasons.values()) else {}


@functools.cache
def products():
    """The folder with the test program."""
    build = ["swift", "build", "-c", "release", "--scratch-path", str(BUILT), "--show-bin-path"]
    found = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True)
    folder = pathlib.Path(found.stdout.strip())
    if sys.platform != "darwin" and not (folder / TESTS).exists():
        sys.exit("the tests are not built: run 'make build-tests'")
    return folder


def memory():
    """The file system in memory; None if it has too little room, or starts no programs, which tests compile."""
    if not os.access(MEMORY, os.W_OK):
        return None
    system = os.statvfs(MEMORY)
    has_room = system.f_bavail * system.f_frsize >= ROOM
    return MEMORY if has_room and not system.f_flag & os.ST_NOEXEC else None


def run(flags):
    """Runs the tests that the flags choose, and passes their output on line by line."""
    start = time.monotonic()
    # `swift test` holds a lock, so that two of them cannot run side by side.
    command = [str(products() / TESTS), "--testing-library", "swift-testing"]
    if FLEET in flags[:2]:
        command = [*LOWEST, *command]
    if sys.platform == "darwin":
        command = ["swift", "test", "-c", "release", "--skip-build", "--scratch-path", str(BUILT)]
    with tempfile.NamedTemporaryFile() as events:
        command += ["--event-stream-version", "0", "--event-stream-output-path", events.name, *flags]
        # The unit tests write on a disk.
        environment = dict(STARTED if flags == ["--filter", UNIT] else os.environ)
        environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = str(WIDTH)
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in process.stdout:
            with OUTPUT:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status = os.waitstatus_to_exitcode(status)
        # The time of a processor includes that of programs that tests start and wait for.
        busy = used.ru_utime + used.ru_stime
        print(f"{time.monotonic() - start:.0f} s, {busy:.0f} s of a processor, for {' '.join(flags)}")
        # The test process may have replaced the file.
        lines = pathlib.Path(events.name).read_text(encoding="utf-8", errors="replace").splitlines()
    return Run(flags, status, lines)


def pass_by_themselves(tests):
    """Returns true if each of them passes each time."""
    flags = [flag for test in sorted(tests) for flag in ("--filter", f"^{re.escape(test)}/")]
    for _ in range(TIMES):
        again = run(flags)
        if not again.passed or not set(tests) <= again.ended:
            return False
    return True


def report(results):
    """Lists what failed and what is unsteady; returns 0 if no test failed, or if all that failed pass by themselves."""
    failed, unsteady = [result for result in results if not result.passed], {}
    for result in failed:
        print(f"\nwhat failed with {' '.join(result.flags)}")
        for test, messages in sorted(result.issues.items()):
            print("\n  ".join([test or "no test", *(text[:800] for text in messages[:20])]))
        if not result.is_whole:
            print("the process ended before its tests")
        unsteady |= result.unsteady
    has_chance = failed and len(unsteady) <= MOST and all(result.unsteady for result in failed)
    if has_chance and pass_by_themselves(unsteady):
        print(f"these tests failed beside all others, and passed {TIMES} times by themselves:")
        for test, reason in sorted(unsteady.items()):
            print(f"  {test} waits for {reason}")
        print(f"unsteady tests: {len(unsteady)}")
        return 0
    print("unsteady tests: 0")
    # A signal is a negative status.
    return max((abs(result.status) or 1 for result in failed), default=0)


def run_side_by_side(*lanes):
    """Runs lanes of groups side by side, the groups of a lane in turn; returns all runs.

    A group is the flags of a run, or a tuple of further lanes. A lane ends after a failure.
    """
    results = [[] for _ in lanes]

    def run_lane(place):
        for group in lanes[place]:
            runs = run_side_by_side(*group) if isinstance(group, tuple) else [run(group)]
            results[place] += runs
            # Tests that are unsteady are repeated at the end: only then is the machine free for them.
            if not all(result.passed or result.unsteady for result in runs):
                return

    threads = [threading.Thread(target=run_lane, args=[place]) for place in range(len(lanes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [result for lane in results for result in lane]


def main(arguments):
    # The output of tests bypasses the buffer of `print`.
    sys.stdout.reconfigure(line_buffering=True)
    if arguments:
        names = [UNIT] if arguments == ["unit"] else arguments
        return report(run_side_by_side([[flag for name in names for flag in ("--filter", name)]]))
    commands, *waiting = [["--filter", rf"^{target}\."] for target in WAITING]
    commands += ["--skip", BROWSER, "--skip", DISTANT]
    waiting[0] += ["--skip", TIMED]
    waiting = [["--filter", APART, "--skip", FLEET], *waiting]
    skipped = [UNIT, APART, LIBRARY, SLOW, *(rf"^{target}\." for target in WAITING)]
    return run_all(commands, waiting, [flag for name in skipped for flag in ("--skip", name)])


def run_all(commands, waiting, rest):
    """Runs the unit tests first, but for what measures seconds; returns the status of all that ran."""
    with tempfile.TemporaryDirectory(prefix="contentc-tests-", dir=memory()) as folder:
        # Servers can run as other users.
        os.chmod(folder, 0o755)
        os.environ["TMPDIR"] = folder
        os.environ.setdefault("CONTENTC_FLEET", "1000x2")
        names = (UNIT, LIBRARY, TIMED, DISTANT, BROWSER, FLEET, SLOW)
        unit, library, timed, distant, browser, fleet, slow = (["--filter", name] for name in names)
        results = run_side_by_side(
            [timed, distant, browser], [unit, library, ([commands, slow], [*waiting, fleet], [rest])])
        return report(results)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
