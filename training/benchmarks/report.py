"""What a part of the report holds, and the forms it takes: tables for the terminal, markdown, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from training.benchmarks.contest import Spread
from training.evaluation.markdown import markdown_table
from training.evaluation.tables import new_table

NOT_MEASURABLE = "not measurable"


@dataclass(frozen=True)
class Verdict:
    """A figure beside what it should be."""

    subject: str
    figure: str
    target: str
    is_met: bool | None  # None where the machine does not let it be measured

    @property
    def word(self) -> str:
        """The verdict as text."""
        return NOT_MEASURABLE if self.is_met is None else ("met" if self.is_met else "missed")

    def cells(self) -> list[str]:
        """Returns the line of the table of verdicts."""
        return [self.subject, self.figure, self.target, self.word]


@dataclass(frozen=True)
class Table:
    """Rows of text; the first is the header."""

    title: str
    rows: list[list[str]]


@dataclass(frozen=True)
class Chart:
    """Lines over a number, all axes from their least to their greatest value."""

    name: str  # of its file, without the ending
    title: str
    across: str  # what stands on the axes
    up: str
    lines: dict[str, list[tuple[float, float]]]
    is_logarithmic: bool = False
    reference: str | None = None  # of `lines`, the one that is drawn dotted


@dataclass
class Part:
    """One part of the report."""

    name: str
    title: str
    notes: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)  # as measured, for the JSON file


def verdict_table(parts: Sequence[Part]) -> Table:
    """Returns all verdicts in one table."""
    verdicts = [verdict for part in parts for verdict in part.verdicts]
    return Table("Figures and targets", [["what", "figure", "target", "verdict"], *(v.cells() for v in verdicts)])


def print_table(console: Console, table: Table) -> None:
    """Prints a table on a terminal."""
    shown = new_table(table.title, table.rows[0])
    for row in table.rows[1:]:
        shown.add_row(*row)
    console.print(shown)


def print_part(console: Console, part: Part) -> None:
    """Prints the tables and notes of a part."""
    for table in part.tables:
        print_table(console, table)
    for note in part.notes:
        console.print(note, markup=False)
    console.print()


def titled_table(table: Table) -> str:
    """Returns a table as markdown, its title above it in bold."""
    return f"**{table.title}**\n\n{markdown_table(table.rows)}"


def markdown_part(part: Part, has_plots: bool) -> str:
    """Returns a part as markdown; plots, if there are any, lie beside the page."""
    pieces = [f"## {part.title}", *part.notes, *(titled_table(table) for table in part.tables)]
    pieces += [f"![{chart.title}]({chart.name}.svg)" for chart in part.charts * has_plots]
    return "\n\n".join(pieces)


def rate_text(spread: Spread) -> str:
    """Returns a rate with its spread, for example `512,000 (509,900..514,000)`."""
    return f"{rounded(spread.median)} ({rounded(spread.low)}..{rounded(spread.high)})"


def rounded(value: float) -> str:
    """Returns a number with four significant digits."""
    digits = 4 - len(str(int(abs(value))))
    return f"{round(value, min(0, digits)):,.0f}" if abs(value) >= 100 else f"{value:.{max(0, digits)}f}"


def ratio_text(spread: Spread) -> str:
    """Returns a ratio with its spread."""
    return f"{spread.median:.2f}x ({spread.low:.2f}..{spread.high:.2f})"


def seconds_text(spread: Spread) -> str:
    """Returns seconds with their spread."""
    if spread.low == spread.high:
        return f"{spread.median:.2f} s"
    return f"{spread.median:.2f} s ({spread.low:.2f}..{spread.high:.2f})"
