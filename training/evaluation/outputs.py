"""The report as files for other programs: a table as CSV, the matrix as NumPy arrays.

Dimension letter: N agents, in the order of the report.
"""

from __future__ import annotations

import csv
from dataclasses import fields
from io import BytesIO, StringIO
from typing import Any, get_args, get_type_hints

import numpy as np

from training.evaluation.report import AgentRow, Report
from training.evaluation.resampling import Floats, Interval

SEAT_SHARES = "seat_shares"  # the field with one number a seat


def csv_bytes(report: Report) -> bytes:
    r"""Returns the agents as CSV: UTF-8, lines end with `\n`, the first one names the columns, None is empty.

    Columns are the fields of `AgentRow` under their names, but an interval has two, `<field>_low` and
    `<field>_high`, and the shares per seat have `seat_0_share`, `seat_1_share`, ...
    """
    hints = get_type_hints(AgentRow)
    num_seats = len(report.agents[0].seat_shares)
    columns = {field.name: column_names(field.name, hints[field.name], num_seats) for field in fields(AgentRow)}
    lines = [[column for names in columns.values() for column in names]]
    for row in report.agents:
        cells = [cells_of(getattr(row, name), len(names)) for name, names in columns.items()]
        lines.append([cell for part in cells for cell in part])
    # A path that is no UTF-8 reaches Python as lone surrogates; they become `\udc..`, as in the JSON file.
    return "".join(map(csv_line, lines)).encode("utf-8", errors="backslashreplace")


def column_names(name: str, hint: Any, num_seats: int) -> list[str]:
    """Returns the columns for the field `name` of type `hint`."""
    if name == SEAT_SHARES:
        return [f"seat_{seat}_share" for seat in range(num_seats)]
    if Interval in (hint, *get_args(hint)):  # also where it may be None
        return [f"{name}_low", f"{name}_high"]
    return [name]


def cells_of(value: Any, num_columns: int) -> list[Any]:
    """Returns `value` over its columns; the CSV writer leaves None empty."""
    if isinstance(value, tuple):
        return list(value)
    return [value] * num_columns


def csv_line(cells: list[Any]) -> str:
    r"""Returns one line of CSV that ends with `\n`.

    The writer only quotes the letters of its own line end, so it keeps `\r\n` until the line is written:
    a name may hold either of them.
    """
    buffer = StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerow(cells)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def payoff_matrix(report: Report) -> Floats:
    """Returns float64 [N, N]: how often i came before j, 0..1; 0.5 on the diagonal, NaN where two never met."""
    wins = np.array(report.matrix, dtype=np.float64)
    pairs = wins + wins.T
    payoff: Floats = np.divide(wins, pairs, out=np.full(wins.shape, np.nan), where=pairs > 0.0)
    np.fill_diagonal(payoff, 0.5)
    return payoff


def payoff_bytes(report: Report) -> bytes:
    """Returns an `.npz` file with the matrix and the ratings; equal reports give equal bytes, nothing is pickled.

    `names` unicode [N], `wins` float64 [N, N] (pairs of seats in which i came before j, ties half), `pairs`
    float64 [N, N] (in which they met), `payoff` as `payoff_matrix` returns it, and float64 [N] each: `ratings`,
    `rating_low`, `rating_high` (points), `win_share` (0..1).
    """
    wins = np.array(report.matrix, dtype=np.float64)
    content = BytesIO()
    # The entries get the zip format's first day for a date, so that the clock stays out.
    np.savez(
        content,
        names=np.array([row.name for row in report.agents], dtype=np.str_),
        wins=wins,
        pairs=wins + wins.T,
        payoff=payoff_matrix(report),
        ratings=np.array([row.rating for row in report.agents], dtype=np.float64),
        rating_low=np.array([row.rating_ci[0] for row in report.agents], dtype=np.float64),
        rating_high=np.array([row.rating_ci[1] for row in report.agents], dtype=np.float64),
        win_share=np.array([row.win_share for row in report.agents], dtype=np.float64),
    )
    return content.getvalue()
