"""Fixed ranges of the games of a batch, each worked on by a thread of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, TypeVar

Result = TypeVar("Result")

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

    def run(self, work: Callable[[int, int], Result]) -> list[Result]:
        """Calls `work(low, high)` for every range at the same time; returns what they return when all are done."""
        first, *others = self.ranges
        tasks = [self._threads().submit(work, *games) for games in others] if others else []
        try:
            result = work(*first)
        finally:  # whatever happens here, nobody goes on while others still write
            _await(tasks)
        return [result, *(task.result() for task in tasks)]

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


def _await(tasks: Sequence[Future[Any]]) -> None:
    """Returns when all tasks have ended; looks for it without going to sleep at first."""
    deadline = time.perf_counter() + PATIENCE if tasks else 0.0
    while not all(task.done() for task in tasks) and time.perf_counter() < deadline:
        time.sleep(0)  # lets the others have the interpreter
    wait(tasks)
