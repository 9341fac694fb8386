"""Who plays whom, in which seats, from which starts: a pure function of the seed and of what is asked for.

A *line-up* names the agents of one table in a fixed cyclic order. A *block* is one start position from which
all P rotations of one line-up over the seats are played, so that no agent gains from its seat or its start.
A *round* holds one block of every line-up; only whole rounds are played: all pairs meet equally often.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bitblossom_env.core.game import Game, Setup
from bitblossom_env.core.rollout import random_start

Seating = tuple[int, ...]  # index of the agent in each seat

# First entry of every spawn key: streams that must never share a generator.
_START_STREAM = 0
_AGENT_STREAM = 1
RESAMPLING_STREAM = 2


@dataclass(frozen=True)
class Block:
    """One start position and the rotations of one line-up that are played from it."""

    index: int
    lineup: Seating

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The P rotations: each place of the line-up takes each seat once."""
        return tuple(self.lineup[shift:] + self.lineup[:shift] for shift in range(len(self.lineup)))


def make_lineups(num_agents: int, num_seats: int) -> tuple[Seating, ...]:
    """Returns the line-ups in which `num_agents` agents meet at tables of `num_seats` seats.

    As many agents as seats: one table with all. More: every choice of P agents. Fewer: for each pair one
    agent against P - 1 copies of the other, both ways round.
    """
    if num_agents < 2:
        raise ValueError(f"{num_agents} agent given; allowed: two or more (the same one twice counts as two)")
    if num_agents >= num_seats:
        return tuple(combinations(range(num_agents), num_seats))
    return tuple(
        (single, *[other] * (num_seats - 1))
        for pair in combinations(range(num_agents), 2)
        for single, other in (pair, pair[::-1])
    )


def make_blocks(lineups: tuple[Seating, ...], num_games: int) -> list[Block]:
    """Returns the blocks of the fewest whole rounds that hold at least `num_games` games."""
    if num_games < 1:
        raise ValueError(f"games={num_games} is out of range; allowed: 1 or more")
    games_per_round = sum(len(lineup) for lineup in lineups)
    num_rounds = -(-num_games // games_per_round)
    return [Block(index, lineups[index % len(lineups)]) for index in range(num_rounds * len(lineups))]


def make_rng(seed: int, *key: int) -> np.random.Generator:
    """Returns the generator of the stream `key`; it depends on nothing else that was drawn before."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def agent_rng(seed: int, block: int, game: int, seat: int) -> np.random.Generator:
    """Returns the generator of the agent in `seat` in the game number `game` of a block."""
    return make_rng(seed, _AGENT_STREAM, block, game, seat)


def draw_start(setup: Setup, seed: int, block: int, random_turns: tuple[int, int]) -> Game:
    """Returns the running game from which a block starts: lo..hi turns of uniformly random placements.

    The number of turns is drawn once per block; a start in which the game is over already is drawn again.
    """
    rng = make_rng(seed, _START_STREAM, block)
    num_turns = int(rng.integers(random_turns[0], random_turns[1], endpoint=True))
    return random_start(setup, rng, num_turns)
