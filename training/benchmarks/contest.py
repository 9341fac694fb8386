"""Contestants in processes of their own, measured in turn, so that a noisy moment meets all of them alike."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from statistics import median
from typing import Any, Self

from training.benchmarks.processor import SINGLE_THREAD, quiet_core
from training.evaluation.progress import track
from training.evaluation.tables import make_console


@dataclass(frozen=True)
class Spread:
    """A figure measured several times."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Returns the spread of one or more values."""
        listed = list(values)
        return cls(median(listed), min(listed), max(listed))


@dataclass(frozen=True)
class Pace:
    """How one contestant of many rounds came along."""

    num_rounds: int
    seconds: float  # CPU seconds a round and contestant


@dataclass(frozen=True)
class Contestant:
    """A load and what it is prepared with."""

    load: str  # module of `training.benchmarks.loads`
    arguments: Mapping[str, Any]
    cores: Sequence[int] | None = None  # None for the one quiet core


class Worker:
    """A process that runs one load, pinned to its cores and with one thread a library.

    Raises:
        ChildProcessError: the process ended before it had answered; the last line of its errors is told.
    """

    def __init__(self, contestant: Contestant) -> None:
        self._load = contestant.load
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "training.benchmarks.serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=os.environ | SINGLE_THREAD,
            text=True,
        )
        cores = [quiet_core()] if contestant.cores is None else list(contestant.cores)
        self._send({"load": contestant.load, "arguments": dict(contestant.arguments), "cores": cores})
        self.facts = self.answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def process_id(self) -> int:
        """The number under which the system knows the process."""
        return self._process.pid

    def measure(self, seconds: float) -> dict[str, Any]:
        """Lets the load work for about `seconds` and returns what it tells."""
        self.begin(seconds)
        return self.answer()

    def begin(self, seconds: float) -> None:
        """Starts a measurement and does not wait for it."""
        self._send(seconds)

    def answer(self) -> dict[str, Any]:
        """Waits for the answer to what was sent last."""
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            self.close()
            raise ChildProcessError(f"load {self._load!r} ended with: {self._last_error}")
        return dict(json.loads(line))

    def close(self) -> None:
        """Ends the process and waits for it."""
        if self._errors.closed:
            return
        self._process.kill()
        self._process.communicate()
        self._errors.seek(0)
        self._last_error = last_error(self._errors)
        self._errors.close()

    def _send(self, content: Any) -> None:
        if self._process.stdin is None:
            return
        with suppress(BrokenPipeError):  # the process has ended; `answer` tells why
            self._process.stdin.write(json.dumps(content) + "\n")
            self._process.stdin.flush()


def last_error(lines: Iterable[str]) -> str:
    """Returns the last line that names an error, the last line if none does."""
    found = [line.strip() for line in lines if line.strip()] or ["no message"]
    named = [line for line in found if re.match(r"[\w.]*(Error|Exception|Interrupt)\b", line)]
    return (named or found)[-1]


@dataclass(frozen=True)
class Sample:
    """What random play came to in one round."""

    steps: int
    seconds: float  # CPU time, the choice of actions included
    elapsed: float  # on the clock; more than `seconds` where others had the core
    choosing: float  # the part of `seconds` that went into choosing actions
    turns: int = 0
    games: int = 0

    @property
    def rate(self) -> float:
        """Steps a CPU second, the choice counted."""
        return self.steps / self.seconds

    @property
    def rate_alone(self) -> float:
        """Steps a CPU second, the choice left out."""
        return self.steps / (self.seconds - self.choosing)


@dataclass(frozen=True)
class Run:
    """All rounds of one contestant."""

    facts: dict[str, Any]
    answers: list[dict[str, Any]]

    @property
    def samples(self) -> list[Sample]:
        """The answers of a load that plays."""
        return [Sample(**answer) for answer in self.answers]

    @property
    def rate(self) -> Spread:
        """Steps a CPU second, the choice counted."""
        return Spread.of(sample.rate for sample in self.samples)

    @property
    def rate_alone(self) -> Spread:
        """Steps a CPU second, the choice left out."""
        return Spread.of(sample.rate_alone for sample in self.samples)

    @property
    def turns_rate(self) -> Spread:
        """Turns a CPU second."""
        return Spread.of(sample.turns / sample.seconds for sample in self.samples)

    @property
    def core_share(self) -> float:
        """The least part of the clock in which the process had its core."""
        return min(sample.seconds / sample.elapsed for sample in self.samples)


def ratio_of(runs: Run, others: Run) -> Spread:
    """Returns how many times as fast `runs` is as `others`, round by round."""
    return Spread.of(a.rate / b.rate for a, b in zip(runs.samples, others.samples, strict=True))


def run_rounds(contestants: Mapping[str, Contestant], pace: Pace, label: str) -> dict[str, Run]:
    """Prepares all contestants, then measures A, B, C, A, B, C, ... and returns their runs by name."""
    console = make_console(stderr=True)
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(Worker(contestants[name]))
            for name in track(list(contestants), f"{label}: prepared", console)
        }
        runs = {name: Run(worker.facts, []) for name, worker in workers.items()}
        heats = [name for _ in range(pace.num_rounds) for name in workers]
        for name in track(heats, f"{label}: measured", console):
            runs[name].answers.append(workers[name].measure(pace.seconds))
    return runs
