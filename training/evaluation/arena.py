"""Plays the games of a schedule, one after the other, and writes down what happened in each."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents import Agent
from bitblossom_env.core.game import Game, IllegalActionError, Setup
from bitblossom_env.core.record import Record, Recorder
from training.evaluation.schedule import Block, Seating, agent_rng, draw_start

Watcher = Callable[[Game, int], None]  # called with the running game and the action about to be played


@dataclass
class PlayedGame:
    """One game as it was played out from its start."""

    start: Game
    game: Game  # after the last action; still running if the game was forfeited
    actions: list[int] = field(default_factory=list)
    illegal_seat: int | None = None  # the seat whose illegal action forfeited the game
    seconds: list[float] = field(default_factory=list)  # thinking time of each seat
    turns: list[int] = field(default_factory=list)  # turns in which each seat was asked for an action


@dataclass(frozen=True)
class GameResult:
    """What the ratings need of one game; plain values, so that a long evaluation stays small."""

    seating: Seating
    winners: tuple[int, ...]  # seats that share the win
    ranks: tuple[float, ...]  # per seat, 1 is best, equal seats share the mean of their places
    areas: tuple[int, ...] | None  # cells per seat; None if the game was forfeited
    illegal_seat: int | None
    fingerprint: bytes  # equal exactly for games with the same start and the same actions
    seconds: tuple[float, ...]
    turns: tuple[int, ...]


@dataclass(frozen=True)
class Contest:
    """Everything that the result of a block depends on, apart from the block."""

    setup: Setup
    agents: tuple[Agent, ...]
    seed: int
    random_turns: tuple[int, int]  # fewest and most random turns before the agents take over


def warm_up(contest: Contest) -> None:
    """Asks every agent for one action that nobody plays, so that loading and compiling count as no agent's time."""
    start = draw_start(contest.setup, contest.seed, 0, contest.random_turns)
    for index, agent in enumerate(contest.agents):
        agent.act(start.clone(), start.to_move, agent_rng(contest.seed, 0, 0, index))


def play_game(
    start: Game,
    agents: Sequence[Agent],
    rngs: Sequence[np.random.Generator],
    watch: Watcher | None = None,
) -> PlayedGame:
    """Plays a copy of `start` to its end with one agent and one generator per seat.

    An illegal action ends the game at once: it is forfeited by the seat that chose it.
    """
    num_seats = start.num_seats
    played = PlayedGame(start, start.clone(), seconds=[0.0] * num_seats, turns=[0] * num_seats)
    game = played.game
    asked_turn = -1
    while not game.is_over:
        seat = game.to_move
        played.turns[seat] += game.turn != asked_turn
        asked_turn = game.turn
        began = time.perf_counter()
        action = agents[seat].act(game.clone(), seat, rngs[seat])
        played.seconds[seat] += time.perf_counter() - began
        if watch is not None:
            watch(game, action)
        try:
            game.apply(action)
        except IllegalActionError:
            played.illegal_seat = seat
            return played
        played.actions.append(int(action))
    return played


def judge(played: PlayedGame, seating: Seating) -> GameResult:
    """Returns the result of a game; a forfeit is lost by its offender and shared by all other seats."""
    outcome = played.game.outcome
    offender = played.illegal_seat
    if offender is not None:
        num_seats = len(seating)
        winners = tuple(seat for seat in range(num_seats) if seat != offender)
        ranks = tuple(num_seats / 2 if seat != offender else float(num_seats) for seat in range(num_seats))
        areas = None
    elif outcome is not None:
        winners, ranks, areas = outcome.winners, outcome.ranks, outcome.areas
    else:
        raise RuntimeError("a game that is neither over nor forfeited has no result")
    return GameResult(
        seating=seating,
        winners=winners,
        ranks=ranks,
        areas=areas,
        illegal_seat=offender,
        fingerprint=fingerprint(played),
        seconds=tuple(played.seconds),
        turns=tuple(played.turns),
    )


def fingerprint(played: PlayedGame) -> bytes:
    """Returns 16 bytes that are equal exactly for games with the same start and the same actions."""
    text = " ".join(str(number) for number in (played.start.hash(), *played.actions))
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def record_game(played: PlayedGame) -> Record:
    """Returns the record of a game from its start on; a forfeited one ends with its last legal action."""
    game = played.start.clone()
    recorder = Recorder(game)
    for action in played.actions:
        seat = game.to_move
        game.apply(action)
        recorder.add(game, action, seat)
    return recorder.record(game)


def play_block(
    contest: Contest, block: Block, on_game: Callable[[PlayedGame, Seating], None] | None = None
) -> list[GameResult]:
    """Returns the results of one block; depends on the contest and the block alone."""
    start = draw_start(contest.setup, contest.seed, block.index, contest.random_turns)
    results = []
    for index, seating in enumerate(block.seatings):
        rngs = [agent_rng(contest.seed, block.index, index, seat) for seat in range(len(seating))]
        played = play_game(start, [contest.agents[agent] for agent in seating], rngs)
        if on_game is not None:
            on_game(played, seating)
        results.append(judge(played, seating))
    return results
