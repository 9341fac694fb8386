"""Workers in processes of this machine; the trainer itself is the first of them."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from training.backends.base import Answer, Message, Worker
from training.config import TrainConfig
from training.gradients import Gradient, GradientJob
from training.processes import ProcessGroup
from training.records import Job, Rollout


class ProcessBackend:
    """`rollout.workers` workers, each with a core of its own."""

    def __init__(self, config: TrainConfig) -> None:
        self._own = Worker(config)
        names = [f"worker-{index}" for index in range(1, config.rollout.workers)]
        self._others = ProcessGroup(Worker, config, names)

    def play(self, jobs: Sequence[Job]) -> list[Rollout]:
        """Plays all jobs at the same time."""
        return [answer for answer in self._answers(jobs) if isinstance(answer, Rollout)]

    def differentiate(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Computes all gradients at the same time."""
        return [answer for answer in self._answers(jobs) if isinstance(answer, Gradient)]

    def _answers(self, messages: Sequence[Message]) -> list[Answer]:
        own, *others = messages
        for index, message in enumerate(others):
            self._others.send(index, message)
        return [self._own.answer(own), *(self._others.receive(index) for index in range(len(others)))]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._others.__exit__(kind, error, trace)
