"""What the trainer asks of its workers, wherever they live.

Fixed shares: worker i always gets the i-th job of a round, and answers are joined in that order. What a worker answers
hangs on the message alone. So the same seed and number of workers give the same games and, on one kind of machine, the
same weights, whatever finishes first and whatever the backend.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np
import torch

from bitblossom_env.core.rollout import random_start
from training.config import TrainConfig
from training.course import Course
from training.gradients import Gradient, GradientJob, GradientWorker
from training.records import Job, Rollout
from training.rollout import SelfPlay

Message = Job | GradientJob
Answer = Rollout | Gradient


class Worker:
    """What one process can do."""

    def __init__(self, config: TrainConfig) -> None:
        # One thread: each process has a core, more threads would only wait for each other.
        torch.set_num_threads(1)
        self._config = config
        self._setups = Course(config).setups
        # A move compiles or loads the kernels: the trainer does so before other processes would do it at once.
        random_start(self._setups[0], np.random.default_rng(0), 1)
        self._self_play: dict[int, SelfPlay] = {}  # by variant, made when it is first drawn
        self._gradients: dict[int, GradientWorker] = {}

    def answer(self, message: Message) -> Answer:
        """Does what `message` asks."""
        return self.play(message) if isinstance(message, Job) else self.differentiate(message)

    def play(self, job: Job) -> Rollout:
        """Plays the games of a job."""
        if job.variant not in self._self_play:
            self._self_play[job.variant] = SelfPlay(self._setups[job.variant], self._config)
        return self._self_play[job.variant].play(job)

    def differentiate(self, job: GradientJob) -> Gradient:
        """Computes the gradient of a job."""
        if job.variant not in self._gradients:
            setup = self._setups[job.variant]
            self._gradients[job.variant] = GradientWorker(setup, self._config)
        return self._gradients[job.variant].compute(job)


class Backend(Protocol):
    """The workers of a run; used as a context, so that none outlives it."""

    def play(self, jobs: Sequence[Job]) -> list[Rollout]:
        """Lets worker i play job i; returns the games in the order of jobs."""

    def differentiate(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Lets worker i compute gradient i; there may be fewer jobs than workers."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *raised: object) -> None: ...
