#!/usr/bin/env python3
"""Writes the manual pages of contentc: make-man-pages.py CONTENTC FOLDER.

The program CONTENTC describes its commands, and docs/reference/shell.md has the tables of variables and files. FOLDER gets
contentc.1 and a page for each command, such as contentc-keys-init.1. Equal programs give equal pages: their date is
that of SOURCE_DATE_EPOCH, or else the newest one in CHANGELOG.md.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The argument parser adds this subcommand; it gets no page.
HELP = "help"


def main(program, folder):
    program = str(pathlib.Path(program).resolve())
    described = json.loads(output(program, "--experimental-dump-help"))
    if described["serializationVersion"] != 0:
        sys.exit("make-man-pages.py: the program describes itself in an unknown format")
    version = output(program, "--version").split("\n")[0]
    book = Book(version, date(), table("Environment variables"), table("Files"))
    pages = book.pages(described["command"])
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        (folder / f"{name}.1").write_text(text, encoding="utf-8")


def output(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, encoding="utf-8").stdout


def date():
    """The date of the pages, in the form of ISO 8601."""
    if seconds := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%d")
    dates = re.findall(r"(?m)^## .*?(\d{4}-\d{2}-\d{2})", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if not dates:
        sys.exit("make-man-pages.py: set SOURCE_DATE_EPOCH, because CHANGELOG.md has no date")
    return max(dates)


def table(title):
    """The rows of a table in docs/reference/shell.md: names and their meaning."""
    text = (ROOT / "docs/reference/shell.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"(?m)^\| (`.*?) \| (.*?) \|$", section)
    return [(re.findall(r"`([^`]+)`", names), meaning) for names, meaning in rows]


class Book:
    """All pages; each refers to others."""

    def __init__(self, version, date, variables, files):
        self.version, self.date, self.variables, self.files = version, date, variables, files
        self.commands = {}

    def pages(self, root):
        self.add(root, [])
        return {name: self.page(name, *found) for name, found in self.commands.items()}

    def add(self, command, words):
        """Notes a command and its subcommands, by the names of their pages."""
        words = words + [command["commandName"]]
        self.commands["-".join(words)] = (command, words)
        for child in children(command):
            if child["commandName"] != command.get("defaultSubcommand"):
                self.add(child, words)

    def page(self, name, command, words):
        described = Discussion(command.get("discussion", ""))
        # The page of a group also describes the subcommand that the group runs by itself.
        usual = next((c for c in children(command) if c["commandName"] == command.get("defaultSubcommand")), None)
        usual_described = Discussion(usual.get("discussion", "")) if usual else Discussion("")
        parts = [child for child in children(command) if child is not usual]
        arguments = shown((usual or command).get("arguments", []))
        is_root = len(words) == 1
        page = Page(name, self.date, self.version)
        page.section("NAME", [f"{escaped(name)} \\- {escaped(summary(command))}"])
        page.section("SYNOPSIS", synopsis(words, arguments, bool(parts), usual is not None))
        page.section("DESCRIPTION", paragraphs(described.text or usual_described.text or [command["abstract"]]) + (
            paragraphs(usual_described.text, True) if described.text else []))
        if parts:
            page.section("COMMANDS", [
                line for child in parts for line in
                [".TP", reference("-".join(words + [child["commandName"]])), escaped(child["abstract"])]])
        self.add_arguments(page, arguments)
        statuses = described.statuses + usual_described.statuses
        lines = entries((str(status), meaning) for status, meaning in statuses)
        if not is_root:
            others = "the other" if statuses else "all"
            lines += [".PP"] * bool(statuses) + [f"{reference('contentc')} lists {others} statuses."]
        page.section("EXIT STATUS", lines)
        self.add_environment(page, is_root)
        if is_root:
            page.section("FILES", entries((", ".join(names), meaning) for names, meaning in self.files))
        page.section("EXAMPLES", examples(list(dict.fromkeys(described.examples + usual_described.examples))))
        page.section("SEE ALSO", self.see_also(name, page) + [
            ".PP", "The documents below docs/ that this page names are part of the source code."])
        return page.text

    def add_arguments(self, page, arguments):
        page.section("ARGUMENTS", argument_entries(a for a in arguments if a["kind"] == "positional"))
        options = [a for a in arguments if a["kind"] != "positional"]
        titles = list(dict.fromkeys(a.get("sectionTitle", "") for a in options))
        lines = []
        for title in titles:
            if len(titles) > 1:
                lines.append(f".SS {escaped(title) or 'Other options'}")
            lines += argument_entries(a for a in options if a.get("sectionTitle", "") == title)
        page.section("OPTIONS", lines)

    def add_environment(self, page, is_root):
        """Adds the section ENVIRONMENT: the first page has all variables, another page those that it mentions."""
        rows = [row for row in self.variables if is_root or any(page.mentions(name) for name in row[0])]
        lines = entries((", ".join(names), meaning) for names, meaning in rows)
        if lines and not is_root:
            lines += [".PP", f"{reference('contentc')} lists all variables."]
        page.section("ENVIRONMENT", lines)

    def see_also(self, name, page):
        """The lines of SEE ALSO: the pages of groups around the command, of its subcommands, and of commands that
        the page mentions."""
        named = [other for other, (_, words) in self.commands.items()
                 if len(words) > 1 and page.mentions(" ".join(words), f"'{' '.join(words[1:])}'")]
        family = [other for other in self.commands
                  if name.startswith(f"{other}-") or (other.startswith(f"{name}-") and name != "contentc")]
        others = sorted({"contentc", *named, *family} - {name})
        return [reference(other, "," if other != others[-1] else "") for other in others] or [
            f"{reference('contentc-init')} and the pages of the other commands."]


class Discussion:
    """The parts of a command's help."""

    def __init__(self, text):
        self.text, self.statuses, self.examples = [], [], []
        for part in text.split("\n\n"):
            first, _, rest = part.partition("\n")
            if first == "Exit status:":
                for line in rest.split("\n"):
                    found = re.match(r" {2}(\d+) +(.*)", line)
                    if found:
                        self.statuses.append([int(found[1]), found[2]])
                    else:
                        self.statuses[-1][1] += " " + line.strip()
            elif first.startswith("Exit status: "):
                for status in part.removeprefix("Exit status: ").rstrip(".").split("; "):
                    number, meaning = status.split(" ", 1)
                    self.statuses.append([int(number), meaning])
            elif first in ("Example:", "Examples:"):
                self.examples += textwrap.dedent(rest).split("\n")
            elif part:
                self.text.append(part)


