"""Rates of `BatchEnv` with Aronda on one core."""

from __future__ import annotations

from training.benchmarks.contest import Contestant, Pace, Run, run_rounds
from training.benchmarks.parts.batch import HOW_MEASURED
from training.benchmarks.parts.common import (
    BANDWIDTH,
    bandwidth_contestant,
    bandwidth_note,
    data_of,
    floor_table,
    share_note,
)
from training.benchmarks.report import Part, Table, Verdict, rate_text, rounded

TARGET = 750_000  # steps a second and core, observed
OBSERVED, UNOBSERVED = "Aronda", "Aronda, observe=False"


def measure(pace: Pace, num_envs: int) -> Part:
    """Returns the part of the report."""
    arguments = {"num_envs": num_envs, "game": "aronda"}
    contestants = {
        OBSERVED: Contestant("batch", arguments),
        UNOBSERVED: Contestant("batch", arguments | {"observe": False}),
        BANDWIDTH: bandwidth_contestant(),
    }
    runs = run_rounds(contestants, pace, "aronda")
    bandwidth = runs.pop(BANDWIDTH)
    rate = runs[OBSERVED].rate
    return Part(
        "aronda",
        "Aronda, batch environment, one core",
        notes=[
            f'`BatchEnv(game="aronda")`, {num_envs} games in lockstep. {HOW_MEASURED}',
            share_note(runs.values()),
            bandwidth_note(bandwidth),
        ],
        tables=[rate_table(runs), floor_table(runs, bandwidth)],
        verdicts=[
            Verdict("BatchEnv Aronda, uniform play, steps/s", rate_text(rate), f"{TARGET:,}", rate.median >= TARGET)
        ],
        data=data_of(runs | {BANDWIDTH: bandwidth}),
    )


def rate_table(runs: dict[str, Run]) -> Table:
    """Returns the rates, one line a variant."""
    rows = [["", "steps/s", "step alone, steps/s", "games/s"]]
    for label, run in runs.items():
        games = sum(sample.games for sample in run.samples) / sum(sample.seconds for sample in run.samples)
        rows.append([label, rate_text(run.rate), rate_text(run.rate_alone), rounded(games)])
    return Table("Random play", rows)
