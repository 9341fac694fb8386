"""All workers in this process, one after the other: the slowest, and the easiest to follow with a debugger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from training.backends.base import Worker
from training.config import TrainConfig
from training.gradients import Gradient, GradientJob
from training.records import Job, Rollout


class SerialBackend:
    """One worker that answers for all."""

    def __init__(self, config: TrainConfig) -> None:
        self._worker = Worker(config)

    def play(self, jobs: Sequence[Job]) -> list[Rollout]:
        """Plays the jobs one after the other."""
        return [self._worker.play(job) for job in jobs]

    def differentiate(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Computes the gradients one after the other."""
        return [self._worker.differentiate(job) for job in jobs]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Has nothing to end."""
