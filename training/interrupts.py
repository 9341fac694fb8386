"""Ctrl-C at a better moment: held back while something must come out whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Delivers Ctrl-C, however often it comes, only when the block is done; elsewhere than in the main thread no-op."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[tuple[int, FrameType | None]] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if held and callable(handler):
        handler(*held[-1])


def was_interrupted_during(work: Callable[[], object]) -> bool:
    """Does the whole `work` and returns whether Ctrl-C came meanwhile."""
    try:
        with interrupts_held():
            work()
    except KeyboardInterrupt:
        return True
    return False


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Blocks Ctrl-C in this thread and in processes that it starts meanwhile, which have to unblock it themselves."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
