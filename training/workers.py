"""Processes that play and learn at the same time; the trainer itself is the first of them.

Fixed shares: process i always gets the i-th job of a round, and answers are joined in that order, so the same
seed and number of processes give the same weights whatever finishes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

import numpy as np
import torch

from bitblossom_env.core.rollout import random_start
from training.config import TrainConfig
from training.course import Course
from training.gradients import Gradient, GradientJob, GradientWorker
from training.processes import ProcessGroup
from training.records import Job, Rollout, merge
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
        variant, config = message.variant, self._config
        if isinstance(message, Job):
            if variant not in self._self_play:
                slots = min(config.rollout.slots, config.rollout.games_per_update // config.rollout.workers)
                self._self_play[variant] = SelfPlay(self._setups[variant], config.network, slots)
            return self._self_play[variant].play(message)
        if variant not in self._gradients:
            self._gradients[variant] = GradientWorker(self._setups[variant], config.network, config.ppo)
        return self._gradients[variant].compute(message)


class Workers:
    """`num_processes` workers; use it as a context, so that no process outlives the run."""

    def __init__(self, config: TrainConfig) -> None:
        self.num_processes = config.rollout.workers
        self._own = Worker(config)
        self._others = ProcessGroup(Worker, config, [f"worker-{index}" for index in range(1, self.num_processes)])

    def play(self, jobs: Sequence[Job]) -> Rollout:
        """Plays one job per process and returns all games in the order of jobs."""
        return merge([answer for answer in self._answers(jobs) if isinstance(answer, Rollout)])

    def gradients(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Computes one gradient per process, in the order of jobs; there may be fewer jobs than processes."""
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
