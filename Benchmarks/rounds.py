"""Runs commands in turn (A B C, A B C …), so that a drift of the machine hits all of them alike.

Only ratios within one round say something; a time alone says which machine it was, and what else ran on it.
"""

import dataclasses
import os
import pathlib
import shutil
import statistics
import sys
import time
from collections.abc import Callable


@dataclasses.dataclass
class Command:
    """What is measured, and what has to happen before each of its runs, outside the clock."""

    name: str
    line: list
    removing: list = dataclasses.field(default_factory=list)
    before: Callable[[], None] = lambda: None
    # Takes the seconds from what the command printed, for one that does more than what counts.
    printed_seconds: Callable[[str], float] | None = None


@dataclasses.dataclass
class Run:
    seconds: float
    # Of the largest process.
    peak_bytes: int


def run(command):
    """One run of a command; ends the program where the command fails."""
    for path in command.removing:
        shutil.rmtree(path, ignore_errors=True)
    command.before()
    line = [str(part) for part in command.line]
    printed = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"contentc-bench-{os.getpid()}.txt"
    output = (os.POSIX_SPAWN_OPEN, 1, str(printed), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    # `subprocess` costs about as much as a start of contentc.
    start = time.perf_counter()
    process = os.posix_spawnp(line[0], line, os.environ, file_actions=[output])
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    text = printed.read_text()
    printed.unlink()
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{' '.join(line)}\nended with status {os.waitstatus_to_exitcode(status)}\n{text}")
    if command.printed_seconds:
        seconds = command.printed_seconds(text)
    # Kilobytes on Linux, bytes on macOS (getrusage(2)).
    return Run(seconds, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024))


class Rounds:
    """The runs of several commands, by name; each command's are in the order of the rounds."""

    def __init__(self, commands, rounds, warm=0):
        self.runs = {command.name: [] for command in commands}
        print(f"  {', '.join(self.runs)}: {rounds} in turn …", file=sys.stderr)
        for number in range(-warm, rounds):
            for command in commands:
                found = run(command)
                if number >= 0:
                    self.runs[command.name].append(found)

    def seconds(self, name):
        return statistics.median(run.seconds for run in self.runs[name])

    def peak_bytes(self, name):
        return max(run.peak_bytes for run in self.runs[name])

    def ratio(self, over, under):
        """The median over the rounds of one command's time over another's in the same round."""
        pairs = zip(self.runs[over], self.runs[under])
        return statistics.median(a.seconds / b.seconds for a, b in pairs)
