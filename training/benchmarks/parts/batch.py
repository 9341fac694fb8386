"""Rates of `BatchEnv` on one core, the floor under them, and where the time goes."""

from __future__ import annotations

from typing import Any

from training.benchmarks.contest import Contestant, Pace, Run, run_rounds
from training.benchmarks.parts.common import (
    BANDWIDTH,
    BOARDS,
    Board,
    bandwidth_contestant,
    bandwidth_note,
    data_of,
    floor_table,
    parts_table,
    share_note,
    take_apart,
)
from training.benchmarks.report import Part, Table, Verdict, rate_text, rounded

TARGETS = {Board(9, 2): 500_000, Board(19, 2): 190_000, Board(16, 4): 150_000}  # steps a second and core, observed
UNOBSERVED_GAIN = 2  # times these without planes
PLAY, NO_RETRACTIONS, UNOBSERVED = "uniform play", "no retractions", "observe=False"
HOW_MEASURED = (
    "One thread on one core; legal actions drawn uniformly from the mask, finished games replaced, all phases of the "
    "game side by side. Per CPU second, the choice of the actions counted; `step alone` leaves it out."
)
VARIANTS: dict[str, dict[str, Any]] = {
    PLAY: {},
    NO_RETRACTIONS: {"max_retractions_per_turn": 0},
    UNOBSERVED: {"observe": False},
}


def measure(pace: Pace, num_envs: int) -> Part:
    """Returns the part of the report."""
    lines = {(board, variant): f"{board.label}, {variant}" for board in BOARDS for variant in VARIANTS}
    contestants = {
        label: Contestant("batch", {"num_envs": num_envs} | board.arguments | VARIANTS[variant])
        for (board, variant), label in lines.items()
    }
    runs = run_rounds(contestants | {BANDWIDTH: bandwidth_contestant()}, pace, "batch")
    bandwidth = runs.pop(BANDWIDTH)
    breakdowns = take_apart(BOARDS, num_envs, pace.seconds)
    by_board = {key: runs[label] for key, label in lines.items()}
    return Part(
        "batch",
        "Batch environment, one core",
        notes=[
            f"`BatchEnv`, {num_envs} games in lockstep. {HOW_MEASURED}",
            share_note(runs.values()),
            bandwidth_note(bandwidth),
        ],
        tables=[
            rate_table(by_board),
            floor_table(runs, bandwidth),
            parts_table("Where the time of a step goes", {b.label: found["parts"] for b, found in breakdowns.items()}),
            kinds_table(breakdowns),
        ],
        verdicts=verdicts(by_board),
        data=data_of(runs | {BANDWIDTH: bandwidth}) | {"breakdown": {b.label: f for b, f in breakdowns.items()}},
    )


def rate_table(runs: dict[tuple[Board, str], Run]) -> Table:
    """Returns the rates, one line a board and variant."""
    rows = [["", "steps/s", "step alone, steps/s", "turns/s", "games/s"]]
    for (board, variant), run in runs.items():
        games = sum(sample.games for sample in run.samples) / sum(sample.seconds for sample in run.samples)
        rates = [rate_text(run.rate), rate_text(run.rate_alone), rounded(run.turns_rate.median), rounded(games)]
        rows.append([f"{board.label}, {variant}", *rates])
    return Table("Random play", rows)


def kinds_table(breakdowns: dict[Board, dict[str, Any]]) -> Table:
    """Returns how often each kind of action is played and what it takes without planes."""
    rows = [["", *(board.label for board in breakdowns)]]
    for kind in next(iter(breakdowns.values()))["kinds"]:
        found = [breakdown["kinds"][kind] for breakdown in breakdowns.values()]
        rows.append([kind, *(f"{rounded(each['ns'])} ns, {100 * each['share']:.0f} % of steps" for each in found)])
    return Table("By kind of action: legality, rules and mask, without planes", rows)


def verdicts(runs: dict[tuple[Board, str], Run]) -> list[Verdict]:
    """Returns the rates beside their targets."""
    found = []
    for variant, factor in ((PLAY, 1), (UNOBSERVED, UNOBSERVED_GAIN)):
        for board, target in TARGETS.items():
            rate = runs[board, variant].rate
            subject = f"BatchEnv {board.label}, {variant}, steps/s"
            found.append(Verdict(subject, rate_text(rate), f"{factor * target:,}", rate.median >= factor * target))
    return found
