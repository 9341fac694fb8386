"""The page on speed, `docs/performance.md`: a fixed frame around the figures of one run."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from training.benchmarks.processor import processor_name, usable_cores
from training.benchmarks.report import Part, markdown_part, verdict_table
from training.evaluation.markdown import markdown_table

LIBRARIES = ("numpy", "numba", "gymnasium", "pettingzoo", "open-spiel", "pgx", "jax")
METHOD = """Every contestant runs in a process of its own, pinned to one core and kept to one thread, and is measured in
turn with the others, round by round, so that a noisy moment meets all of them. Rates are steps per CPU second;
a figure is the median of the rounds, in brackets the least and the greatest. A ratio is taken within each
round. Compiling and warming up are not counted but where the start-up itself is the figure."""


@dataclass(frozen=True)
class Machine:
    """Where and when a run took place."""

    processor: str
    num_cores: int
    python: str
    libraries: dict[str, str]  # version by name, of those that are installed
    day: str

    @classmethod
    def here(cls) -> Machine:
        """Returns this machine, today."""
        return cls(
            processor=processor_name(),
            num_cores=len(usable_cores()),
            python=platform.python_version(),
            libraries=installed(LIBRARIES),
            day=datetime.now(UTC).date().isoformat(),
        )

    @property
    def text(self) -> str:
        """The machine in a sentence."""
        libraries = ", ".join(f"{name} {number}" for name, number in self.libraries.items())
        return f"{self.day}, {self.processor}, {self.num_cores} usable cores, Python {self.python}, {libraries}."


def installed(names: Sequence[str]) -> dict[str, str]:
    """Returns the versions of those packages that are installed."""
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # an optional one
            continue
    return found


def page(parts: Sequence[Part], command: str, machine: Machine, has_plots: bool) -> str:
    """Returns the whole page as markdown."""
    pieces = [
        "# Performance",
        f"Printed by `{command}`. {machine.text}",
        METHOD,
        "A figure that misses its target stands beside the table that says where the time goes.",
        f"## {verdict_table(parts).title}",
        markdown_table(verdict_table(parts).rows),
        *(markdown_part(part, has_plots) for part in parts),
    ]
    return "\n\n".join(pieces) + "\n"
