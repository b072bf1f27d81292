#!/usr/bin/env python3
"""Does what a page of the documentation says, in an empty folder, and compares what the commands print.

  Scripts/walk-page.py CONTENTC PAGE...             fail if a page is wrong
  Scripts/walk-page.py CONTENTC PAGE... --record    write what the commands print into the pages

CONTENTC is the program. A page is Markdown with these blocks:

  ```console                          lines with '$ ' are commands, for one bash; what they print follows. A line '…'
                                      stands for any lines, and '…' in a line for any text. A command that ends with
                                      '&' goes on in the background; the next one waits for the port that it names.
  ```yaml title="content/a.yaml"      a whole file, which the reader writes into the current folder
  ```yaml title="a.yaml (excerpt)"    lines that the file has at this point
  ```text                             shown only; a command in it, of contentc or after '$ ', is also in another block
  <!-- $ COMMAND -->                  a command that the page does not show, such as what a reader does in a browser
  <!-- not tried: REASON -->          the next block is not tried
  <!-- tried by: NAME -->             another test, which names the page, tries the next block

Sizes, durations, dates and hashes may differ from the page. A command may fail if the page shows its error, or if the
next command prints its status.
"""

import argparse
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SECONDS = 300
MARK = "\036"
LOOPBACK_UP = """python3 -c '
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))'"""
# What differs between two runs of one command.
MEASURED = [
    (r"\b\d[\d.,]* (?:ms|s)\b", "… s"),
    (r"\b\d[\d.,]* ?[kMG]?B\b", "… B"),
    (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?", "…"),
    (r"\b(?=[0-9a-f]*\d)[0-9a-f]{8,128}\b", "…"),
    (r"(?m)^ +(?=… s)", ""),
]


class Wrong(Exception):
    """A page that is not as walks need it, or that does not say what happens."""


class Step:
    """A command or a file of a page, with the number of its line."""

    def __init__(self, line, command=None, output=None, path=None, text=None):
        self.line, self.command, self.output, self.path, self.text = line, command, output, path, text
        self.indentation = ""

    @property
    def is_shown(self):
        return self.output is not None


def tests_named(words):
    """The texts of the suites of tests and the scripts that a mark names."""
    root = pathlib.Path(__file__).resolve().parent.parent
    found = []
    for word in re.findall(r"[\w./-]+", words):
        found += root.glob(f"Tests/*/**/{word}.swift") if word.endswith("Tests") else [root / word]
    return [path.read_text(encoding="utf-8") for path in found if path.is_file()]


def steps_of(page):
    """Returns the steps of a page, without the blocks that other tests try."""
    lines = page.read_text(encoding="utf-8").split("\n")
    found, shown, skipped, at = [], [], False, 0
    while at < len(lines):
        line = lines[at]
        if tried := re.fullmatch(r"<!-- tried by: (.+) -->", line):
            texts = tests_named(tried[1])
            if not texts:
                raise Wrong(f"{page}:{at + 1}: there is no test '{tried[1]}'")
            if not all(f"{page.parent.name}/{page.stem}" in text for text in texts):
                raise Wrong(f"{page}:{at + 1}: '{tried[1]}' does not name this page")
            skipped = True
        elif re.fullmatch(r"<!-- not tried: .+ -->", line):
            skipped = True
        elif hidden := re.fullmatch(r"<!-- \$ (.+) -->", line):
            found.append(Step(at, command=hidden[1]))
        elif fence := re.fullmatch(r"( *)```(\w+)(.*)", line):
            end = next((i for i in range(at + 1, len(lines)) if lines[i] == f"{fence[1]}```"), None)
            if end is None:
                raise Wrong(f"{page}:{at + 1}: the block does not end")
            body = [text.removeprefix(fence[1]) for text in lines[at + 1:end]]
            if not skipped:
                if fence[2] == "text":
                    shown += shown_in(at, body)
                steps = steps_in_block(page, at, fence[2], fence[3], body)
                for step in steps:
                    step.indentation = fence[1]
                found += steps
            skipped, at = False, end
        elif re.match(r" *(```|~~~)", line):
            raise Wrong(f"{page}:{at + 1}: a block needs a language, such as text, and three backquotes")
        at += 1
    for line, command in shown:
        if not any(command in step.command for step in found if step.command):
            raise Wrong(f"{page}:{line + 1}: nothing tries '{command}'")
    return found


def shown_in(at, body):
    """Returns the commands in a block of text, each with the number of its line."""
    for number, line in enumerate(body, at + 1):
        if command := re.search(r"^\$ (.+)|(?:^|&& )(contentc .+)", line):
            yield number, command[1] or command[2]


def steps_in_block(page, at, language, attributes, body):
    if language == "text":
        return []
    if language == "console":
        return commands_in(page, at, body)
    title = re.search(r'title="([^"]+)"', attributes)
    if not title:
        raise Wrong(f"{page}:{at + 1}: no test can try this block of {language}: give it a title, or make it console")
    return [Step(at, path=title[1], text="\n".join(body) + "\n")]


def commands_in(page, at, body):
    found = []
    for number, line in enumerate(body, at + 1):
        if line.startswith("$ "):
            found.append(Step(number, command=line[2:], output=[]))
        elif not found:
            raise Wrong(f"{page}:{number + 1}: a block of console begins with '$ '")
        elif not found[-1].output and is_open(found[-1].command):
            found[-1].command += "\n" + line.removeprefix("> ")
        else:
            found[-1].output.append(line)
    return found


def is_open(command):
    """Whether a command goes on in the next line."""
    if command.endswith("\\"):
        return True
    here = re.search(r"(?<!<)<<-?\s*'?(\w+)'?", command)
    if here:
        return command.split("\n")[-1] != here[1] or "\n" not in command
    return False


def script_of(steps, work):
    """Returns the script that does all steps, each followed by a mark with its status."""
    parts = []
    for number, step in enumerate(steps):
        if step.path is not None:
            stored = work / f"file-{number}"
            stored.write_text(step.text, encoding="utf-8")
            path = step.path.removesuffix(" (excerpt)")
            if path != step.path:
                parts.append(f"python3 -c 'import sys; whole, part = (open(n).read() for n in sys.argv[1:]); "
                             f"sys.exit(part not in whole)' '{path}' '{stored}'")
            else:
                parts.append(f"mkdir -p \"$(dirname '{path}')\" && cat '{stored}' > '{path}'")
        elif step.command.endswith("&"):
            parts.append(f"{{ {step.command[:-1]}; }} > '{work}/background-{number}' 2>&1 &\n")
            port = re.search(r"(?:[: ])(\d{4,5})\b", step.command)
            port = port[1] if port else "8000" if "http.server" in step.command else None
            if port:
                parts[-1] += f"for try in $(seq 200); do (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>&- && break; sleep 0.1; done"
        else:
            parts.append(step.command)
        # The next command may print the status of this one.
        parts.append(f"walked=$?; printf '{MARK}%d{MARK}' $walked; (exit $walked)")
    return "exec 2>&1 </dev/null\n" + "\n".join(parts) + "\n"


def walk(steps, programs, work):
    """Does the steps in an empty folder, and returns what each printed and its status."""
    folder = work / "folder"
    home = work / "home"
    folder.mkdir()
    home.mkdir()
    script = work / "script"
    script.write_text(script_of(steps, work), encoding="utf-8")
    environment = {
        "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC",
        "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.com", "TMPDIR": str(work),
    }
    for name in ("CONTENTC_MODULES", "CONTENTC_SWIFT"):
        if name in os.environ:
            environment[name] = os.environ[name]
    # In a network of its own, all ports are free.
    apart = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
        apart = []
    (work / "inner").write_text((f"{LOOPBACK_UP}\n" if apart else "") + f"exec bash '{script}'\n")
    with subprocess.Popen(
            [*apart, "bash", work / "inner"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=open(work / "printed", "wb"), stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            process.wait(timeout=SECONDS)
            ending = "ended the walk"
        except subprocess.TimeoutExpired:
            ending = f"did not end within {SECONDS} s of the walk"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    printed = (work / "printed").read_text(encoding="utf-8", errors="replace").split(MARK)
    results = list(zip(printed[0::2], (int(status) for status in printed[1::2])))
    if len(results) < len(steps):
        results.append((f"{printed[-1] if len(printed) % 2 else ''}\n({ending})", None))
    return results


def measured(text):
    for pattern, replacement in MEASURED:
        text = re.sub(pattern, replacement, text)
    return text


def lines_of(printed):
    """The lines of what a command printed; the last one need not have a line feed."""
    lines = printed.split("\n")
    return lines if lines[-1] else lines[:-1]


def agrees(expected, printed):
    """Whether printed lines are those of the page, whose '…' stand for any text."""
    pattern = ""
    for line in expected:
        pattern += r"(?:.*\n)*" if line == "…" else re.escape(measured(line)).replace("…", ".*") + r"\n"
    return re.fullmatch(pattern, "".join(measured(line) + "\n" for line in printed)) is not None


def problems(page, steps, results):
    for (step, following), result in itertools.zip_longest(
            itertools.pairwise([*steps, None]), results):
        place = f"{page}:{step.line + 1}"
        shown = step.command or step.path
        if result is None:
            return
        printed, status = result
        if status is None:
            yield f"{place}: nothing came after '{shown}':\n{printed}"
            return
        explained = step.is_shown and any("error" in line or "not " in line.lower() for line in step.output)
        asked = following is not None and following.command is not None and "$?" in following.command
        if status != 0 and not explained and not asked:
            yield f"{place}: '{shown}' ends with status {status}:\n{printed}"
        elif step.is_shown and not agrees(step.output, lines_of(printed)):
            yield f"{place}: '{shown}' prints\n{printed}"


def record(page, steps, results):
    """Writes what the commands print into a page. Output that agrees stays, with its '…'; other output is replaced whole."""
    lines = page.read_text(encoding="utf-8").split("\n")
    for step, (printed, _) in reversed(list(zip(steps, results))):
        new = lines_of(printed)
        if not step.is_shown or agrees(step.output, new):
            continue
        begin = step.line + 1 + step.command.count("\n")
        lines[begin:begin + len(step.output)] = [step.indentation + line if line else line for line in new]
    page.write_text("\n".join(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CONTENTC", type=pathlib.Path)
    parser.add_argument("pages", metavar="PAGE", nargs="+", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    failed = False
    for page in arguments.pages:
        work = pathlib.Path(tempfile.mkdtemp(prefix="contentc-walk."))
        try:
            steps = steps_of(page)
            results = walk(steps, arguments.program.resolve().parent, work) if steps else []
            if arguments.record:
                record(page, steps, results)
                steps = steps_of(page)
            found = list(problems(page, steps, results))
            failed = failed or bool(found)
            for problem in found:
                print(problem, file=sys.stderr)
            if not found:
                print(f"{page}: {len(steps)} steps")
        except Wrong as wrong:
            failed = True
            print(wrong, file=sys.stderr)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
