"""A first look at a game itself: one agent in all seats, measured.

A block of `evaluate` would compare agents; here only the seats differ, so every game has a start of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from agents import Agent
from bitblossom_env.core.game import EndReason, Game, IllegalActionError, Outcome, ReportsCaptures, Setup
from training.evaluation.arena import play_game
from training.evaluation.resampling import Floats, Interval, ratio_interval
from training.evaluation.schedule import RESAMPLING_STREAM, agent_rng, draw_start, make_rng


@dataclass(frozen=True)
class Sample:
    """Which games are played for one setup."""

    num_games: int
    seed: int
    random_turns: int  # of placements before the agent takes over; each costs its seat a turn of its own choice


@dataclass
class Tracker:
    """Watches games and counts what their results do not tell."""

    captures: Counter[str] = field(default_factory=Counter)  # pieces taken, by rule
    eliminations: int = 0
    revivals: int = 0
    _out: tuple[bool, ...] | None = None  # who was eliminated when last seen

    def open(self) -> None:
        """Forgets the status of the game before; whoever is out at the next start was not put out in play."""
        self._out = None

    def watch(self, game: Game, action: int) -> None:
        """Sees `action` before it is played."""
        if isinstance(game, ReportsCaptures):
            self._see_status(game)
            if action == game.setup.end_turn:
                self.captures.update(game.captures_by_rule())

    def close(self, game: Game) -> None:
        """Sees the finished game."""
        if isinstance(game, ReportsCaptures):
            self._see_status(game)

    def _see_status(self, game: ReportsCaptures) -> None:
        now = game.eliminated()
        before = now if self._out is None else self._out
        self.eliminations += sum(is_out and not was_out for was_out, is_out in zip(before, now, strict=True))
        self.revivals += sum(was_out and not is_out for was_out, is_out in zip(before, now, strict=True))
        self._out = now


@dataclass(frozen=True)
class Look:
    """What the games of one setup came to."""

    setup: Setup
    agent: str
    num_games: int
    seat_shares: tuple[float, ...]
    seat_intervals: tuple[Interval, ...]
    mean_turns: float
    turns_range: tuple[float, float]  # 5th and 95th percentile
    reasons: dict[EndReason, float]  # share of games
    captures: dict[str, float]  # pieces a game, by rule
    eliminations: float  # a game
    revivals: float  # a game
    has_captures: bool  # whether the game tells of captures and eliminations at all


def measure(setup: Setup, agent: Agent, sample: Sample) -> Look:
    """Plays the games of `sample` with `agent` in every seat and returns what they came to."""
    seed, num_games = sample.seed, sample.num_games
    random_turns = (sample.random_turns, sample.random_turns)
    tracker = Tracker()
    outcomes: list[Outcome] = []
    turns: list[int] = []
    for index in range(num_games):
        game = play_tracked(draw_start(setup, seed, (index,), random_turns), agent, (seed, index), tracker)
        if game.outcome is None:
            raise IllegalActionError(f"agent {agent.name!r} chose an illegal action in game {index}")
        outcomes.append(game.outcome)
        turns.append(game.turn)
    reasons = Counter(outcome.reason for outcome in outcomes)
    shares = win_shares(outcomes, setup.num_seats)
    return Look(
        setup=setup,
        agent=agent.name,
        num_games=num_games,
        seat_shares=tuple(shares.mean(axis=0).tolist()),
        seat_intervals=seat_intervals(shares, seed),
        mean_turns=float(np.mean(turns)),
        turns_range=(float(np.percentile(turns, 5)), float(np.percentile(turns, 95))),
        reasons={reason: reasons[reason] / num_games for reason in EndReason},
        captures={rule: count / num_games for rule, count in tracker.captures.items()},
        eliminations=tracker.eliminations / num_games,
        revivals=tracker.revivals / num_games,
        has_captures=isinstance(game, ReportsCaptures),
    )


def play_tracked(start: Game, agent: Agent, key: tuple[int, int], tracker: Tracker) -> Game:
    """Plays one game of (seed, index) `key` from `start` under the eyes of `tracker`, returns its end."""
    seed, index = key
    tracker.open()
    rngs = [agent_rng(seed, index, 0, seat) for seat in range(start.num_seats)]
    game = play_game(start, [agent] * start.num_seats, rngs, tracker.watch).game
    tracker.close(game)
    return game


def win_shares(outcomes: Sequence[Outcome], num_seats: int) -> Floats:
    """Returns float64 [B, P]: the part of each game's win that each seat got."""
    shares = np.zeros((len(outcomes), num_seats))
    for index, outcome in enumerate(outcomes):
        shares[index, list(outcome.winners)] = 1.0 / len(outcome.winners)
    return shares


def seat_intervals(shares: Floats, seed: int) -> tuple[Interval, ...]:
    """Returns a 95 % interval for the mean of each column of `shares` float64 [B, P]."""
    num_games, num_seats = shares.shape
    return tuple(
        ratio_interval(
            shares[:, seat], np.ones(num_games), np.zeros(num_games, np.int64), make_rng(seed, RESAMPLING_STREAM)
        )
        for seat in range(num_seats)
    )
