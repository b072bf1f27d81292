#!/usr/bin/env python3
"""Tests of the benchmark itself: its comparisons, counts and verdicts."""

import hashlib
import json
import pathlib
import plistlib
import subprocess
import sys
import tempfile
import unittest

from compare import differences_from_hugo, differences_from_peer
from figures import Figure
from instructions import verdicts
from reading import figures
from rounds import Rounds, Run

HERE = pathlib.Path(__file__).resolve().parent
CONTEXT = ("fr", "ipad", "aisle-000")


def bundle(price=19.5, title="Rose"):
    return {"format": 1, "entries": {"aisle-000/p00000": {"content": {"price": price, "title": title}}}}


def write_object(out, value, extension="plist"):
    data = json.dumps(value).encode() if extension == "json" else plistlib.dumps(value, fmt=plistlib.FMT_BINARY)
    name = hashlib.sha256(data).hexdigest()
    path = out / "objects" / name[:2] / f"{name}.{extension}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return name, path


class ComparisonTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def ours(self, value, extension="plist"):
        """A build of one bundle in one context."""
        out = self.folder / "ours"
        link = bytes.fromhex if extension == "plist" else str
        name, self.bundle_path = write_object(out, value, extension)
        index, _ = write_object(out, {"bundles": {CONTEXT[2]: {"object": link(name)}}}, extension)
        config = {"indexes": {CONTEXT[0]: {CONTEXT[1]: link(index)}}}
        (out / "preview").mkdir()
        data = plistlib.dumps(config) if extension == "plist" else json.dumps(config).encode()
        (out / "preview" / f"config.{extension}").write_bytes(data)
        return out

    def peer(self, value, device="ipad"):
        peer = self.folder / "peer"
        name, _ = write_object(peer, value)
        (peer / "map.json").write_text(json.dumps({"fr": {device: {"aisle-000": name}}}))
        return peer

    def hugo(self, value):
        page = self.folder.joinpath("hugo", *CONTEXT) / "index.json"
        page.parent.mkdir(parents=True)
        page.write_text(json.dumps(value))
        return self.folder / "hugo"

    def test_finds_equal_bundles_equal(self):
        self.assertEqual(list(differences_from_peer(self.ours(bundle()), self.peer(bundle()))), [])

    def test_finds_one_changed_value(self):
        self.assertEqual(len(list(differences_from_peer(self.ours(bundle()), self.peer(bundle(title="Lily"))))), 1)

    def test_tells_a_real_from_an_integer(self):
        self.assertEqual(len(list(differences_from_peer(self.ours(bundle(20.0)), self.peer(bundle(20))))), 1)

    def test_finds_a_context_that_one_side_lacks(self):
        self.assertEqual(len(list(differences_from_peer(self.ours(bundle()), self.peer(bundle(), "phone")))), 2)

    def test_refuses_an_object_that_is_not_what_its_name_says(self):
        out, peer = self.ours(bundle()), self.peer(bundle())
        self.bundle_path.write_bytes(plistlib.dumps(bundle(title="Lily")))
        with self.assertRaises(SystemExit):
            list(differences_from_peer(out, peer))

    def test_holds_json_against_hugos_pages(self):
        out, site = self.ours(bundle(20.0), "json"), self.hugo(bundle(20))
        self.assertEqual(list(differences_from_hugo(out, site)), [])

    def test_finds_one_changed_value_in_hugos_pages(self):
        out, site = self.ours(bundle(), "json"), self.hugo(bundle(title="Lily"))
        self.assertEqual(len(list(differences_from_hugo(out, site))), 1)


class GeneratorTests(unittest.TestCase):
    def test_writes_equal_files_for_equal_arguments(self):
        trees = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                content = pathlib.Path(folder) / "content"
                arguments = ["--products", "7", "--locales", "5", content]
                subprocess.run([sys.executable, HERE / "generate-shop.py", *arguments], check=True)
                trees.append({path.relative_to(content): path.read_bytes() for path in content.rglob("*.yaml")})
        self.assertEqual(trees[0], trees[1])
        self.assertEqual(len(trees[0]), 1 + 1 + 7 + 4 + 3)


class JudgementTests(unittest.TestCase):
    def test_judges_by_the_limits(self):
        for value, higher, verdict in [
            (8, True, "goal"), (5, True, "must"), (3, True, "MISSED"), (3, False, "goal"), (5, False, "must"),
        ]:
            must, goal = (4, 7) if higher else (7, 4)
            self.assertEqual(Figure("f", value, must, goal, higher_is_better=higher).verdict, verdict)
        self.assertEqual(Figure("f", None, 4, 7).verdict, "–")

    def test_takes_ratios_within_rounds(self):
        runs = {"a": [Run(seconds, 1) for seconds in (2, 20, 6)], "b": [Run(seconds, 2) for seconds in (1, 10, 2)]}
        self.assertEqual(Rounds(runs).ratio("a", "b"), 2)

    def test_takes_a_clients_times_from_its_rounds(self):
        ours, peers = ["open", "open and read", "open and find", "read", "switch"], ["read by Foundation", "field by Foundation"]
        seconds = {task: [0.004, 0.1, 0.003] for task in ours} | {task: [0.02, 0.5, 0.015] for task in peers}
        seconds |= {task: [1e-6, 2e-6, 3e-6] for task in ("field", "entry", "find")}
        found = {figure.name: figure for figure in figures(seconds, stored=60_000_000)}
        self.assertEqual(found["client: open what is stored"].value, 4)
        self.assertEqual(found["client: open what is stored"].verdict, "must")
        self.assertEqual(found["client: the same, faster than PropertyListDecoder"].value, 5)
        with self.assertRaises(SystemExit):
            list(figures(seconds, stored=1_000))

    def test_fails_above_the_tolerance_only(self):
        committed = {"cold": 1000}
        for count, fails in [(1000, False), (1099, False), (1101, True), (500, False)]:
            found = list(verdicts(committed, {"cold": count}, tolerance=0.1))
            self.assertEqual([fail for _, fail in found], [fails])
        self.assertIn("record", list(verdicts(committed, {"cold": 500}, 0.1))[0][0])
        self.assertTrue(list(verdicts({}, {"cold": 1}, 0.1))[0][1])


if __name__ == "__main__":
    unittest.main()