class Page:
    """The text of a page, in the macros of man(7)."""

    def __init__(self, name, date, version):
        self.plain = ""
        title = f'{escaped(name).upper()} 1 {date} "contentc {escaped(version)}" "User Commands"'
        # Words and lines stay as they are, because readers copy commands.
        self.text = f'.\\" Made by Scripts/make-man-pages.py.\n.TH {title}\n.nh\n.ad l\n'

    def section(self, title, lines):
        if not lines:
            return
        text = "\n".join(lines) + "\n"
        self.text += f".SH {title}\n{text}"
        self.plain += re.sub(r"\\f.|\\%", "", text).replace("\\-", "-").replace("\\(aq", "'").replace("\n", " ")

    def mentions(self, *texts):
        return any(re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", self.plain) for text in texts)


def children(command):
    return [child for child in command.get("subcommands", [])
            if child.get("shouldDisplay", True) and child["commandName"] != HELP]


def shown(arguments):
    return [argument for argument in arguments if argument.get("shouldDisplay", True)]


def summary(command):
    """The abstract as the line of apropos: without a full stop."""
    return command["abstract"].rstrip(".")


def synopsis(words, arguments, has_parts, has_usual):
    name = bold(" ".join(words))
    lines = []
    if has_parts:
        lines.append(f"{name} \\fIcommand\\fR [\\fIoptions\\fR]")
    if has_usual or not has_parts:
        line = name
        for argument in arguments:
            value = f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument["isRepeating"] else "")
            if argument["kind"] == "option" and not argument["isOptional"]:
                line += f" {bold('--' + argument['preferredName']['name'])} {value}"
        if any(a["kind"] != "positional" and a["isOptional"] for a in arguments):
            line += " [\\fIoptions\\fR]"
        for argument in arguments:
            value = f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument["isRepeating"] else "")
            if argument["kind"] == "positional":
                line += f" [{value}]" if argument["isOptional"] else f" {value}"
        lines.append(line)
    return [line for each in lines for line in (each, ".br")][:-1]


def argument_entries(arguments):
    """The paragraphs of arguments and options; flags that exclude each other share one."""
    merged = []
    for argument in arguments:
        if merged and argument["kind"] == "flag" and merged[-1][0]["kind"] == "flag" \
                and argument.get("abstract") == merged[-1][0].get("abstract"):
            merged[-1].append(argument)
        else:
            merged.append([argument])
    lines = []
    for group in merged:
        first = group[0]
        names = sorted((n for a in group for n in a.get("names", [])), key=lambda n: n["kind"] != "short")
        tag = ", ".join(bold(("-" if n["kind"] == "short" else "--") + n["name"]) for n in names)
        if first["kind"] != "flag":
            tag = " ".join(filter(None, [tag, f"\\fI{escaped(first['valueName'])}\\fR"]))
        text = first.get("abstract", "")
        if values := first.get("allValues"):
            text += f" The values are {', '.join(values)}."
        if (default := first.get("defaultValue")) and "Default:" not in text:
            text += f" Default: {default}."
        lines += [".TP", tag, *paragraphs([text])]
    return lines


def entries(rows):
    return [line for tag, text in rows for line in (".TP", bold(tag), *paragraphs([text]))]


def examples(lines):
    return [".EX", *(protected(escaped(line)) for line in lines), ".EE"] if lines else []


def paragraphs(texts, is_continued=False):
    """The lines of paragraphs, with a line for each sentence."""
    lines = []
    for text in texts:
        if lines or is_continued:
            lines.append(".PP")
        if re.search(r"(?m)^ ", text):
            lines += [".nf", *(protected(marked(line)) for line in text.split("\n")), ".fi"]
        else:
            sentences = re.split(r"(?<=[.:]) (?=[A-Z'])", text.replace("\n", " "))
            lines += [protected(marked(sentence)) for sentence in sentences]
    return lines


def marked(text):
    """Escapes a text of the help or of a Markdown table, with options in bold."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text).replace("`", "")
    return re.sub(r"(?<![\w\\-])\\-\\-[a-z](?:[a-z]|\\-)*", lambda option: f"\\fB{option[0]}\\fR", escaped(text))


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def reference(name, end=""):
    return f"\\fB\\%{escaped(name)}\\fR(1){end}"


def escaped(text):
    """A text in which roff finds no escapes, and shows ASCII characters as they are."""
    special = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\"": "\\(dq"}
    return "".join(
        special.get(each, each if each.isascii() else f"\\[u{ord(each):04X}]") for each in text)


def protected(line):
    """A line that is no request; a leading space would end the line before."""
    return f"\\&{line}" if line.startswith((".", " ")) else line


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
