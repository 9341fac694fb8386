"""Fixed ranges of the games of a batch, each worked on by a thread of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, Generic, TypeVar

from ...core.batch import ALL_LEGAL

Result = TypeVar("Result")

NOT_CHECKED = -2  # is no game and not ALL_LEGAL
PATIENCE = 0.001  # seconds that the caller looks for the others' end itself: to be woken up takes a tenth of it


class Shards:
    """The games 0..B-1 cut into as many ranges as there are threads; the calling thread takes the first one.

    The other threads begin with the first `run`, and anew in whoever was copied, unpickled or forked from the owner.
    """

    def __init__(self, num_games: int, num_threads: int) -> None:
        self.num_games = num_games
        bounds = [num_games * k // num_threads for k in range(num_threads + 1)]
        self.ranges = list(pairwise(bounds))  # (low, high), high not included
        self._pool: ThreadPoolExecutor | None = None
        self._owner = 0  # process in which the pool's threads live

    @property
    def num_threads(self) -> int:
        """Threads at work, the caller's included."""
        return len(self.ranges)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": None}

    def run(self, check: Callable[[int, int], int], work: Callable[[int, int], Result]) -> tuple[int, list[Result]]:
        """Calls `check(low, high)` for every range, then, if all return ALL_LEGAL, `work(low, high)`, all at once.

        Returns the least other answer of a check, or ALL_LEGAL and what the work has returned.
        """
        meeting = _Meeting(len(self.ranges), check, work)
        first, *others = enumerate(self.ranges)
        tasks: list[Future[Result | None]] = []
        try:
            for place in others:
                tasks.append(self._threads().submit(meeting.attend, *place))
            result = meeting.attend(*first)
        finally:  # whatever happens here, nobody waits for who is not coming or goes on while others still write
            meeting.close()
            _await(tasks)
        results = [result, *(task.result() for task in tasks)]
        return meeting.verdict(), [part for part in results if part is not None]

    def close(self) -> None:
        """Ends the threads; a later `run` begins new ones."""
        if self._pool is not None and self._owner == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def _threads(self) -> ThreadPoolExecutor:
        """Returns the pool of this process: a forked child has the object but none of its threads."""
        if self._pool is None or self._owner != os.getpid():
            self._pool = ThreadPoolExecutor(self.num_threads - 1, thread_name_prefix="batch-env")
            self._owner = os.getpid()
        return self._pool


class _Meeting(Generic[Result]):
    """One run: every thread checks its range, learns what all others have found, and only then works on it.

    They look for each other without going to sleep: to be woken up takes as long as hundreds of games.
    """

    def __init__(self, size: int, check: Callable[[int, int], int], work: Callable[[int, int], Result]) -> None:
        self._answers: list[int | None] = [None] * size  # of the checks, None while they go on
        self._check = check
        self._work = work

    def attend(self, place: int, games: tuple[int, int]) -> Result | None:
        """Returns what the work on `games` returns, None if somebody's check has found something."""
        answer = NOT_CHECKED  # what the others are told should the check raise
        try:
            answer = self._check(*games)
        finally:
            if self._answers[place] is None:  # after `close` it is too late: some may have left without working
                self._answers[place] = answer
        while None in self._answers:
            os.sched_yield()  # lets the others have the interpreter; sleeping, however short, takes too long
        return self._work(*games) if self.verdict() == ALL_LEGAL else None

    def close(self) -> None:
        """Tells those who wait that whoever has not answered by now never will."""
        for place, answer in enumerate(self._answers):
            if answer is None:
                self._answers[place] = NOT_CHECKED

    def verdict(self) -> int:
        """Returns ALL_LEGAL if all checks have returned that, else the least of the other answers."""
        return min((answer for answer in self._answers if answer not in {None, ALL_LEGAL}), default=ALL_LEGAL)


def _await(tasks: Sequence[Future[Any]]) -> None:
    """Returns when all tasks have ended; looks for it without going to sleep at first."""
    deadline = time.perf_counter() + PATIENCE if tasks else 0.0
    while not all(task.done() for task in tasks) and time.perf_counter() < deadline:
        os.sched_yield()  # lets the others have the interpreter; sleeping, however short, takes too long
    wait(tasks)
