"""Judges files of translations by readers of others: OASIS's schema, translate-toolkit, Python and LibreOffice.

  judge.py SCHEMAS FOLDER

FOLDER has files NAME.xliff, NAME.xcstrings and NAME.csv, and NAME.json with the units that they must have: a list of
objects with id, source, target (left out if missing) and state. The script ends with an error at the first difference.
"""

import csv
import io
import json
import pathlib
import re
import subprocess
import sys

from lxml import etree
from translate.storage import xliff

STATES = {"new": "new", "needsReview": "needs_review", "translated": "translated", "final": "translated"}
CATEGORIES = ("zero", "one", "two", "few", "many", "other")


def schema(folder):
    """Returns the strict schema of XLIFF 1.2, with its import from this folder: there is no network."""
    tree = etree.parse(folder / "xliff-core-1.2-strict.xsd")
    for found in tree.iter("{http://www.w3.org/2001/XMLSchema}import"):
        found.set("schemaLocation", (folder / "xml.xsd").resolve().as_uri())
    return etree.XMLSchema(tree)


def equal(name, found, expected):
    if len(found) != len(expected):
        sys.exit(f"{name}: {len(found)} units, not {len(expected)}")
    for left, right in zip(found, expected):
        if left != right:
            sys.exit(f"{name}: {left!r} is not {right!r}")


def judge_xliff(path, units, rules):
    if not rules.validate(etree.parse(path)):
        sys.exit(f"{path.name}: {rules.error_log}")
    store = xliff.xlifffile.parsefile(str(path))
    found = []
    for unit in store.units:
        key = unit.xmlelement.get("id")
        has_target = unit.xmlelement.find("{*}target") is not None
        found.append((key, str(unit.source), str(unit.target or "") if has_target else None))
    equal(path.name, found, [(unit["id"], unit["source"], unit["target"]) for unit in units])
    if store.getsourcelanguage() != "en" or store.gettargetlanguage() != "fr":
        sys.exit(f"{path.name}: languages")


def localized(units, key, field):
    found = {}
    for unit in units:
        match = re.fullmatch(r"(?s)(.*)\[([a-z]+)\]", unit["id"])
        if match and match[2] in CATEGORIES and match[1] == key:
            found[match[2]] = unit[field]
        elif unit["id"] == key:
            return unit[field]
    return found


def text(localization):
    def value(node):
        assert set(node) == {"stringUnit"}, node
        assert set(node["stringUnit"]) == {"state", "value"}, node
        assert node["stringUnit"]["state"] in STATES.values(), node
        return node["stringUnit"]["value"]

    if "variations" in localization:
        assert set(localization["variations"]) == {"plural"}
        return {key: value(node) for key, node in localization["variations"]["plural"].items()}
    return value(localization)


def judge_catalog(path, units):
    data = path.read_bytes().decode()
    catalog = json.loads(data)
    assert list(catalog) == ["sourceLanguage", "strings", "version"], list(catalog)
    assert catalog["sourceLanguage"] == "en" and catalog["version"] == "1.0"
    # With these separators, Python writes the spacing and the escapes of Xcode.
    again = json.dumps(catalog, indent=2, separators=(",", " : "), ensure_ascii=False)
    if data != again:
        sys.exit(f"{path.name}: the spacing differs")
    for key, entry in catalog["strings"].items():
        assert list(entry) == sorted(entry) and set(entry) <= {"comment", "extractionState", "localizations"}
        assert entry["extractionState"] == "manual"
        assert list(entry["localizations"]) == ["en", "fr"]
        target = localized(units, key, "target")
        blank = {name: value or "" for name, value in target.items()} if isinstance(target, dict) else target or ""
        equal(path.name, [text(entry["localizations"]["fr"])], [blank])
        source = localized(units, key, "source")
        found = text(entry["localizations"]["en"])
        if isinstance(source, dict):
            assert found and all(source[name] == value for name, value in found.items())
        else:
            equal(path.name, [found], [source])


def cell(value, is_target=False):
    """Returns the cell of a text by OWASP's rule; see FormulaGuard.swift."""
    if value is None:
        return ""
    if is_target and not value:
        return "'"
    return "'" + value if re.match(r"'+\Z|'* *[=+\-@\t\r\n＝＋－＠]", value) else value


def rows_of(units):
    return [[cell(unit["id"]), cell(unit["source"]), cell(unit["target"], True)] for unit in units]


def judge_table(path, units):
    raw = path.read_bytes().decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(raw, newline=""), strict=True))
    assert rows[0] == ["id", "source (en)", "target (fr)", "state", "note", "maximum length", "where used"], rows[0]
    equal(path.name, [row[:3] for row in rows[1:]], rows_of(units))
    for row in rows[1:]:
        if any(value[:1] in ("=", "+", "-", "@", "\t", "\r") for value in row):
            sys.exit(f"{path.name}: a formula: {row}")


def judge_spreadsheet(path, units, office):
    """Opens a table in LibreOffice and saves it as CSV: no cell may change but in its line ends."""
    out = path.parent / "saved"
    profile = f"-env:UserInstallation={(path.parent / 'profile').as_uri()}"
    # The numbers are those of LibreOffice's filter: comma, quotation mark, UTF-8, all cells as text.
    columns = "/".join(f"{number}/2" for number in range(1, 8))
    subprocess.run(
        [office, profile, "--headless", f"--infilter=CSV:44,34,76,1,{columns}", "--convert-to",
         "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false", "--outdir", str(out), str(path)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    raw = (out / path.name).read_bytes().decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(raw, newline=""), strict=True))

    def plain(row):
        return [value.replace("\r\n", "\n").replace("\r", "\n") for value in row]

    equal(f"{path.name} in LibreOffice", [plain(row[:3]) for row in rows[1:]], [plain(row) for row in rows_of(units)])


def expected(folder, name):
    """Returns the expected units; Swift's encoder leaves out what is missing."""
    return [{"target": None, **unit} for unit in json.loads((folder / f"{name}.json").read_text())]


def main():
    schemas, folder = map(pathlib.Path, sys.argv[1:3])
    rules = schema(schemas)
    names = sorted(path.stem for path in folder.glob("*.json"))
    assert names, "no files"
    for name in names:
        units = expected(folder, name)
        judge_xliff(folder / f"{name}.xliff", units, rules)
        judge_catalog(folder / f"{name}.xcstrings", units)
        judge_table(folder / f"{name}.csv", units)
    if len(sys.argv) > 3:
        units = expected(folder, names[0])
        judge_spreadsheet(folder / f"{names[0]}.csv", units, sys.argv[3])
    print(f"{len(names)} of each format")


main()
