"""From results to the report that people and programs read; as JSON it is `asdict` of `Report`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from bitblossom_env.core.game import Setup
from training.evaluation.arena import GameResult
from training.evaluation.ratings import anchor_ratings, fit_ratings, rating_intervals
from training.evaluation.resampling import Interval, number_strata, ratio_interval
from training.evaluation.schedule import RESAMPLING_STREAM, make_rng
from training.evaluation.sequential import Verdict
from training.evaluation.soundness import find_warnings
from training.evaluation.tally import Results, Tally, tally_blocks

FORMAT_VERSION = 1  # rises when a key of the report changes its meaning
ANCHOR = "random"  # the agent whose rating is 0 where it takes part

SeatGame = tuple[GameResult, int]  # one game seen from one of its seats


@dataclass(frozen=True)
class AgentRow:
    """One agent's line of the report; the fields are the keys of the JSON file, in their order."""

    name: str
    games: int  # seat-games: a game in which the agent holds two seats counts twice
    wins: int  # seat-games won alone
    draws: int  # seat-games in which the win was shared
    win_share: float  # a win shared by w seats counts 1/w; 1/P is what an average agent gets
    win_share_ci: Interval
    mean_rank: float
    mean_area: float | None  # cells, over the games that were played out
    rating: float
    rating_ci: Interval
    seat_shares: tuple[float | None, ...]  # win share in each seat; None where it never sat
    illegal_actions: int  # each one cost it a game
    seconds_per_turn: float


@dataclass(frozen=True)
class Report:
    """The outcome of an evaluation."""

    version: int
    rules: dict[str, Any]
    agents: tuple[AgentRow, ...]
    matrix: tuple[tuple[float, ...], ...]  # [N][N] seat pairs in which i came before j, ties half
    distinct_games: int
    warnings: tuple[str, ...] = ()
    sprt: Verdict | None = None  # of the sequential test, if there was one

    def content(self) -> dict[str, Any]:
        """Returns the report as JSON values; `warnings` and `sprt` are there only where there is something to say."""
        content = asdict(self)
        return {key: value for key, value in content.items() if value or key not in ("warnings", "sprt")}

    def with_verdict(self, verdict: Verdict) -> Report:
        """Returns the same report with the verdict of a sequential test."""
        return replace(self, sprt=verdict)

    def in_order(self, names: Sequence[str]) -> Report:
        """Returns the same report with its agents in the order of `names`, which may name others too."""
        places = {row.name: place for place, row in enumerate(self.agents)}
        order = [places[name] for name in names if name in places]
        matrix = tuple(tuple(self.matrix[row][column] for column in order) for row in order)
        return replace(self, agents=tuple(self.agents[place] for place in order), matrix=matrix)


def make_report(setup: Setup, names: Sequence[str], results: Results, seed: int) -> Report:
    """Returns the report on the blocks played; `seed` draws the resamples for its intervals."""
    names, results = drop_idle(names, results)
    tally = tally_blocks(results, len(names))
    anchor = names.index(ANCHOR) if ANCHOR in names else None
    ratings = anchor_ratings(fit_ratings(tally.matrix), anchor)
    intervals = rating_intervals(tally, anchor, make_rng(seed, RESAMPLING_STREAM))
    seats = find_seats(len(names), results)
    rows = [
        make_row(name, seats[index], share_interval(tally, index, seed), (float(ratings[index]), intervals[index]))
        for index, name in enumerate(names)
    ]
    fingerprints = {result.fingerprint for block in results for result in block}
    return Report(
        version=FORMAT_VERSION,
        rules={"game": setup.game_name, **setup.rules()},
        agents=tuple(rows),
        matrix=tuple(tuple(row) for row in tally.matrix.tolist()),
        distinct_games=len(fingerprints),
        warnings=tuple(find_warnings(names, tally)),
    )


def share_interval(tally: Tally, agent: int, seed: int) -> Interval:
    """Returns the interval of the share of wins of `agent`, from the blocks in which it played."""
    played = tally.seat_games[:, agent] > 0  # bool [B]
    return ratio_interval(
        tally.shares[played, agent],
        tally.seat_games[played, agent],
        number_strata(tally.strata[played].tolist()),
        make_rng(seed, RESAMPLING_STREAM),  # the same for all: shares of two agents mirror each other
    )


def find_seats(num_agents: int, results: Results) -> list[list[SeatGame]]:
    """Returns for each agent every game and seat that it held."""
    seats: list[list[SeatGame]] = [[] for _ in range(num_agents)]
    for block in results:
        for result in block:
            for seat, agent in enumerate(result.seating):
                seats[agent].append((result, seat))
    return seats


def drop_idle(names: Sequence[str], results: Results) -> tuple[list[str], Results]:
    """Returns the agents that played at least one game, and the results with seatings that count only them.

    Only an interrupted evaluation has agents that never played; the order of the others stays.
    """
    active = sorted({agent for block in results for result in block for agent in result.seating})
    new_index = {agent: index for index, agent in enumerate(active)}
    renumbered = [
        [replace(result, seating=tuple(new_index[agent] for agent in result.seating)) for result in block]
        for block in results
    ]
    return [names[agent] for agent in active], renumbered


def win_share_of(result: GameResult, seat: int) -> float:
    """Returns the part of the win that `seat` got."""
    return 1.0 / len(result.winners) if seat in result.winners else 0.0


def make_row(name: str, seats: Sequence[SeatGame], share_ci: Interval, rated: tuple[float, Interval]) -> AgentRow:
    """Returns the line of one agent, rounded to what the sample can bear; `rated` is its rating and the interval."""
    rating, rating_ci = rated
    shares = np.array([win_share_of(result, seat) for result, seat in seats])
    areas = [result.areas[seat] for result, seat in seats if result.areas is not None]
    turns = sum(result.turns[seat] for result, seat in seats)
    by_seat = [
        [share for share, (_, held) in zip(shares, seats, strict=True) if held == seat]
        for seat in range(len(seats[0][0].seating))
    ]
    return AgentRow(
        name=name,
        games=len(seats),
        wins=int(np.sum(shares == 1.0)),
        draws=int(np.sum((shares > 0.0) & (shares < 1.0))),
        win_share=round(float(shares.mean()), 6),
        win_share_ci=round_interval(share_ci, 6),
        mean_rank=round(float(np.mean([result.ranks[seat] for result, seat in seats])), 6),
        mean_area=round(float(np.mean(areas)), 4) if areas else None,
        rating=round(rating, 2) + 0.0,
        rating_ci=round_interval(rating_ci, 2),
        seat_shares=tuple(round(float(np.mean(part)), 6) if part else None for part in by_seat),
        illegal_actions=sum(result.illegal_seat == seat for result, seat in seats),
        seconds_per_turn=round(sum(result.seconds[seat] for result, seat in seats) / max(turns, 1), 7),
    )


def round_interval(interval: Interval, digits: int) -> Interval:
    """Returns both ends rounded; adding 0.0 turns a negative zero into zero."""
    return round(interval[0], digits) + 0.0, round(interval[1], digits) + 0.0
