"""Plays the blocks of a contest in shards, in this process or in several, with the same results.

A *shard* is a piece of the schedule. All its games are played side by side by one process. Where an agent acts in many
games at once shards are fixed, and it is never asked for games of two shards together; else no game knows of another.
So it changes nothing how many processes there are or which of them is ready first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents import Agent, make
from agents.base import ActsTogether
from bitblossom_env.core.game import Setup
from bitblossom_env.core.record import Record
from training.evaluation.arena import GameResult, Match, judge, play_matches, record_match
from training.evaluation.schedule import Block, agent_rng, draw_start, make_shards
from training.processes import Group, ProcessGroup

SHARD_GAMES = 32  # games a shard where agents act together: enough to share the cost of a network
# That a shard should take elsewhere: games side by side are quicker than alone, but Ctrl-C may lose a shard.
SHARD_SECONDS = 0.5
GAME_ACTIONS = 100  # a guess, to know how many games that is


@dataclass(frozen=True)
class Plan:
    """Everything that the result of a shard depends on, apart from its blocks; picklable."""

    setup: Setup
    names: tuple[str, ...]  # ascending; agents are counted in this order, so that it matters to no result
    specs: tuple[str, ...]
    seed: int
    random_turns: tuple[int, int]  # fewest and most random turns before the agents take over
    keep_records: bool = False


@dataclass(frozen=True)
class PlayedBlock:
    """What came of a block."""

    block: Block
    results: tuple[GameResult, ...]
    records: tuple[Record, ...]  # empty unless they are kept


class Contest:
    """A plan with its agents, ready to play; `agents` are those of its specs where they have been made already."""

    def __init__(self, plan: Plan, agents: Sequence[Agent] | None = None) -> None:
        self.plan = plan
        self.agents = tuple(make(spec) for spec in plan.specs) if agents is None else tuple(agents)
        self._seconds = self._warm_up()

    def _warm_up(self) -> float:
        """Asks every agent for actions that nobody plays; returns how long the slowest thinks.

        Loading and compiling shall count as no agent's time. An agent that cannot play this game says so here, before
        anything is played; so does a game that is over before the random turns are.
        """
        longest = self.plan.random_turns[1]
        start = draw_start(self.plan.setup, self.plan.seed, (), (longest, longest))
        slowest = 0.0
        for agent in self.agents:
            for _ in range(2):  # the first time it may load and compile
                began = time.perf_counter()
                agent.act(start.clone(), start.to_move, agent_rng(self.plan.seed))
                seconds = time.perf_counter() - began
            slowest = max(slowest, seconds)
        return slowest

    def shards(self, blocks: Sequence[Block]) -> list[list[Block]]:
        """Returns the blocks in shards; where no agent acts in many games at once, small ones if agents are slow."""
        if any(isinstance(agent, ActsTogether) for agent in self.agents):
            return make_shards(blocks, SHARD_GAMES)
        num_games = SHARD_SECONDS / (GAME_ACTIONS * max(self._seconds, 1e-9))
        return make_shards(blocks, int(min(num_games, SHARD_GAMES)))

    def answer(self, shard: Sequence[Block]) -> list[PlayedBlock]:
        """Returns what comes of the blocks of one shard; depends on the plan and the shard alone."""
        matches = [self._matches(block) for block in shard]
        play_matches([match for of_block in matches for match in of_block], self.agents)
        return [self._played(block, of_block) for block, of_block in zip(shard, matches, strict=True)]

    def _matches(self, block: Block) -> list[Match]:
        plan = self.plan
        start = draw_start(plan.setup, plan.seed, block.stream, plan.random_turns)
        return [
            Match(
                start,
                seating,
                [agent_rng(plan.seed, *block.stream, rotation, seat) for seat in range(start.num_seats)],
            )
            for rotation, seating in enumerate(block.seatings(plan.seed))
        ]

    def _played(self, block: Block, matches: Sequence[Match]) -> PlayedBlock:
        records = [record_match(match, self.plan.names) for match in matches] if self.plan.keep_records else []
        return PlayedBlock(block, tuple(judge(match) for match in matches), tuple(records))


LOCAL_RAY = "local"  # the address that starts Ray on this machine


def play_shards(
    contest: Contest, shards: Sequence[Sequence[Block]], num_processes: int, ray: str | None = None
) -> Iterator[tuple[int, list[PlayedBlock]]]:
    """Yields the number of each shard and what came of it, as shards are finished.

    With one process the shards are played in this one, else in `num_processes` others, each with one thread; with `ray`
    in as many actors of the cluster at that address.
    """
    if num_processes == 1 and ray is None:
        for index, shard in enumerate(shards):
            yield index, contest.answer(shard)
        return
    names = [f"player-{number}" for number in range(1, num_processes + 1)]
    waiting = iter(enumerate(shards))
    given: dict[int, int] = {}  # shard that each busy process plays
    with _make_group(contest, names, ray) as group:
        for process in range(num_processes):
            _give(group, process, waiting, given)
        while given:
            for process in group.wait():
                played, index = group.receive(process), given.pop(process)
                _give(group, process, waiting, given)  # before the caller takes its time
                yield index, played


def _make_group(contest: Contest, names: Sequence[str], ray: str | None) -> Group:
    """Returns the workers that play, here or on the cluster at the address `ray`."""
    if ray is None:
        return ProcessGroup(Contest, contest.plan, names)
    try:
        from training.ray_cluster import RayGroup  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise ValueError(f"ray={ray!r}: {error}; allowed: pip install 'bitblossom[ray]' first") from error
    return RayGroup(Contest, contest.plan, names, None if ray == LOCAL_RAY else ray)


def _give(group: Group, process: int, waiting: Iterator[tuple[int, Sequence[Block]]], given: dict[int, int]) -> None:
    """Sends the next shard, if there is one, to `process`."""
    if (following := next(waiting, None)) is not None:
        given[process], shard = following
        group.send(process, shard)
