"""Who plays whom, in which seats, from which starts: a pure function of the seed and of what is asked for.

A *line-up* names the agents of one table. A *block* is one start position from which one arrangement of a line-up is
played in all P rotations over the seats, so that no agent gains from its seat or its start. A *round* holds one block
of every line-up; only whole rounds are planned: all pairs meet equally often.

The start of a block and all chance in it hang on the seed, the names of its line-up and its round, on nothing else:
not on the order in which agents were named, nor on who else takes part. So a table of results can grow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bitblossom_env.core.game import Game, Setup
from bitblossom_env.core.rollout import random_start

Seating = tuple[int, ...]  # index of the agent in each seat
Lineup = tuple[int, ...]  # indices of its agents, ascending; an agent may stand there several times

MAX_BLOCKS = 2_000_000  # more would not fit into memory, nor into a life

# First entry of every spawn key: streams that must never share a generator.
_START_STREAM = 0
_AGENT_STREAM = 1
RESAMPLING_STREAM = 2
_ARRANGEMENT_STREAM = 3


@dataclass(frozen=True)
class Block:
    """One start position and the rotations of one line-up that are played from it."""

    lineup: Lineup
    round: int
    stream: tuple[int, ...]  # key of its start and of all chance in it, beside the seed

    def seatings(self, seed: int) -> tuple[Seating, ...]:
        """Returns the P rotations: each place of the arrangement takes each seat once.

        The arrangement is drawn per block, so that no agent always moves right after the same other one.
        """
        drawn = make_rng(seed, _ARRANGEMENT_STREAM, *self.stream).permutation(self.lineup).tolist()
        return tuple((*drawn[shift:], *drawn[:shift]) for shift in range(len(drawn)))


def round_robin(num_agents: int, num_seats: int) -> tuple[Lineup, ...]:
    """Returns every choice of P of the agents; `pairs` where there are fewer agents than seats."""
    if num_agents < num_seats:
        return pairs(num_agents, num_seats)
    return tuple(combinations(range(num_agents), num_seats))


def pairs(num_agents: int, num_seats: int) -> tuple[Lineup, ...]:
    """Returns for every two agents one of the first against P - 1 of the second, and the reverse."""
    lineups = [
        tuple(sorted((single, *[other] * (num_seats - 1))))
        for pair in combinations(range(num_agents), 2)
        for single, other in (pair, pair[::-1])
    ]
    return tuple(dict.fromkeys(lineups))  # with two seats both ways are the same


def gauntlet(heroes: Collection[int]) -> Pairing:
    """Returns the pairing in which each of `heroes` meets each other agent, as in `pairs`, and nobody else does."""
    return lambda num_agents, num_seats: tuple(
        lineup for lineup in pairs(num_agents, num_seats) if not set(lineup).isdisjoint(heroes)
    )


Pairing = Callable[[int, int], tuple[Lineup, ...]]  # number of agents, number of seats -> line-ups


def make_lineups(pairing: Pairing, num_agents: int, num_seats: int) -> tuple[Lineup, ...]:
    """Returns the line-ups in which `num_agents` agents meet at tables of `num_seats` seats."""
    if num_agents < 2:
        raise ValueError(f"{num_agents} agent given; allowed: two or more (the same one twice counts as two)")
    return pairing(num_agents, num_seats)


def make_blocks(lineups: Sequence[Lineup], names: Sequence[str], num_games: int) -> list[Block]:
    """Returns the blocks of the fewest whole rounds that hold at least `num_games` games, round by round."""
    if num_games < 1:
        raise ValueError(f"games={num_games} is out of range; allowed: 1 or more")
    return make_rounds(lineups, names, -(-num_games // sum(len(lineup) for lineup in lineups)))


def make_rounds(lineups: Sequence[Lineup], names: Sequence[str], num_rounds: int) -> list[Block]:
    """Returns the blocks of whole rounds, one after the other."""
    if num_rounds * len(lineups) > MAX_BLOCKS:
        raise ValueError(f"{num_rounds * len(lineups)} blocks are asked for; allowed: up to {MAX_BLOCKS}, fewer games")
    keys = [lineup_key([names[agent] for agent in lineup]) for lineup in lineups]
    return [
        Block(lineup, round_number, (key, round_number))
        for round_number in range(num_rounds)
        for lineup, key in zip(lineups, keys, strict=True)
    ]


def lineup_key(names: Sequence[str]) -> int:
    """Returns a number of 64 bits that stands for the names of a line-up, whatever their order."""
    text = "\n".join(sorted(names))
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=8).digest(), "little")


def make_shards(blocks: Sequence[Block], num_games: int) -> list[list[Block]]:
    """Returns the blocks in pieces of `num_games` games at most, or of one block where that holds more."""
    shards: list[list[Block]] = []
    room = 0
    for block in blocks:
        if len(block.lineup) > room:
            shards.append([])
            room = num_games
        shards[-1].append(block)
        room -= len(block.lineup)
    return shards


def make_rng(seed: int, *key: int) -> np.random.Generator:
    """Returns the generator of the stream `key`; it depends on nothing else that was drawn before."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def agent_rng(seed: int, *key: int) -> np.random.Generator:
    """Returns the generator of an agent in one seat of one game, which `key` stands for."""
    return make_rng(seed, _AGENT_STREAM, *key)


def draw_start(setup: Setup, seed: int, key: tuple[int, ...], random_turns: tuple[int, int]) -> Game:
    """Returns the running game that `key` stands for: lo..hi turns of uniformly random placements.

    The number of turns is drawn anew for each key; a start in which the game is over already is drawn again.
    """
    rng = make_rng(seed, _START_STREAM, *key)
    num_turns = int(rng.integers(random_turns[0], random_turns[1], endpoint=True))
    return random_start(setup, rng, num_turns)
