"""The search with a network, without the network: what the tree itself costs on one core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from training.benchmarks.contest import Contestant, Pace, Run, Spread, run_rounds
from training.benchmarks.parts.agents import rates
from training.benchmarks.report import Part, Table, Verdict, rate_text

TARGET = 100_000  # simulations a second and core, Bit Blossom 9x9
RULES: dict[str, Any] = {"num_players": 2, "board_size": 9}
JUDGED = "Bit Blossom 9x9, 32 games together, 64 simulations each"


def contestant(game: str, rules: dict[str, Any], num_games: int, num_simulations: int) -> Contestant:
    """Returns searches of some games together."""
    return Contestant(
        "gumbel", {"game": game, "rules": rules, "num_games": num_games, "num_simulations": num_simulations}
    )


SEARCHES = {
    JUDGED: contestant("bitblossom", RULES, 32, 64),
    "Bit Blossom 9x9, one game, 64 simulations": contestant("bitblossom", RULES, 1, 64),
    "Bit Blossom 9x9, one game, 512 simulations": contestant("bitblossom", RULES, 1, 512),
    "Aronda, 32 games together, 64 simulations each": contestant("aronda", {}, 32, 64),
}
NOTE = (
    "CPU time of one core. A simulation chooses its actions from the root down, plays the last one, sees whether the "
    "position is known, writes what the network would read, and books what comes back; the network is one that finds "
    "every action as likely and every seat worth nothing."
)


def measure(pace: Pace) -> Part:
    """Returns the part of the report."""
    runs = run_rounds(SEARCHES, pace, "gumbel")
    rate = Spread.of(rates(runs[JUDGED]))
    return Part(
        "gumbel",
        "Search with a network, the tree alone",
        notes=[NOTE],
        tables=[rate_table(runs)],
        verdicts=[Verdict(f"{JUDGED}, simulations/s", rate_text(rate), f"{TARGET:,}", rate.median >= TARGET)],
        data={name: run.answers for name, run in runs.items()},
    )


def rate_table(runs: Mapping[str, Run]) -> Table:
    """Returns the rates, one line a search."""
    rows = [["", "simulations/s"]]
    rows += [[name, rate_text(Spread.of(rates(run)))] for name, run in runs.items()]
    return Table("Gumbel search", rows)
