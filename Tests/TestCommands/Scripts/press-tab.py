#!/usr/bin/env python3
"""Types command lines into a shell, presses Tab after each, and prints the words that the shell then has.

press-tab.py SHELL COMPLETIONS LINE... prints a line for each LINE: its words in brackets, after the completion. For a
LINE that ends with a tab, Tab is pressed twice, as to see all words, and nothing is printed. The shell runs in a
pseudo-terminal, as for a user who has installed the file COMPLETIONS; it finds contentc in PATH.
"""

import os
import pty
import re
import select
import shutil
import sys
import tempfile
import time

PATIENCE = 30


class Typist:
    """A shell in a pseudo-terminal."""

    def __init__(self, command, environment):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(environment)
            os.execvp(command[0], command)
        self.shown = ""

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, pattern):
        """Reads until the shell has shown a pattern, and returns the match."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.shown)):
            self.read(end - time.monotonic(), f"{pattern!r} did not appear")
        self.shown = self.shown[found.end():]
        return found

    def wait_for_silence(self, seconds, first=0):
        """Reads until the shell shows nothing more; waits at most `first` seconds for the first answer."""
        end = time.monotonic() + PATIENCE
        patience = max(first, seconds)
        while select.select([self.terminal], [], [], patience)[0]:
            self.read(end - time.monotonic(), "the shell does not become silent")
            patience = seconds

    def read(self, patience, problem):
        if patience <= 0 or not select.select([self.terminal], [], [], patience)[0]:
            sys.exit(f"{problem}: {self.shown[-500:]!r}")
        try:
            self.shown += os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:
            sys.exit(f"the shell has ended: {self.shown[-500:]!r}")

    def kept(self, path):
        """Waits for the file of `keep-words`, and returns its line."""
        end = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            if time.monotonic() > end:
                sys.exit(f"the words are not kept: {self.shown[-500:]!r}")
            if select.select([self.terminal], [], [], 0.02)[0]:
                self.read(PATIENCE, "no output")
        with open(path, encoding="utf-8", errors="replace") as file:
            line = file.read().rstrip("\n")
        os.remove(path)
        return line

    def end(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


def start(shell, completions, home):
    """Starts a shell that has the completions, and the lines that make it ready."""
    # A line is longer than the words of a test, so that no shell wraps it.
    keep = f"{home}/keep-words"
    with open(keep, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nprintf '[%s]' \"$@\" >'{home}/new'\nmv '{home}/new' '{home}/words'\n")
    os.chmod(keep, 0o755)
    environment = {
        "PATH": f"{home}:{os.environ['PATH']}", "TERM": "dumb", "HOME": home, "COLUMNS": "400", "LINES": "50",
        "PS1": "> ", "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "fish_greeting": ""}
    if shell == "bash":
        return Typist(["bash", "--norc", "--noprofile", "-i"], environment), [
            f"source '{completions}'", "bind 'set enable-bracketed-paste off'", "bind 'set completion-query-items 0'",
            "bind 'set page-completions off'"]
    if shell == "zsh":
        shutil.copy(completions, f"{home}/_contentc")
        return Typist(["zsh", "-f", "-i"], environment), [
            f"fpath=('{home}' $fpath)", "autoload -Uz compinit", "compinit -u -D", "unset zle_bracketed_paste",
            "LISTMAX=100000"]
    os.makedirs(f"{home}/fish/vendor_completions.d")
    # Without this folder, fish would read all manual pages in the background.
    os.makedirs(f"{home}/fish/generated_completions")
    shutil.copy(completions, f"{home}/fish/vendor_completions.d/contentc.fish")
    environment |= {"XDG_DATA_DIRS": home, "TERM": "xterm"}
    return Typist(["fish", "-i"], environment), []


def main(shell, completions, *lines):
    with tempfile.TemporaryDirectory() as home:
        typist, setup = start(shell, completions, home)
        try:
            for number, line in enumerate(setup + ["true"]):
                # The words that appear differ from those that are typed, which the terminal echoes.
                typist.type(f"{line}; echo re''ady{number}\r")
                typist.wait(f"ready{number}")
            for line in lines:
                typist.wait_for_silence(0.3)
                typist.type(line.rstrip("\t"))
                typist.wait_for_silence(0.3)
                for _ in range(1 + line.endswith("\t")):
                    # A shell shows the rest of a word, a list, or that there is none.
                    typist.type("\t")
                    typist.wait_for_silence(0.5, first=5)
                if line.endswith("\t"):
                    # Control-C closes the list of fish; the other keys empty the line.
                    typist.type("\x03")
                    typist.wait_for_silence(0.3)
                    typist.type("\x05\x15")
                    continue
                # The words become arguments of a program, which writes them into a file.
                typist.type("\x01keep-words \r")
                print(typist.kept(f"{home}/words"), flush=True)
        finally:
            typist.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
