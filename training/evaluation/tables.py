"""The report as tables for the terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from training.evaluation.report import AgentRow, Report
from training.evaluation.resampling import Interval
from training.evaluation.sequential import BETTER, NO_BETTER, Verdict

AGENTS_TITLE = "Agents: share of wins, mean rank, mean area, rating, milliseconds per turn"
MAX_MATRIX = 16  # agents up to which the matrix fits on a terminal
PLAIN_WIDTH = 160  # columns where the output is no terminal and has no width of its own


def make_console(*, stderr: bool = False) -> Console:
    """Returns a console that keeps long lines whole where the output is a file or a pipe."""
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        console.width = PLAIN_WIDTH
    return console


def plain(name: str) -> str:
    r"""Returns a name without what a terminal would obey or could not show, written as `\x1b`, `\udc80`, ..."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape", "surrogatepass").decode() for letter in name
    )


def print_line(console: Console, text: str) -> None:
    """Prints one line of text as it is, however long."""
    console.print(plain(text), markup=False, soft_wrap=True)


def print_report(console: Console, report: Report) -> None:
    """Prints the agents, the shares per seat, from three agents on who beats whom, and what is to be kept in mind."""
    console.print(agents_table(report))
    console.print(seats_table(report))
    if 2 < len(report.agents) <= MAX_MATRIX:
        console.print(matrix_table(report))
    if report.sprt is not None:
        print_line(console, verdict_line(report.sprt))
    for warning in report.warnings:
        print_line(console, f"Warning: {warning}.")


def percent(share: float | None) -> str:
    """Returns a share as text, `-` for none."""
    return "-" if share is None else f"{100 * share:.1f} %"


def percent_interval(interval: Interval) -> str:
    """Returns an interval of shares as text."""
    return f"{100 * interval[0]:.1f}..{100 * interval[1]:.1f}"


def new_table(title: str, columns: list[str]) -> Table:
    """Returns an empty table whose first column is text and whose others are numbers."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(columns[0], overflow="fold", min_width=12)  # a long path gives way, numbers stay whole
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def agents_table(report: Report) -> Table:
    """Returns one line per agent, in the order in which they were named."""
    columns = ["agent", "games", "wins", "95 %", "rank", "area", "rating", "95 %", "ms"]
    any_illegal = any(row.illegal_actions for row in report.agents)
    table = new_table(
        AGENTS_TITLE,
        columns + ["illegal"] * any_illegal,
    )
    for row in report.agents:
        table.add_row(*agent_cells(row), *([str(row.illegal_actions)] if any_illegal else []))
    return table


def agent_cells(row: AgentRow) -> list[str | Text]:
    """Returns the cells of one agent's line."""
    return [
        Text(plain(row.name)),  # not a plain string: brackets in a path are no markup
        str(row.games),
        percent(row.win_share),
        percent_interval(row.win_share_ci),
        f"{row.mean_rank:.2f}",
        "-" if row.mean_area is None else f"{row.mean_area:.1f}",
        f"{row.rating:.0f}",
        f"{row.rating_ci[0]:.0f}..{row.rating_ci[1]:.0f}",
        f"{1000 * row.seconds_per_turn:.2f}",
    ]


def seats_table(report: Report) -> Table:
    """Returns the win share of each agent in each seat."""
    num_seats = len(report.agents[0].seat_shares)
    table = new_table("Win share by seat", ["agent", *(f"seat {seat}" for seat in range(num_seats))])
    for row in report.agents:
        table.add_row(Text(plain(row.name)), *(percent(share) for share in row.seat_shares))
    return table


def matrix_table(report: Report) -> Table:
    """Returns in how many seat pairs the agent of the row came before the agent of the column."""
    numbers = [str(number) for number in range(1, len(report.agents) + 1)]
    table = new_table("Row before column (pairs of seats)", ["agent", *numbers])
    for number, row, wins in zip(numbers, report.agents, report.matrix, strict=True):
        table.add_row(Text(f"{number}. {plain(row.name)}"), *(f"{count:g}" for count in wins))
    return table


def verdict_line(verdict: Verdict) -> str:
    """Returns what a sequential test says, in a sentence or two."""
    gap = {BETTER: f"{verdict.hi:g} points better or more", NO_BETTER: f"{verdict.lo:g} points better or less"}
    found = f"the first agent is {gap[verdict.decision]}" if verdict.is_decided else "not decided, play more games"
    caution = " Shares and ratings of a test that stops early lean towards its verdict." if verdict.is_decided else ""
    return (
        f"Sequential test of {verdict.lo:g} against {verdict.hi:g} points after {verdict.blocks} blocks: {found} "
        f"(log-likelihood ratio {verdict.log_likelihood_ratio:.2f}, bounds {verdict.lower:.2f} and "
        f"{verdict.upper:.2f}).{caution}"
    )
