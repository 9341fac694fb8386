"""Bytes that a game takes."""

from __future__ import annotations

from training.benchmarks.contest import Contestant, Worker
from training.benchmarks.parts.common import BOARDS
from training.benchmarks.report import Part, Table, Verdict

LARGEST_STATE = 8 * 1024  # bytes at 9x9 with two players
JUDGED = BOARDS[0]


def measure() -> Part:
    """Returns the part of the report."""
    found = {}
    for board in BOARDS:
        with Worker(Contestant("size", board.arguments)) as worker:
            found[board] = worker.facts
    rows = [["bytes a game", "state", "planes", "mask", "BatchEnv in all", "with observe=False"]]
    for board, sizes in found.items():
        names = ("state", "planes", "mask", "env", "env_unobserved")
        rows.append([board.label, *(f"{sizes[name]:,}" for name in names)])
    state = found[JUDGED]["state"]
    return Part(
        "memory",
        "Memory",
        notes=["By how much what Python has allocated grows with each game of a batch."],
        tables=[Table("Memory per game", rows)],
        verdicts=[
            Verdict(
                f"state of a game, {JUDGED.label}, bytes",
                f"{state:,}",
                f"under {LARGEST_STATE:,}",
                state < LARGEST_STATE,
            )
        ],
        data={board.label: sizes for board, sizes in found.items()},
    )
