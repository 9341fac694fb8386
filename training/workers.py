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

from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from training.config import TrainConfig
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
        rollout = config.rollout
        setup = make_setup(config.game, config.rules)
        # A move compiles or loads the kernels: the trainer does so before other processes would do it at once.
        random_start(setup, np.random.default_rng(0), 1)
        slots = min(rollout.slots, rollout.games_per_update // rollout.workers)
        self._self_play = SelfPlay(setup, config.network, slots)
        self._gradients = GradientWorker(setup, config.network, config.ppo)

    def answer(self, message: Message) -> Answer:
        """Does what `message` asks."""
        if isinstance(message, Job):
            return self._self_play.play(message)
        return self._gradients.compute(message)


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
