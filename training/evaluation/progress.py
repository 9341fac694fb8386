"""How far a long series of games has come: a bar on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

Item = TypeVar("Item")
_NUM_LINES = 10  # plain lines over a whole run


def track(items: Sequence[Item], label: str, console: Console) -> Iterator[Item]:
    """Yields `items` and shows on `console` how many are done and how long the rest will take."""
    return track_stream(items, len(items), label, console)


def track_stream(items: Iterable[Item], total: int, label: str, console: Console) -> Iterator[Item]:
    """Like `track`, for `total` items that come one by one."""
    show = track_bar if console.is_terminal else track_lines
    return show(items, total, label, console)


def track_bar(items: Iterable[Item], total: int, label: str, console: Console) -> Iterator[Item]:
    """Yields `items` under a progress bar."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield from progress.track(items, total=total, description=label)


def track_lines(items: Iterable[Item], total: int, label: str, console: Console) -> Iterator[Item]:
    """Yields `items` and prints about ten lines on the way."""
    began = time.perf_counter()
    for done, item in enumerate(items, start=1):
        yield item
        if done * _NUM_LINES // total > (done - 1) * _NUM_LINES // total:
            seconds = time.perf_counter() - began
            left = seconds / done * (total - done)
            console.print(f"{label}: {done}/{total}, {seconds:.0f} s, about {left:.0f} s left")
