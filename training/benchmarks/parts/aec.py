"""The rate of the AEC environment, and where its time goes."""

from __future__ import annotations

from training.benchmarks.contest import Contestant, Pace, Worker, run_rounds
from training.benchmarks.parts.common import (
    BANDWIDTH,
    BOARDS,
    bandwidth_contestant,
    bandwidth_note,
    data_of,
    floor_table,
    share_note,
)
from training.benchmarks.report import Part, Table, Verdict, rate_text

TARGET = 60_000  # steps a second and core at 9x9 with two players
JUDGED = BOARDS[0]
NUM_FUNCTIONS = 12  # shown
HOW_MEASURED = (
    "`bitblossom_v0.env()`: `last()`, a legal action drawn uniformly from the mask, `step()`; whole games one after "
    "the other. Per CPU second, the choice of the action counted."
)


def measure(pace: Pace) -> Part:
    """Returns the part of the report."""
    contestants = {board.label: Contestant("aec", board.arguments) for board in BOARDS}
    runs = run_rounds(contestants | {BANDWIDTH: bandwidth_contestant()}, pace, "aec")
    bandwidth = runs.pop(BANDWIDTH)
    with Worker(Contestant("calls", JUDGED.arguments)) as worker:
        profile = worker.measure(pace.seconds)
    rows = [[label, rate_text(run.rate), rate_text(run.rate_alone)] for label, run in runs.items()]
    rate = runs[JUDGED.label].rate
    return Part(
        "aec",
        "AEC environment, one core",
        notes=[
            HOW_MEASURED,
            share_note(runs.values()),
            bandwidth_note(bandwidth),
        ],
        tables=[
            Table("Random play", [["", "steps/s", "without the choice, steps/s"], *rows]),
            floor_table(runs, bandwidth),
            profile_table(profile["shares"]),
        ],
        verdicts=[Verdict(f"AEC env {JUDGED.label}, steps/s", rate_text(rate), f"{TARGET:,}", rate.median >= TARGET)],
        data=data_of(runs | {BANDWIDTH: bandwidth}) | {"profile": profile},
    )


def profile_table(shares: dict[str, float]) -> Table:
    """Returns the functions that take most of the time of a step."""
    rows = [[name, f"{100 * share:.1f} %"] for name, share in list(shares.items())[:NUM_FUNCTIONS]]
    title = f"Where the time of a step goes, {JUDGED.label}: own time of each function under the profiler"
    return Table(title, [["function", "own time, kernels called by it included"], *rows])
