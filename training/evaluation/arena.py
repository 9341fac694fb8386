"""Plays games between agents side by side and writes down what happened in each."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents import Agent
from agents.base import ActsTogether
from bitblossom_env.core.game import Game, IllegalActionError
from bitblossom_env.core.record import Record, record_of
from training.evaluation.schedule import Seating

Watcher = Callable[[Game, int], None]  # called with the running game and the action about to be played


@dataclass
class Match:
    """One game between agents, from its start to its end."""

    start: Game
    seating: Seating
    rngs: Sequence[np.random.Generator]  # one per seat
    actions: list[int] = field(default_factory=list)
    illegal_seat: int | None = None  # the seat whose illegal action forfeited the game
    seconds: list[float] = field(init=False)  # thinking time of each seat
    turns: list[int] = field(init=False)  # turns in which each seat was asked for an action
    game: Game = field(init=False)  # after the last action; still running if the game was forfeited
    _asked_turn: int = -1

    def __post_init__(self) -> None:
        self.game = self.start.clone()
        self.seconds = [0.0] * self.start.num_seats
        self.turns = [0] * self.start.num_seats

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to play."""
        return self.game.is_over or self.illegal_seat is not None

    def play(self, action: int, seconds: float) -> None:
        """Plays what the seat to move chose in `seconds`; an illegal action ends the game, forfeited by that seat."""
        seat = self.game.to_move
        self.turns[seat] += self.game.turn != self._asked_turn
        self._asked_turn = self.game.turn
        self.seconds[seat] += seconds
        try:
            self.game.apply(action)
        except IllegalActionError:
            self.illegal_seat = seat
        else:
            self.actions.append(int(action))


@dataclass(frozen=True)
class GameResult:
    """What the report needs of one game; plain values, so that a long evaluation stays small."""

    seating: Seating
    winners: tuple[int, ...]  # seats that share the win
    ranks: tuple[float, ...]  # per seat, 1 is best, equal seats share the mean of their places
    areas: tuple[int, ...] | None  # cells per seat; None if the game was forfeited
    illegal_seat: int | None
    fingerprint: str  # equal exactly for games with the same start and the same actions
    seconds: tuple[float, ...]
    turns: tuple[int, ...]


def play_matches(matches: Sequence[Match], agents: Sequence[Agent], watch: Watcher | None = None) -> None:
    """Plays all matches to their ends in lockstep, one action each at a time.

    An agent that can act in many games at once is asked for all of its games together; the time it takes is shared
    out evenly among them.
    """
    running = list(matches)
    while running := [match for match in running if not match.is_done]:
        for index, agent in enumerate(agents):
            asked = [match for match in running if not match.is_done and match.seating[match.game.to_move] == index]
            advance(asked, ask(agent, asked), watch)


def advance(matches: Sequence[Match], answers: Sequence[tuple[int, float]], watch: Watcher | None) -> None:
    """Plays one action in each match; `answers` are actions and the seconds they took."""
    for match, (action, seconds) in zip(matches, answers, strict=True):
        if watch is not None:
            watch(match.game, action)
        match.play(action, seconds)


def ask(agent: Agent, matches: Sequence[Match]) -> list[tuple[int, float]]:
    """Returns the action of `agent` in each match, and the seconds it took; the agent sees copies only."""
    games = [match.game.clone() for match in matches]
    seats = [game.to_move for game in games]
    rngs = [match.rngs[seat] for match, seat in zip(matches, seats, strict=True)]
    if isinstance(agent, ActsTogether) and len(games) > 1:
        began = time.perf_counter()
        actions = agent.act_many(games, seats, rngs)
        return [(action, (time.perf_counter() - began) / len(games)) for action in actions]
    answers = []
    for game, seat, rng in zip(games, seats, rngs, strict=True):
        began = time.perf_counter()
        action = agent.act(game, seat, rng)
        answers.append((action, time.perf_counter() - began))
    return answers


def play_game(
    start: Game, agents: Sequence[Agent], rngs: Sequence[np.random.Generator], watch: Watcher | None = None
) -> Match:
    """Returns the finished game from `start` with one agent and one generator per seat."""
    match = Match(start, tuple(range(start.num_seats)), rngs)
    play_matches([match], agents, watch)
    return match


def judge(match: Match) -> GameResult:
    """Returns the result of a game; a forfeit is lost by its offender and shared by all other seats."""
    outcome = match.game.outcome
    offender = match.illegal_seat
    if offender is not None:
        num_seats = len(match.seating)
        winners = tuple(seat for seat in range(num_seats) if seat != offender)
        ranks = tuple(num_seats / 2 if seat != offender else float(num_seats) for seat in range(num_seats))
        areas = None
    elif outcome is not None:
        winners, ranks, areas = outcome.winners, outcome.ranks, outcome.areas
    else:
        raise RuntimeError("a game that is neither over nor forfeited has no result")
    return GameResult(
        seating=match.seating,
        winners=winners,
        ranks=ranks,
        areas=areas,
        illegal_seat=offender,
        fingerprint=fingerprint(match),
        seconds=tuple(match.seconds),
        turns=tuple(match.turns),
    )


def fingerprint(match: Match) -> str:
    """Returns 32 hexadecimal digits that are equal exactly for games with the same start and the same actions."""
    text = " ".join(str(number) for number in (match.start.hash(), *match.actions))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def record_match(match: Match, names: Sequence[str]) -> Record:
    """Returns the record of a game from its start on; a forfeited one ends with its last legal action.

    Args:
        match: the game.
        names: the name of each agent that its seating counts.
    """
    return record_of(match.game, match.start, match.actions) | {"agents": [names[agent] for agent in match.seating]}
