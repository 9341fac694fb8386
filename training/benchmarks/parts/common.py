"""What several parts share: the boards that are measured, their names, and the floor under their figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from training.benchmarks.contest import Contestant, Run, Spread, Worker
from training.benchmarks.report import Table, rounded
from training.evaluation.progress import track
from training.evaluation.tables import make_console

BANDWIDTH = "bandwidth"
NANOSECONDS = 1e9


@dataclass(frozen=True)
class Board:
    """A board and a number of players."""

    side: int
    num_players: int

    @property
    def label(self) -> str:
        """Its name in tables."""
        return f"{self.side}x{self.side}, {self.num_players} players"

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the environment."""
        return {"board_size": self.side, "num_players": self.num_players}


BOARDS = (Board(9, 2), Board(19, 2), Board(16, 4))


def bandwidth_contestant() -> Contestant:
    """Returns what measures how fast one core writes."""
    return Contestant("bandwidth", {})


def bandwidths(run: Run) -> dict[str, Spread]:
    """Returns bytes a second into the own cache and into memory."""
    return {place: Spread.of(answer[place] for answer in run.answers) for place in ("cache", "memory")}


def floor_table(runs: Mapping[str, Run], bandwidth: Run) -> Table:
    """Returns what a step writes, how long writing it takes at best, and how long the whole step takes."""
    speeds = bandwidths(bandwidth)
    rows = [["", "planes, B", "mask, B", "state, B", "floor in cache, ns", "floor in memory, ns", "step, ns"]]
    for label, run in runs.items():
        written = run.facts["written"]
        total = sum(written.values())
        floors = [f"{NANOSECONDS * total / speeds[place].median:,.0f}" for place in ("cache", "memory")]
        sizes = [f"{written[name]:,}" if name in written else "?" for name in ("planes", "mask", "state")]
        rows.append([label, *sizes, *floors, f"{NANOSECONDS / run.rate_alone.median:,.0f}"])
    return Table("Bytes that a step writes, and the time that writing alone would take", rows)


def bandwidth_note(bandwidth: Run) -> str:
    """Returns how fast one core writes, as a sentence."""
    speeds = bandwidths(bandwidth)
    return (
        f"One core writes {speeds['cache'].median / 1e9:.0f} GB/s into its own cache and "
        f"{speeds['memory'].median / 1e9:.1f} GB/s into memory (a buffer filled, same run). The floor takes the state "
        "as written whole, though a step touches only some of it; `?`: not known from outside, and left out of the sum."
    )


def share_note(runs: Iterable[Run]) -> str:
    """Returns how much of its core the least lucky process had."""
    return f"Every process had its core for at least {100 * min(run.core_share for run in runs):.0f} % of the time."


def data_of(runs: Mapping[str, Run]) -> dict[str, Any]:
    """Returns facts and answers as JSON values."""
    return {name: {"facts": run.facts, "answers": run.answers} for name, run in runs.items()}


def take_apart(boards: Sequence[Board], num_envs: int, seconds: float) -> dict[Board, dict[str, Any]]:
    """Returns where the time of a batch step goes, by board."""
    found = {}
    for board in track(boards, "taken apart", make_console(stderr=True)):
        with Worker(Contestant("breakdown", {"num_envs": num_envs} | board.arguments)) as worker:
            found[board] = worker.measure(seconds)
    return found


def parts_table(title: str, columns: Mapping[str, Mapping[str, float]]) -> Table:
    """Returns nanoseconds by part, one column each."""
    names = list(next(iter(columns.values())))
    rows = [[name, *(rounded(column[name]) for column in columns.values())] for name in names]
    return Table(title, [["ns a step", *columns], *rows])
