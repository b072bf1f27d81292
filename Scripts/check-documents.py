#!/usr/bin/env python3
"""Checks the Markdown pages: names in backquotes and targets of links exist, and prose has at most 100 columns.

Checked names: paths of this repository, files, types and their members, test suites and tests, commands and
options of contentc, and targets of make. A page may also name the files that it shows with a title, the words in them,
and options of other programs in its code blocks.

Code in blocks is left to the tests that run it: each block of the README and of docs/start, docs/guides and docs/concepts
is one that Scripts/walk-page.py tries, or has a mark that says which other test tries it, or why none does.
"""

import importlib
import pathlib
import posixpath
import re
import subprocess
import sys

sys.dont_write_bytecode = True
walk_page = importlib.import_module("walk-page")

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
# Foreign names, by their owners.
FOREIGN = {
    "HTTP": {"Age", "Authorization", "ETag", "Vary"},
    "Swift": {"Bool", "Character", "Dictionary", "Regex", "Set", "String"},
    "Foundation": {"Data", "Date", "Decimal", "Locale.Language.parent", "URLSession"},
    "browsers": {"BroadcastChannel"},
    "Unicode, in patterns": {"Alphabetic", "Emoji", "Lowercase", "Uppercase", "White_Space"},
    "Bazel": {"ActionResult"},
    "CONTRIBUTING.md, as a bad example": {"ContinuedBuild"},
    "make": {"Makefile"},
    "a cache's type of request": {"urlMap"},
    "the package manager of Swift": {"Package.resolved"},
    "Amazon's tools": {"Ec2InstanceMetadata", "EcsContainer"},
}
KNOWN = set().union(*FOREIGN.values())
TOP = ("Sources/", "Tests/", "Scripts/", "Benchmarks/", "Examples/", "docs/", ".github/", ".ci/", "content/")
# An extension may name a nested type: each part of its name is declared there.
DECLARES = re.compile(
    r"\b(?:struct|class|enum|actor|protocol|typealias|extension|func|var|let|case|associatedtype)\s+`?(\w+(?:\.\w+)*)")


class Repository:
    """The files and the declared names of this repository."""

    def __init__(self):
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
            capture_output=True, text=True).stdout.splitlines()
        self.files = {name for name in listed if (ROOT / name).exists()}
        self.folders = {str(parent) for name in self.files for parent in pathlib.PurePath(name).parents}
        self.bases = {pathlib.PurePath(name).name for name in self.files}
        self.swift = {name: self.read(name) for name in self.files if name.endswith(".swift")}
        self.declared = {
            path: {part for name in DECLARES.findall(text) for part in name.split(".")}
            for path, text in self.swift.items()}
        self.targets = set(re.findall(r"(?m)^([a-z-]+):", self.read("Makefile")))
        self.words = set()
        for name in self.files:
            if name.startswith(("Sources/", "Tests/", "Benchmarks/", "Scripts/", "content/")):
                self.words |= set(re.findall(r"\w+", self.read(name)))
        commands = [text for name, text in self.swift.items() if name.startswith("Sources/ContentcCommands/")]
        self.commands, self.options = {"help"}, {"--version", "--help"}
        for text in commands:
            for kind in re.findall(r"(?m)^struct (\w+): \w*Command\b", text):
                self.commands.add(re.sub("(?<!^)(?=[A-Z])", "-", re.sub("Command$", "", kind)).lower())
            self.options |= {"--" + name for name in re.findall(r'\.customLong\("([\w-]+)"', text)}
            for found in re.findall(r"(?m)^ +@(?:Option|Flag)\b(?:(?!\n *var ).|\n)*?\n? *var (\w+)", text):
                self.options.add("--" + re.sub("[A-Z]", lambda letter: "-" + letter.group().lower(), found))
        self.options |= {f"--no-{name[2:]}" for name in self.options}

    @staticmethod
    def read(name):
        return (ROOT / name).read_text(encoding="utf-8", errors="replace")

    def has_path(self, path):
        """True for a file or folder; `…` and `*` stand for any text."""
        path = path.rstrip("/")
        if "…" not in path and "*" not in path:
            return path in self.files or path in self.folders
        pattern = re.compile(re.escape(path).replace("…", "[^/]*").replace(r"\*", "[^/]*") + r"(\.swift)?")
        return any(pattern.fullmatch(name) for name in self.files | self.folders)

    def declaring(self, name, below=""):
        """The Swift files that declare or extend a name."""
        return [path for path, names in self.declared.items() if path.startswith(below) and name in names]

    def is_module(self, name):
        return f"Sources/{name}" in self.folders or f"Tests/{name}" in self.folders

    def has_member(self, kind, member):
        return any(member in self.declared[path] for path in self.declaring(kind))


