"""This project, PettingZoo's Go, OpenSpiel's Go and pgx's Go side by side."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from training.benchmarks.contest import Contestant, Pace, Run, ratio_of, run_rounds
from training.benchmarks.parts.common import (
    BANDWIDTH,
    Board,
    bandwidth_contestant,
    bandwidth_note,
    data_of,
    floor_table,
    parts_table,
    share_note,
    take_apart,
)
from training.benchmarks.report import Part, Table, Verdict, rate_text, ratio_text

SIDES = (9, 19)
BATCH, AEC = "BatchEnv", "AEC env"
WRAPPED, RAW = "PettingZoo Go, env()", "PettingZoo Go, raw_env()"
IN_PLACE, THROUGH_NUMPY = "OpenSpiel Go, in-place observer", "OpenSpiel Go, NumPy arrays"
PGX = "pgx Go"
NEEDS = {WRAPPED: "pygame", RAW: "pygame", IN_PLACE: "pyspiel", THROUGH_NUMPY: "pyspiel", PGX: "pgx"}
BATCH_SIZES = {9: (16, 64, 256), 19: (1, 4, 16)}  # that pgx chooses from; larger ones were slower wherever tried
HOW_MEASURED = (
    "Random legal play of whole games on boards of equal size, with the observation of the seat to move and its legal "
    "actions in every step. Each contestant has a process of its own, one thread on the same core; they are measured "
    "in turn, and a ratio is that of two contestants in one round. Steps a CPU second; the choice of the action is "
    "counted for all of them, and left out in the second column (pgx: inside the compiled code)."
)
ABOUT_PEERS = (
    "OpenSpiel: the leanest loop found from Python, legal actions as a list, no call of `is_terminal` or "
    "`current_player`. PettingZoo is judged by `env()`, the same door as ours."
)


@dataclass(frozen=True)
class Target:
    """How many times as fast one contestant is to be as another."""

    ours: str
    peer: str
    ratio: float


TARGETS = (Target(BATCH, IN_PLACE, 1.5), Target(BATCH, PGX, 10), Target(BATCH, WRAPPED, 45), Target(AEC, WRAPPED, 5.6))


def contestants_of(side: int, num_envs: int) -> dict[str, Contestant]:
    """Returns all contestants on a board, by name."""
    ours = {"board_size": side, "num_players": 2}
    return {
        BATCH: Contestant("batch", ours | {"num_envs": num_envs}),
        AEC: Contestant("aec", ours),
        WRAPPED: Contestant("pettingzoo_go", {"board_size": side}),
        RAW: Contestant("pettingzoo_go", {"board_size": side, "is_wrapped": False}),
        IN_PLACE: Contestant("open_spiel_go", {"board_size": side}),
        THROUGH_NUMPY: Contestant("open_spiel_go", {"board_size": side, "in_place": False}),
        PGX: Contestant("pgx_go", {"board_size": side, "batch_sizes": BATCH_SIZES[side]}),
    }


def missing_peers() -> list[str]:
    """Returns the names of the contestants whose library is not installed."""
    return [name for name, module in NEEDS.items() if find_spec(module) is None]


def key(side: int, name: str) -> str:
    """Returns the name of a contestant on a board."""
    return f"{side}x{side}, {name}"


def measure(pace: Pace, num_envs: int) -> Part:
    """Returns the part of the report; peers that are not installed are left out, with a word."""
    missing = missing_peers()
    contestants = {
        key(side, name): contestant
        for side in SIDES
        for name, contestant in contestants_of(side, num_envs).items()
        if name not in missing
    }
    runs = run_rounds(contestants | {BANDWIDTH: bandwidth_contestant()}, pace, "peers")
    bandwidth = runs.pop(BANDWIDTH)
    missed = [Board(side, 2) for side in SIDES if any(v.is_met is False for v in verdicts(runs, side))]
    return Part(
        "peers",
        "Side by side with other libraries",
        notes=[*how_measured(runs, missing), share_note(runs.values()), bandwidth_note(bandwidth)],
        tables=[rate_table(runs), *ratio_tables(runs), floor_table(runs, bandwidth), *profiles(missed, num_envs, pace)],
        verdicts=[verdict for side in SIDES for verdict in verdicts(runs, side)],
        data=data_of(runs | {BANDWIDTH: bandwidth}),
    )


def profiles(missed: list[Board], num_envs: int, pace: Pace) -> list[Table]:
    """Returns where the time of our batch goes on boards where a ratio is missed."""
    if not missed:
        return []
    found = take_apart(missed, num_envs, pace.seconds)
    columns = {board.label: breakdown["parts"] for board, breakdown in found.items()}
    return [parts_table("Where the time of a batch step goes, where a ratio is missed", columns)]


def how_measured(runs: dict[str, Run], missing: list[str]) -> list[str]:
    """Returns what the figures count."""
    notes = [HOW_MEASURED, ABOUT_PEERS]
    sizes = [f"{runs[key(side, PGX)].facts['num_envs']} at {side}x{side}" for side in SIDES if key(side, PGX) in runs]
    if sizes:
        notes.append(
            "pgx: compiled and vectorised, compile time not counted, finished games replaced inside; games in "
            f"lockstep: {', '.join(sizes)}, the quickest of those tried."
        )
    if missing:
        notes.append(
            f"Not installed, so left out: {', '.join(missing)}. `pip install 'bitblossom[bench]'` brings them."
        )
    return notes


def rate_table(runs: dict[str, Run]) -> Table:
    """Returns the rates."""
    rows = [[name, rate_text(run.rate), rate_text(run.rate_alone)] for name, run in runs.items()]
    return Table("Random play", [["", "steps/s", "without the choice, steps/s"], *rows])


def ratio_tables(runs: dict[str, Run]) -> list[Table]:
    """Returns how many times as fast ours are as each peer; no table without peers."""
    rows = [["", *(f"{side}x{side}, {ours}" for side in SIDES for ours in (BATCH, AEC))]]
    for peer in NEEDS:
        if key(SIDES[0], peer) in runs:
            ratios = [ratio_of(runs[key(s, ours)], runs[key(s, peer)]) for s in SIDES for ours in (BATCH, AEC)]
            rows.append([f"against {peer}", *map(ratio_text, ratios)])
    return [Table("Times as fast, round by round", rows)] if len(rows) > 1 else []


def verdicts(runs: dict[str, Run], side: int) -> list[Verdict]:
    """Returns the ratios on a board beside their targets, as far as the peers are there."""
    found = []
    for target in TARGETS:
        if key(side, target.peer) in runs:
            ratio = ratio_of(runs[key(side, target.ours)], runs[key(side, target.peer)])
            subject = f"{side}x{side}, {target.ours} against {target.peer}"
            found.append(Verdict(subject, ratio_text(ratio), f"{target.ratio:g}x", ratio.median >= target.ratio))
    return found
