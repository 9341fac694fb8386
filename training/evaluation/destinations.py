"""Where the forms of a report go: JSON, CSV, arrays and plots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from training.evaluation.outputs import csv_bytes, payoff_bytes
from training.evaluation.report import Report
from training.files import json_bytes, write_bytes


@dataclass(frozen=True)
class Destinations:
    """Where a report goes; None for what is not wanted."""

    json: Path | None = None
    csv: Path | None = None
    payoff: Path | None = None
    plots: Path | None = None  # a folder

    def write(self, report: Report) -> None:
        """Writes everything that is wanted."""
        contents: tuple[tuple[Path | None, Callable[[], bytes]], ...] = (
            (self.json, lambda: json_bytes(report.content())),
            (self.csv, lambda: csv_bytes(report)),
            (self.payoff, lambda: payoff_bytes(report)),
        )
        for path, content in contents:
            if path is not None:
                write_bytes(path, content())
        if self.plots is not None:
            # Imported where it is needed: drawing is slow to load.
            from training.evaluation.plots import write_plots  # noqa: PLC0415

            write_plots(self.plots, report)
