#!/usr/bin/env python3
"""Which failures get a second chance, and which never."""

import contextlib
import fnmatch
import importlib.util
import io
import pathlib
import unittest

SPEC = importlib.util.spec_from_file_location("run_tests", pathlib.Path(__file__).with_name("run-tests.py"))
RUN_TESTS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(RUN_TESTS)

TIMED, PURE = "EdgeCacheTests.swift", "BundleTests.swift"


def issue(name, file):
    return f"✘ Test {name} recorded an issue at {file}:1:2: Expectation failed: a == b\n↳ more\n"


def failed(name):
    return f"✘ Test {name} failed after 2.1 seconds with 1 issue.\n"


def end(count):
    return f"✘ Test run with 9 tests in 2 suites failed after 7.8 seconds with {count} issue{'s' if count > 1 else ''}.\n"


class SecondChances(unittest.TestCase):
    def expect(self, names, *log):
        self.assertEqual(set(RUN_TESTS.unsteady("".join(log))), set(names))

    def test_are_for_what_waits_for_servers_and_clocks(self):
        self.expect(["a()"], issue("a()", TIMED), failed("a()"), end(1))
        of_several = "✘ Test b(kind:) with 3 test cases failed after 2 seconds with 1 issue.\n"
        argument = "✘ Test b(kind:) recorded an issue with 1 argument kind → .x at StalenessTests.swift:1:2: x\n"
        self.expect(["a()", "b(kind:)"], issue("a()", TIMED), argument, failed("a()"), of_several, end(2))

    def test_are_for_what_waits_for_a_browser(self):
        log = [
            '✘ Test passes(group:) recorded an issue with 1 argument group → "live" at PreviewBrowserTests.swift:1:2: x\n',
            "✘ Test passes(group:) with 11 test cases failed after 2 seconds with 1 issue.\n", end(1)]
        self.expect(["passes(group:)"], *log)

    def test_are_for_nothing_that_compares_bytes(self):
        self.expect([], issue("a()", PURE), failed("a()"), end(1))
        self.expect([], issue("a()", TIMED), issue("b()", PURE), failed("a()"), failed("b()"), end(2))
        self.expect([], issue("a()", "NothingLostTests.swift"), failed("a()"), end(1))
        self.expect([], issue("a()", "NoSuchFile.swift"), failed("a()"), end(1))

    def test_are_for_no_test_of_a_simulated_clock(self):
        self.expect([], issue("a()", "CDNConformanceTests.swift"), failed("a()"), end(1))
        self.expect([], issue("a()", "QRCodeTests.swift"), failed("a()"), end(1))

    def test_name_files_that_exist(self):
        tests = RUN_TESTS.ROOT / "Tests"
        files = [path.relative_to(tests).as_posix() for path in tests.rglob("*.swift")]
        for rule in RUN_TESTS.WAITING:
            self.assertTrue(fnmatch.filter(files, rule), rule)

    def test_are_not_for_what_did_not_come_to_its_end(self):
        log = issue("a()", TIMED) + failed("a()")
        self.expect([], log)
        self.expect([], log, "Fatal error: Index out of range\n", end(1))
        self.expect([], log, "error: Exited with unexpected signal code 4\n")

    def test_are_not_for_what_cannot_be_told(self):
        log = issue("a()", TIMED) + failed("a()")
        self.expect([], log, end(2))
        self.expect([], log, "server is ready ", issue("b()", PURE), end(2))
        self.expect([], issue('"a name"', TIMED), failed('"a name"'), end(1))

    def test_are_for_few(self):
        names = [f"a{number}()" for number in range(4)]
        log = "".join(issue(name, TIMED) + failed(name) for name in names)
        self.expect([], log, end(4))


class Statuses(unittest.TestCase):
    def test_tell_of_a_crash_and_of_a_run_without_tests(self):
        for status in (-11, 0, 1):
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertGreater(RUN_TESTS.report(["--filter", "x"], status, ""), 0)


if __name__ == "__main__":
    unittest.main()
