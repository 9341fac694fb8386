"""Flat cost: a history costs the same however many turns it took, and a step grows no faster than the board."""

from __future__ import annotations

import numpy as np

from training.benchmarks.contest import Contestant, Pace, Run, Spread, run_rounds
from training.benchmarks.parts.common import data_of
from training.benchmarks.report import Chart, Part, Table, Verdict, ratio_text, rounded

SIDE = 19
HISTORIES = (1, 2, 5, 10, 20, 40, 80, 120)  # turns
SAME = 1.25  # times: a cost that grew with the turns would be a hundred times as high
SIDES = (9, 13, 16, 19, 25, 32)
CELLS = "as the cells"
ABOUT_REPLAYS = (
    "A replay: the end of a turn that takes one stone, so that the history of its owner's other stones, walls across a "
    f"{SIDE}x{SIDE} board, is gone through; the same stones came in {HISTORIES[0]} to {HISTORIES[-1]} turns. "
    "`nothing taken` is the end of the same turn without a replay."
)
ABOUT_GROWTH = (
    "A serpentine: walls that leave one corridor; a stone closes it in the middle and is retracted. Upright, the "
    "corridor runs against the rows in which floods work. Replayed walls fill a quarter of the board, one stone a "
    "turn. Random play writes the planes, the others do not."
)
REPLAY_TITLE = f"End of a turn that replays {SIDE}x{SIDE} walls"
GROWTH_TITLE = "Cost of a step as the board grows"


def measure(pace: Pace) -> Part:
    """Returns the part of the report."""
    contestants = {
        "replay": Contestant("replay", {"side": SIDE, "histories": HISTORIES}),
        "growth": Contestant("growth", {"sides": SIDES}),
    }
    runs = run_rounds(contestants, pace, "flat")
    replays, growths = replay_costs(runs["replay"]), growth_costs(runs["growth"])
    return Part(
        "flat",
        "Flat cost",
        notes=[
            ABOUT_REPLAYS,
            ABOUT_GROWTH,
        ],
        tables=[replay_table(replays), growth_table(growths)],
        verdicts=[
            *(replay_verdict(kind, runs["replay"]) for kind in kinds_of(replays)),
            *(growth_verdict(kind, costs) for kind, costs in growths.items()),
        ],
        charts=[replay_chart(replays), growth_chart(growths)],
        data=data_of(runs),
    )


def replay_costs(run: Run) -> dict[str, Spread]:
    """Returns nanoseconds by kind of wall and turns, `kind/turns`."""
    return {name: Spread.of(answer[name] for answer in run.answers) for name in run.facts["names"]}


def growth_costs(run: Run) -> dict[str, dict[int, float]]:
    """Returns median nanoseconds by kind of step and side."""
    kinds = run.answers[0]
    return {
        kind: {side: Spread.of(answer[kind][str(side)] for answer in run.answers).median for side in SIDES}
        for kind in kinds
    }


def kinds_of(replays: dict[str, Spread]) -> list[str]:
    """Returns the kinds of walls."""
    return list(dict.fromkeys(name.partition("/")[0] for name in replays))


def replay_table(replays: dict[str, Spread]) -> Table:
    """Returns nanoseconds a step, one line a kind of wall."""
    columns = list(dict.fromkeys(name.partition("/")[2] for name in replays))
    rows = [[kind, *(rounded(replays[f"{kind}/{column}"].median) for column in columns)] for kind in kinds_of(replays)]
    return Table(f"{REPLAY_TITLE}: ns, by the number of turns in which the stones came", [["", *columns], *rows])


def replay_verdict(kind: str, run: Run) -> Verdict:
    """Returns whether many turns cost what one does."""
    first, last = f"{kind}/{HISTORIES[0]}", f"{kind}/{HISTORIES[-1]}"
    ratio = Spread.of(answer[last] / answer[first] for answer in run.answers)
    subject = f"replay of {kind}: {HISTORIES[-1]} turns against {HISTORIES[0]}"
    return Verdict(subject, ratio_text(ratio), f"the same, within {SAME}x", ratio.median <= SAME)


def growth_table(growths: dict[str, dict[int, float]]) -> Table:
    """Returns nanoseconds a step, one line a kind of step."""
    rows = [
        [kind, *(rounded(cost) for cost in costs.values()), f"{exponent(costs):.2f}"] for kind, costs in growths.items()
    ]
    header = ["", *(f"{side}x{side}" for side in SIDES), "cost ~ cells^"]
    return Table(f"{GROWTH_TITLE}: ns", [header, *rows])


def exponent(costs: dict[int, float]) -> float:
    """Returns the power of the number of cells with which a cost grows: the slope between logarithms, least squares."""
    cells, nanoseconds = np.log([side**2 for side in costs]), np.log(list(costs.values()))
    return float(np.polyfit(cells, nanoseconds, 1)[0])


def growth_verdict(kind: str, costs: dict[int, float]) -> Verdict:
    """Returns whether a cost grows no faster than the cells do."""
    power, small, large = exponent(costs), min(costs), max(costs)
    figure = f"cells^{power:.2f} ({costs[large] / costs[small]:.1f}x for {large**2 / small**2:.1f}x the cells)"
    return Verdict(f"{kind}: cost from {small}x{small} to {large}x{large}", figure, "at most cells^1", power <= 1)


def replay_chart(replays: dict[str, Spread]) -> Chart:
    """Returns nanoseconds over turns."""
    lines = {
        kind: [(float(turns), replays[f"{kind}/{turns}"].median) for turns in HISTORIES] for kind in kinds_of(replays)
    }
    return Chart("performance-replay", REPLAY_TITLE, "turns in which the stones came", "ns a step", lines)


def growth_chart(growths: dict[str, dict[int, float]]) -> Chart:
    """Returns nanoseconds over cells, beside a line that grows as the cells do."""
    lines = {kind: [(float(side**2), cost) for side, cost in costs.items()] for kind, costs in growths.items()}
    highest = max(costs[min(SIDES)] for costs in growths.values())
    lines[CELLS] = [(float(side**2), highest * side**2 / min(SIDES) ** 2) for side in SIDES]
    return Chart("performance-growth", GROWTH_TITLE, "cells", "ns a step", lines, is_logarithmic=True, reference=CELLS)
