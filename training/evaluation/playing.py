"""Plays a schedule with a progress bar; Ctrl-C and an early decision end it, and nothing played is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bitblossom_env.core.record import Record
from training.evaluation.contest import Contest, PlayedBlock, play_shards
from training.evaluation.progress import track_stream
from training.evaluation.schedule import Block
from training.evaluation.sequential import SequentialTest
from training.evaluation.tables import make_console
from training.evaluation.tally import count_pair_wins
from training.interrupts import was_interrupted_during

GAMES_PER_PROCESS = 100  # where fewer are to be played, another process takes longer to start than it saves


@dataclass
class Played:
    """What was played of a schedule, in its order whatever finished first."""

    blocks: list[PlayedBlock] = field(default_factory=list)
    is_interrupted: bool = False
    fault: Exception | None = None  # what ended it early; to be raised when the blocks are safe

    @property
    def is_cut_short(self) -> bool:
        """Whether more was planned."""
        return self.is_interrupted or self.fault is not None

    def records(self) -> list[Record]:
        """Returns the records of all games, none unless they were kept."""
        return [record for block in self.blocks for record in block.records]

    @property
    def num_games(self) -> int:
        """How many games were played."""
        return sum(len(block.results) for block in self.blocks)


class ScoreTest:
    """A sequential test of one agent against another that looks at blocks in the order of the schedule."""

    def __init__(self, test: SequentialTest, first: int, second: int) -> None:
        self._test = test
        self._pair = (first, second)
        self._scores: list[float] = []  # share of seat pairs that the first agent won, of each block
        self._known: set[str] = set()  # fingerprints of the games seen
        self.verdict = test.judge(np.empty(0))  # on the blocks seen so far

    def __call__(self, block: PlayedBlock) -> bool:
        """Returns whether the test is decided with this block; one that repeats a game tells nothing new."""
        fingerprints = {result.fingerprint for result in block.results}
        if not fingerprints.isdisjoint(self._known):
            return False
        self._known |= fingerprints
        wins = count_pair_wins(block.results, 1 + max(self._pair))
        won, lost = wins[self._pair], wins[self._pair[::-1]]
        self._scores.append(won / (won + lost))
        self.verdict = self._test.judge(np.array(self._scores))
        return self.verdict.is_decided


def choose_num_processes(asked: int | None, blocks: Sequence[Block]) -> int:
    """Returns the number of processes: as many as `asked`, else one a core, fewer for few games."""
    if asked is not None and asked < 1:
        raise ValueError(f"processes={asked} is out of range; allowed: 1 or more")
    num_games = sum(len(block.lineup) for block in blocks)
    wanted = min(len(os.sched_getaffinity(0)), num_games // GAMES_PER_PROCESS) if asked is None else asked
    return max(1, min(wanted, len(blocks)))


def play_all(
    contest: Contest,
    blocks: Sequence[Block],
    num_processes: int,
    on_shard: Callable[[list[PlayedBlock]], None] | None = None,
    is_enough: Callable[[PlayedBlock], bool] | None = None,
    ray: str | None = None,
) -> Played:
    """Returns what came of the blocks, also where Ctrl-C or a fault ends it early.

    Args:
        contest: who plays what.
        blocks: the schedule.
        num_processes: at most that many, see `play_shards`.
        on_shard: called with each finished shard, in the order in which they are finished.
        is_enough: called with each block in the order of the schedule; True ends the evaluation after that block, and
            what has been played beyond it does not count.
        ray: address of a cluster to play on, see `play_shards`.
    """
    shards = contest.shards(blocks)
    finished = _Finished(on_shard, is_enough)
    is_interrupted, fault = False, None  # Ctrl-C; what went wrong
    playing = play_shards(contest, shards, min(num_processes, len(shards)), ray)
    try:
        for index, played in track_stream(playing, len(shards), "shards", make_console(stderr=True)):
            if finished.take(index, played):
                break
    except KeyboardInterrupt:
        is_interrupted = True
    except Exception as error:  # noqa: BLE001 - told when the blocks are safe
        fault = error
    is_interrupted |= was_interrupted_during(playing.close)  # which ends its processes
    blocks = finished.blocks()
    if fault is not None and not blocks:
        raise fault
    return Played(blocks, is_interrupted, fault)


class _Finished:
    """The shards that are finished, by number."""

    def __init__(
        self,
        on_shard: Callable[[list[PlayedBlock]], None] | None,
        is_enough: Callable[[PlayedBlock], bool] | None,
    ) -> None:
        self._on_shard = on_shard
        self._is_enough = is_enough
        self._shards: dict[int, list[PlayedBlock]] = {}
        self._shown: list[PlayedBlock] = []  # blocks without a gap from the first on, which `is_enough` has seen
        self._num_shown = 0  # their shards
        self._is_decided = False

    def take(self, index: int, played: list[PlayedBlock]) -> bool:
        """Adds a shard; returns whether the blocks from the first on are enough."""
        self._shards[index] = played
        if self._on_shard is not None:
            self._on_shard(played)
        while self._is_enough is not None and self._num_shown in self._shards and not self._is_decided:
            self._show(self._shards[self._num_shown], self._is_enough)
            self._num_shown += 1
        return self._is_decided

    def _show(self, played: list[PlayedBlock], is_enough: Callable[[PlayedBlock], bool]) -> None:
        for block in played:
            self._shown.append(block)
            if is_enough(block):
                self._is_decided = True
                return

    def blocks(self) -> list[PlayedBlock]:
        """Returns the blocks that decided, or else all, in the order of the schedule."""
        if self._is_decided:
            return self._shown
        return [block for index in sorted(self._shards) for block in self._shards[index]]
