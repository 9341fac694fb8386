"""Where the forms of a report go: JSON, CSV, arrays, markdown, plots, and the games behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bitblossom_env.core.record import Record, write_records
from training.evaluation.markdown import markdown_bytes
from training.evaluation.outputs import csv_bytes, payoff_bytes
from training.evaluation.report import Report
from training.files import json_bytes, write_bytes


@dataclass(frozen=True, kw_only=True)
class Destinations:
    """Where a report goes; None for what is not wanted."""

    json: Path | None = None
    csv: Path | None = None
    payoff: Path | None = None
    markdown: Path | None = None
    records: Path | None = None  # of the games
    plots: Path | None = None  # a folder

    def write(self, report: Report, records: Sequence[Record] = ()) -> None:
        """Writes everything that is wanted of `report` and of the games played now."""
        contents: tuple[tuple[Path | None, Callable[[], bytes]], ...] = (
            (self.json, lambda: json_bytes(report.content())),
            (self.csv, lambda: csv_bytes(report)),
            (self.payoff, lambda: payoff_bytes(report)),
            (self.markdown, lambda: markdown_bytes(report)),
        )
        for path, content in contents:
            if path is not None:
                write_bytes(path, content())
        if self.records is not None:
            write_records(self.records, list(records))
        if self.plots is not None:
            # Imported where it is needed: drawing is slow to load.
            from training.evaluation.plots import write_plots  # noqa: PLC0415

            write_plots(self.plots, report)