def is_known(code, repository):
    """True unless the code has the form of a checked name and that name does not exist."""
    if code in KNOWN:
        return True
    words = code.split()
    if words[0].startswith("--") or words[0] == "contentc":
        for word in re.findall(r"(?<![\w-])--[a-z][a-z-]*", code):
            if word not in repository.options:
                return False
    if words[0] == "make" and len(words) > 1:
        return words[1] in repository.targets
    if words[0] == "contentc" and len(words) > 1 and re.fullmatch("[a-z]+(-[a-z]+)*", words[1]) and words[1] != "record":
        return words[1] in repository.commands
    if len(words) > 1:
        # A path in a command, and a test in a filter.
        return all(is_known(word.strip("'"), repository) for word in words if re.match(r"'?\w+Tests\b", word))
    if code.startswith(TOP) and re.fullmatch(r"[\w./+…*-]+", code):
        # content/ is also the name of every project's folder.
        return repository.has_path(code) or code.startswith("content/")
    if re.fullmatch(r"[\w+-]+\.(swift|py|sh|js)", code):
        return code in repository.bases
    if re.fullmatch(r"[A-Z]\w*(?:/[\w+…]+)+(?:\.swift)?", code):
        return has_part(code, repository)
    if re.fullmatch(r"[A-Z]\w*[a-z]\w*", code):
        return repository.is_module(code) or bool(repository.declaring(code)) or any(
            folder.endswith("/" + code) for folder in repository.folders)
    if re.fullmatch(r"[A-Z]\w*[a-z]\w*(?:\.\w+)+", code):
        *_, kind, member = code.split(".")
        return repository.has_member(kind, member)
    if re.fullmatch(r"[a-z]+[A-Z]\w*", code):
        return code in repository.words
    return True


def has_part(code, repository):
    """True for a folder or type of a module, and for a test of a suite."""
    first, rest = code.split("/", 1)
    if not repository.is_module(first):
        return repository.has_member(first, rest)
    last = rest.split("/")[-1]
    return any(
        repository.has_path(f"{top}/{first}/{rest}{end}") or repository.has_path(f"{top}/{first}/*/{rest}{end}")
        or ("…" not in last and bool(repository.declaring(last, f"{top}/{first}/")))
        for top in ("Sources", "Tests") for end in ("", ".swift"))


def own_names(text):
    """The files that a page shows with a title, the words in them, and options of other programs in its blocks."""
    names = set()
    for block in re.findall(r"(?ms)^ *```\w[^\n]*\n(.*?)^ *```$", text):
        for line in block.split("\n"):
            if not re.search(r"\bcontentc\b", line):
                names |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line))
    for path, file in re.findall(r'(?ms)^```\w+ title="([^"]+)"\n(.*?)^```$', text):
        names |= {path, pathlib.PurePath(path).name, *re.findall(r"\w+", file)}
    return names


def faults(text, repository, has_names=True):
    """The unknown names and the long lines of a page, each with its line."""
    is_code = is_superseded = False
    own = own_names(text)
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
            continue
        if is_code:
            continue
        # Superseded decisions may name removed code.
        is_superseded = is_superseded or line == "## Superseded"
        if len(line) > COLUMNS and not re.match(r"\||#|<|!\[|\[[^]]+\]: ", line.lstrip()):
            yield number, f"{len(line)} columns"
        if line.count("`") % 2:
            yield number, "code in backquotes is broken over two lines"
        elif has_names and not is_superseded:
            for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", line):
                option = code.split()[0] if code.startswith("--") else code
                if code not in own and option not in own and not is_known(code, repository):
                    yield number, f"no '{code}' here"


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    for heading in re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```", "", text)):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        yield re.sub(r"[^\w -]", "", heading).replace(" ", "-")


def broken_links(name, text, repository):
    """The links of a page to files and headings that do not exist."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        is_code ^= line.startswith("```")
        for link in [] if is_code else re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
            if re.match(r"https?:", link):
                continue
            path, _, anchor = link.partition("#")
            target = posixpath.normpath(pathlib.PurePath(name).parent / path) if path else name
            if target not in repository.files and target not in repository.folders:
                yield number, f"no file {link}"
            elif anchor and anchor not in anchors(repository.read(target)):
                yield number, f"no heading for {link}"


def main():
    repository = Repository()
    made_up = ["NoSuchType", "Publisher.noSuchMember", "Scripts/no-such.py", "NoSuch.swift", "ContentcTests/NoSuchTests",
               "contentc nosuch", "contentc no-such", "--no-such-option", "make nosuch", "RuleTests/noSuchTest", "noSuchName" + "AtAll"]
    missed = [name for name in made_up if is_known(name, repository)]
    links = list(broken_links("README.md", "[a](docs/no-such.md)\n[b](docs/reference/cache.md#no-such)", repository))
    page = "```sh\nother --foreign X\ncontentc build --made-up\n```\n`--foreign Y` `--made-up`"
    options = [fault for _, fault in faults(page, repository)]
    failed = (bool(missed) or len(links) != 2 or not list(faults("word " * 21, repository))
              or options != ["no '--made-up' here"])
    if failed:
        print(f"Scripts/check-documents.py misjudges made-up names and links: {missed} {options}", file=sys.stderr)
    for name in sorted(repository.files):
        if not re.fullmatch(r"(\.github/)?[A-Z_a-z]+\.md|docs/([^/]+/)*[^/]+\.md|\.github/.*\.md", name):
            continue
        text = repository.read(name)
        found = [*faults(text, repository, has_names=name != "CHANGELOG.md"), *broken_links(name, text, repository)]
        for number, fault in sorted(found):
            print(f"{name}:{number}: {fault}", file=sys.stderr)
            failed = True
    for name in sorted(repository.files):
        if re.fullmatch(r"README\.md|docs/(start|guides|concepts)/[^/]+\.md", name):
            try:
                walk_page.steps_of(ROOT / name)
            except walk_page.Wrong as wrong:
                print(str(wrong).removeprefix(f"{ROOT}/"), file=sys.stderr)
                failed = True
    return 1 if failed else 0


sys.exit(main())
