#!/usr/bin/env python3
"""Which failures get a second chance, which never, and where tests write."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import types
import unittest
from unittest import mock

SPEC = importlib.util.spec_from_file_location("run_tests", pathlib.Path(__file__).with_name("run-tests.py"))
RUN_TESTS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(RUN_TESTS)

TIMED, PURE = "DeliveryServerTests.EdgeCacheTests/a()", "ContentcTests.NothingLostTests/b()"


def event(kind, test=None, **more):
    place = {} if test is None else {"testID": f"{test}/File.swift:1:2"}
    return json.dumps({"kind": "event", "payload": {"kind": kind, "messages": [], **place, **more}})


def issue(test, is_known=False):
    return event("issueRecorded", test, issue={"isKnown": is_known})


def events(*failed, passed=()):
    return [*map(issue, failed), *(event("testEnded", test) for test in [*failed, *passed]), event("runEnded")]


def a_run(lines, status=1):
    return RUN_TESTS.Run(["--filter", "x"], status, lines)


class SecondChances(unittest.TestCase):
    def expect(self, tests, lines, status=1):
        self.assertEqual(set(a_run(lines, status).unsteady), set(tests))

    def test_are_for_targets_that_wait(self):
        for target in RUN_TESTS.WAITING:
            self.expect([f"{target}.X/a(b:)"], events(f"{target}.X/a(b:)", passed=[PURE]))

    def test_are_for_no_other_target(self):
        self.expect([], events(PURE))
        self.expect([], events(TIMED, PURE))
        self.expect([], events("DeliveryServerTestsOfOthers.X/a()"))

    def test_are_not_for_what_did_not_come_to_its_end(self):
        self.expect([], events(TIMED)[:-1], status=-11)
        self.expect([], [issue(TIMED), event("runEnded")])
        self.expect([], [*events(TIMED)[:-1], event("runEn")[:-9]])

    def test_are_not_for_what_no_test_recorded(self):
        self.expect([], [issue(None), *events(TIMED)])
        self.expect([], [issue("DeliveryServerTests.EdgeCacheTests"), *events()])

    def test_name_targets_that_exist(self):
        package = (RUN_TESTS.ROOT / "Package.swift").read_text(encoding="utf-8")
        for target in RUN_TESTS.WAITING:
            self.assertTrue((RUN_TESTS.ROOT / "Tests" / target).is_dir(), target)
            self.assertIn(f'"{target.removesuffix("Tests")}', package)


class Statuses(unittest.TestCase):
    def status(self, *runs, passing=True):
        asked = []
        RUN_TESTS.pass_by_themselves = lambda tests: asked.append(set(tests)) or passing
        with contextlib.redirect_stdout(io.StringIO()) as text:
            status = RUN_TESTS.report(runs)
        return status, asked, text.getvalue().splitlines()[-1]

    def test_are_0_if_all_tests_passed(self):
        self.assertEqual(self.status(a_run(events(passed=[PURE]), 0)), (0, [], "unsteady tests: 0"))
        known = [issue(PURE, is_known=True), *events(passed=[PURE])]
        self.assertEqual(self.status(a_run(known, 0))[0], 0)

    def test_tell_of_a_crash_and_of_a_run_without_tests(self):
        for status in (-11, 0, 1):
            self.assertEqual(self.status(a_run([], status))[:2], (abs(status) or 1, []))
        self.assertEqual(self.status(a_run(events(), 0))[:2], (1, []))

    def test_are_0_if_all_that_failed_pass_by_themselves(self):
        runs = a_run(events(TIMED)), a_run(events(passed=[PURE]), 0)
        self.assertEqual(self.status(*runs), (0, [{TIMED}], "unsteady tests: 1"))
        self.assertEqual(self.status(*runs, passing=False)[0], 1)

    def test_give_no_chance_beside_another_failure(self):
        self.assertEqual(self.status(a_run(events(TIMED)), a_run(events(PURE)))[:2], (1, []))

    def test_give_few_a_chance(self):
        runs = [a_run(events(f"DeliveryServerTests.X/a{number}()")) for number in range(4)]
        self.assertEqual(self.status(*runs)[:2], (1, []))
        self.assertEqual(self.status(*runs[:3])[0], 0)


class TemporaryFolders(unittest.TestCase):
    def memory(self, free, flags=0, parent=pathlib.Path("/")):
        system = types.SimpleNamespace(f_bavail=free, f_frsize=1, f_flag=flags)
        with mock.patch.object(RUN_TESTS, "MEMORY", parent), \
                mock.patch("os.access", lambda path, _: path.exists()), mock.patch("os.statvfs", lambda _: system):
            return RUN_TESTS.memory()

    def test_are_in_memory_with_room_only(self):
        self.assertEqual(self.memory(RUN_TESTS.ROOM), pathlib.Path("/"))
        self.assertIsNone(self.memory(RUN_TESTS.ROOM - 1))

    def test_are_where_programs_start(self):
        self.assertIsNone(self.memory(RUN_TESTS.ROOM, os.ST_NOEXEC))
        self.assertIsNone(self.memory(RUN_TESTS.ROOM, parent=pathlib.Path("/none")))


if __name__ == "__main__":
    unittest.main()
