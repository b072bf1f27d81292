"""A figure: a value with its must and its goal."""

import dataclasses


@dataclasses.dataclass
class Figure:
    """One row. A figure without a value says why it has none."""

    name: str
    value: float | None = None
    must: float | None = None
    goal: float | None = None
    unit: str = "×"
    higher_is_better: bool = False
    # The origin of the value, or the reason why it is missing.
    note: str = ""
    # How often each command ran for it.
    rounds: int | None = None

    def reaches(self, limit):
        return self.value >= limit if self.higher_is_better else self.value <= limit

    @property
    def verdict(self):
        if self.value is None:
            return "–"
        if self.goal is not None and self.reaches(self.goal):
            return "goal"
        return "–" if self.must is None else "must" if self.reaches(self.must) else "MISSED"

    def limit(self, value):
        return "" if value is None else f"{'≥' if self.higher_is_better else '≤'} {value:.4g} {self.unit}".rstrip()

    @property
    def measured(self):
        if self.value is None:
            return "–"
        digits = 0 if self.value >= 100 else 1 if self.value >= 20 else 2 if self.value >= 2 else 3
        return f"{self.value:,.{digits}f} {self.unit}".rstrip()

    @property
    def row(self):
        runs = "" if self.rounds is None else str(self.rounds)
        return [self.name, self.measured, self.limit(self.must), self.limit(self.goal), self.verdict, runs, self.note]


def at_least(must, goal, name, value, note, rounds=None, unit="×"):
    return Figure(name, value, must, goal, unit, True, note, rounds)


def at_most(must, goal, name, value, note, rounds=None, unit="×"):
    return Figure(name, value, must, goal, unit, False, note, rounds)


def table(figures):
    """Markdown, so that it can be pasted into a page as it is."""
    rows = [["figure", "measured", "must", "goal", "verdict", "rounds", "how"]] + [figure.row for figure in figures]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
