#!/usr/bin/env python3
"""Counts obstacles to reading in the sources, and compares the counts with recorded ones, which may only fall.

  Scripts/measure-sources.py            print the counts beside the recorded ones; fail where one is above
  Scripts/measure-sources.py --check    the same, but print only those that are above, and the room of the others
  Scripts/measure-sources.py --record   record the counts where they have fallen
  Scripts/measure-sources.py --list summaries | words | parameters | columns | small | folder | module
                                        print the places of one count; of the last two, the largest
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORD = ROOT / "Scripts/measures.json"
RELATIVE = re.compile(r"(What|Who|Whom|Whose|Where|Whether|Those|Which|How)\b")
VAGUE = re.compile(r"\b(somebody|nobody|whoever|anew|what is|comes|goes|stands|lies)\b", re.IGNORECASE)
COLUMNS = 100
SMALL = 30
LARGEST = 10
# Generated files are not measured.
GENERATED = {"Sources/ContentModel/Locales/CLDRTables.swift"}


def swift_files(*folders):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout.splitlines()
    paths = [ROOT / name for name in listed if name.endswith(".swift") and name not in GENERATED]
    return [path for path in paths if path.exists() and not path.is_symlink()]


def printed_configurations():
    """The templates of server configurations, whose comments operators read."""
    return sorted((ROOT / "Sources/ContentCaches/Templates").iterdir())


def summaries(lines):
    """The first line of each documentation comment, with its number."""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        before = lines[number - 2].strip() if number > 1 else ""
        if text.startswith("///") and not before.startswith("///"):
            yield number, text[3:].strip()


def comments(lines):
    """The text of each comment line, with its number."""
    for number, line in enumerate(lines, 1):
        found = re.match(r"\s*///?(?!/)\s?(.*)", line)
        if found:
            yield number, found.group(1)


def functions(text):
    """The line and the parameters of each function, initializer and subscript."""
    for found in re.finditer(r"(?m)^[^/\n\"]*\b(?:func\s+[\w`+\-*/<>=!&|^~%]+|init[?!]?|subscript)\s*(?:<[^>(]*>)?\(", text):
        if re.search(r"(self|super|\.)\.?init[?!]?\s*\($", found.group(0)) or "case " in found.group(0):
            continue
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[end], 0)
            end += 1
        yield text.count("\n", 0, found.start()) + 1, found.group(0), split(text[found.end():end - 1])


def split(parameters):
    """Parameters at the commas that are not within brackets."""
    parts, depth, last = [], 0, 0
    for index, character in enumerate(parameters):
        depth += {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == ">" and parameters[index - 1:index] != "-":
            depth -= 1
        if character == "," and depth == 0:
            parts.append(parameters[last:index])
            last = index + 1
    return [part.strip() for part in [*parts, parameters[last:]] if part.strip()]


def measure():
    """Each count as (value, unit, places)."""
    sources, everything = swift_files("Sources"), swift_files("Sources", "Tests", "Package.swift")
    places = collections.defaultdict(list)
    words = functions_seen = lines_seen = 0
    modules, folders = collections.Counter(), collections.Counter()
    for path in everything:
        name, text = str(path.relative_to(ROOT)), path.read_text()
        lines = text.splitlines()
        lines_seen += len(lines)
        places["columns"] += [f"{name}:{n}" for n, line in enumerate(lines, 1) if len(line) > COLUMNS]
        if path not in sources:
            continue
        modules[name.split("/")[1]] += len(lines)
        folders[str(path.relative_to(ROOT).parent)] += 1
        if len(lines) <= SMALL:
            places["small"].append(name)
        places["summaries"] += [f"{name}:{n}: {t}" for n, t in summaries(lines) if RELATIVE.match(t)]
        for number, comment in comments(lines):
            words += len(comment.split())
            places["words"] += [f"{name}:{number}: {word}" for word in VAGUE.findall(comment)]
        for number, head, parameters in functions(text):
            functions_seen += 1
            # The operands of an operator have no labels.
            is_operator = not re.search(r"(func\s+[\w`]+|init[?!]?|subscript)\s*(<[^>(]*>)?\($", head)
            bare = sum(1 for p in parameters if re.match(r"(@\w+\s+)*_\s", p))
            if bare >= 2 and not is_operator:
                places["parameters"].append(f"{name}:{number}: {head.strip()}")
    for path in [*swift_files("Examples"), *printed_configurations()]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r"\s*(?://+|#)\s?(.*)", line)
            words += len(found.group(1).split()) if found else 0
            places["words"] += [
                f"{path.relative_to(ROOT)}:{number}: {word}" for word in VAGUE.findall(found.group(1) if found else "")]
    largest = modules.most_common(1)[0]
    fullest = folders.most_common(1)[0]
    places["folder"] = [f"{name}: {count} files" for name, count in folders.most_common(LARGEST)]
    places["module"] = [f"Sources/{name}: {count} lines" for name, count in modules.most_common(LARGEST)]
    return {
        "summaries": (len(places["summaries"]), "summaries that begin with a relative pronoun", 40),
        "words": (round(1000 * len(places["words"]) / words, 1), "vague words in 1,000 words of comments", 2),
        "parameters": (
            round(100 * len(places["parameters"]) / functions_seen, 1),
            "% of functions with two or more unlabelled parameters", 4),
        "columns": (
            round(100 * len(places["columns"]) / lines_seen, 1), f"% of lines with more than {COLUMNS} columns", 1),
        "small": (
            round(100 * len(places["small"]) / len(sources), 1), f"% of files with at most {SMALL} lines", 12),
        "folder": (fullest[1], f"files in the largest folder, {fullest[0]}", 20),
        "module": (largest[1], f"lines in the largest module, {largest[0]}", 6500),
    }, places


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return
    counts, places = measure()
    if sys.argv[1:2] == ["--list"]:
        if sys.argv[2:] == [] or sys.argv[2] not in counts:
            sys.exit(f"name one of {', '.join(counts)}")
        print("\n".join(places[sys.argv[2]]))
        return
    recorded = json.loads(RECORD.read_text())
    if sys.argv[1:] == ["--record"]:
        recorded = {name: min(count[0], recorded[name]) for name, count in counts.items()}
        RECORD.write_text(json.dumps(recorded, indent=2) + "\n")
    checks = sys.argv[1:2] == ["--check"]
    risen = [name for name, count in counts.items() if count[0] > recorded[name]]
    for name, (value, unit, goal) in counts.items():
        if not checks or name in risen:
            print(f"{name:11} {value:7} (recorded {recorded[name]}, goal {goal}): {unit}")
    if checks:
        room = [f"{name} {round(recorded[name] - count[0], 1):g}" for name, count in counts.items() if name not in risen]
        print(f"room below the recorded counts: {', '.join(room)} ({counts['module'][1]})")
    if risen:
        sys.exit(f"above the recorded number: {', '.join(risen)}; see Scripts/measure-sources.py --list {risen[0]}")


main()
