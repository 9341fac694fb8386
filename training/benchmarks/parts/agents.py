"""Agents: how long their turns take, and how many simulations the tree search makes, beside OpenSpiel's."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from training.benchmarks.contest import Contestant, Pace, Run, Spread, run_rounds
from training.benchmarks.report import Part, Table, Verdict, rate_text, ratio_text

TURNS = {"board_size": 16, "num_players": 4, "player": "planner", "turns": (24, 40), "num_games": 3}
BOARD = "16x16, 4 players, middle game"
MOST = {"greedy": None, "cutter": None, "closer": 1.0, "planner": 10.0}  # milliseconds of a median turn
OURS, THEIRS = "mcts, Bit Blossom 9x9, 2 players", "OpenSpiel, Go 9x9"
SEARCHES = {
    f"{OURS}, first turn": Contestant("simulations", {"board_size": 9, "num_players": 2, "num_turns": 0}),
    f"{OURS}, after 6 turns": Contestant("simulations", {"board_size": 9, "num_players": 2, "num_turns": 6}),
    "mcts, Bit Blossom 16x16, 4 players, after 12 turns": Contestant(
        "simulations", {"board_size": 16, "num_players": 4, "num_turns": 12}
    ),
}
PEER_SEARCHES = {
    f"{THEIRS}, empty board": Contestant("open_spiel_mcts", {"board_size": 9, "num_moves": 0}),
    f"{THEIRS}, after 18 stones": Contestant("open_spiel_mcts", {"board_size": 9, "num_moves": 18}),
}
NOTE = (
    "CPU time of one core. A turn is all that an agent is asked until it ends the turn: three placements and more. "
    "A simulation of ours adds a position, with the worth of all its placements and the walls around all bases, plays "
    "the turn to its end with a policy that looks at 16 placements for each stone, and random turns to the end of the "
    "game; one of OpenSpiel's, in C++, adds a position of Go and plays at random to the end of the game."
)


def measure(pace: Pace) -> Part:
    """Returns the part of the report; OpenSpiel is left out, with a word, where it is not installed."""
    has_peer = find_spec("pyspiel") is not None
    turns = {name: Contestant("turns", {"agent": name, **TURNS}) for name in MOST}
    searches = SEARCHES | (PEER_SEARCHES if has_peer else {})
    runs = run_rounds(turns | searches, pace, "agents")
    part = Part("agents", "Agents", data={name: run.answers for name, run in runs.items()})
    part.notes = [NOTE]
    if not has_peer:
        part.notes.append("OpenSpiel is not installed, so left out. `pip install 'bitblossom[bench]'` brings it.")
    part.tables = [turns_table(runs), searches_table({name: runs[name] for name in searches})]
    part.verdicts = [verdict(name, most, runs[name]) for name, most in MOST.items() if most is not None]
    return part


def turn_times(run: Run, what: str) -> Spread:
    """Returns milliseconds of a turn, `what` of each round."""
    return Spread.of(answer[what] for answer in run.answers)


def milliseconds(spread: Spread) -> str:
    """Returns a time with its spread."""
    return f"{spread.median:.2f} ms ({spread.low:.2f}..{spread.high:.2f})"


def turns_table(runs: Mapping[str, Run]) -> Table:
    """Returns how long a turn takes."""
    rows = [["", "median turn", "longest turn", "turns in a round"]]
    for name in MOST:
        run = runs[name]
        times = [milliseconds(turn_times(run, what)) for what in ("median", "most")]
        rows.append([name, *times, str(run.facts["positions"])])
    return Table(f"A turn, {BOARD}", rows)


def rates(run: Run) -> list[float]:
    """Returns simulations a CPU second, round by round."""
    return [answer["simulations"] / answer["seconds"] for answer in run.answers]


def searches_table(runs: Mapping[str, Run]) -> Table:
    """Returns simulations a second, and how many times those of OpenSpiel on an empty board."""
    peer = next((run for name, run in runs.items() if name in PEER_SEARCHES), None)
    rows = [["", "simulations/s", f"times {THEIRS}, empty board"]]
    for name, run in runs.items():
        times = "" if peer is None else ratio_text(ratio(run, peer))
        rows.append([name, rate_text(Spread.of(rates(run))), times])
    return Table("Tree search", rows)


def ratio(run: Run, peer: Run) -> Spread:
    """Returns how many times as many simulations, round by round."""
    return Spread.of(ours / theirs for ours, theirs in zip(rates(run), rates(peer), strict=True))


def verdict(name: str, most: float, run: Run) -> Verdict:
    """Returns the median turn of an agent beside its target."""
    times = turn_times(run, "median")
    return Verdict(f"`{name}`, median turn, {BOARD}", milliseconds(times), f"at most {most:g} ms", times.median <= most)
