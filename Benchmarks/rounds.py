"""Runs commands in turn (A B C, A B C …), so that a drift of the machine hits all of them alike.

Only ratios within one round say something; a time alone says which machine it was, and what else ran on it.
"""

import dataclasses
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

# Seconds.
PATIENCE = 100


@dataclasses.dataclass
class Command:
    """A measured command, and its unmeasured preparation before each run."""

    name: str
    line: list
    removing: list = dataclasses.field(default_factory=list)
    before: Callable[[], None] = lambda: None
    # Reads the seconds from the output of a command that does more than the measured work.
    printed_seconds: Callable[[str], float] | None = None


@dataclasses.dataclass
class Run:
    seconds: float
    # Of the largest process.
    peak_bytes: int
    # Of the processor, in user and kernel mode.
    cpu_seconds: float = 0


# Leftovers of runs, kept until all are done.
put_away_paths = []


def put_away(path):
    """Takes a folder out of the way of the next run.

    Deleting it now would be measured, too: ext4 avoids inodes that were deleted in the last seconds, and looks through
    its maps for others, so that each new folder takes up to a millisecond.
    """
    if path.exists():
        away = path.with_name(f".{path.name}-{len(put_away_paths)}")
        shutil.rmtree(away, ignore_errors=True)
        path.rename(away)
        put_away_paths.append(away)


def delete_put_away():
    while put_away_paths:
        shutil.rmtree(put_away_paths.pop(), ignore_errors=True)


def run(command):
    """Runs a command once; ends the program if it fails."""
    for path in command.removing:
        put_away(path)
    command.before()
    line = [str(part) for part in command.line]
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complaints:
        files = [(os.POSIX_SPAWN_DUP2, file.fileno(), number) for number, file in ((1, printed), (2, complaints))]
        # `subprocess` costs about as much as a start of contentc.
        start = time.perf_counter()
        process = os.posix_spawnp(line[0], line, os.environ, file_actions=files)
        _, status, usage = os.wait4(process, 0)
        seconds = time.perf_counter() - start
        if os.waitstatus_to_exitcode(status) != 0:
            complaints.seek(0)
            text = complaints.read().decode(errors="replace")
            raise SystemExit(f"{' '.join(line)}\nended with status {os.waitstatus_to_exitcode(status)}\n{text}")
        printed.seek(0)
        if command.printed_seconds:
            seconds = command.printed_seconds(printed.read().decode())
    # Kilobytes on Linux, bytes on macOS (getrusage(2)).
    peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Run(seconds, peak_bytes, usage.ru_utime + usage.ru_stime)


@dataclasses.dataclass
class Rounds:
    """The runs of several commands, by name; each command's are in the order of the rounds."""

    runs: dict

    @property
    def count(self):
        return len(next(iter(self.runs.values())))

    def seconds(self, name):
        return statistics.median(run.seconds for run in self.runs[name])

    def peak_bytes(self, name):
        return max(run.peak_bytes for run in self.runs[name])

    def cpu_seconds(self, name):
        return statistics.median(run.cpu_seconds for run in self.runs[name])

    def cpu_ratio(self, over, under):
        """As `ratio`, of the processor's time."""
        return statistics.median(a.cpu_seconds / b.cpu_seconds for a, b in zip(self.runs[over], self.runs[under]))

    def best_seconds(self, name):
        return min(run.seconds for run in self.runs[name])

    def ratio(self, over, under):
        """The median over the rounds of one command's time over another's in the same round."""
        return statistics.median(a.seconds / b.seconds for a, b in zip(self.runs[over], self.runs[under]))


def in_turn(commands, rounds, warm=0):
    """Runs each command once, then each once more, so many times; the first `warm` rounds do not count.

    Slow commands get fewer rounds: no further one begins after PATIENCE.
    """
    runs = {command.name: [] for command in commands}
    print(f"  {', '.join(runs)}: {rounds} in turn …", file=sys.stderr)
    start = time.monotonic()
    for number in range(-warm, rounds):
        if number > 0 and time.monotonic() - start > PATIENCE:
            break
        for command in commands:
            found = run(command)
            if number >= 0:
                runs[command.name].append(found)
    delete_put_away()
    return Rounds(runs)
