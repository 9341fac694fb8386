"""The report as a page of markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from training.evaluation.report import Report
from training.evaluation.tables import agent_cells

COLUMNS = ("agent", "games", "wins", "95 %", "rank", "area", "rating", "95 %", "ms a turn")


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Returns `rows` as a markdown table; the first is the header."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def heading(rules: Mapping[str, Any]) -> str:
    """Returns the board and the number of players; the game where they are always the same."""
    if "board_size" not in rules:
        return str(rules["game"]).capitalize()
    rows, columns = rules["board_size"]
    return f"{rows}x{columns}, {rules['num_players']} players"


def markdown_report(report: Report) -> str:
    """Returns the agents in the order of the report, under what was played."""
    rows = [COLUMNS, *([str(cell) for cell in agent_cells(row)] for row in report.agents)]
    pieces = [f"### {heading(report.rules)}", markdown_table(rows)]
    pieces += [f"Warning: {warning}." for warning in report.warnings]
    return "\n\n".join(pieces) + "\n"


def markdown_bytes(report: Report) -> bytes:
    r"""Returns the page as UTF-8; a name that is none becomes `\udc..`, as in the JSON file."""
    return markdown_report(report).encode("utf-8", errors="backslashreplace")
