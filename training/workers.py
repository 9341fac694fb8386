"""Processes that play and learn at the same time; the trainer itself is the first of them.

Fixed shares: process i always gets the i-th job of a round, and answers are joined in that order, so the same
seed and number of processes give the same weights whatever finishes first.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType

import numpy as np
import torch

from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from training.config import TrainConfig
from training.gradients import Gradient, GradientJob, GradientWorker
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
        self._gradients = GradientWorker(config.network, config.ppo)

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
        context = multiprocessing.get_context("spawn")  # a fork would copy threads' locks in unknown states
        self._pipes: list[Connection] = []
        self._processes = []
        for index in range(1, self.num_processes):
            here, there = context.Pipe()
            process = context.Process(target=_serve, args=(there, config), name=f"worker-{index}", daemon=True)
            process.start()
            there.close()  # so that the death of the process is seen as the end of the pipe
            self._pipes.append(here)
            self._processes.append(process)

    def play(self, jobs: Sequence[Job]) -> Rollout:
        """Plays one job per process and returns all games in the order of jobs."""
        return merge([answer for answer in self._answers(jobs) if isinstance(answer, Rollout)])

    def gradients(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Computes one gradient per process, in the order of jobs; there may be fewer jobs than processes."""
        return [answer for answer in self._answers(jobs) if isinstance(answer, Gradient)]

    def _answers(self, messages: Sequence[Message]) -> list[Answer]:
        busy = list(zip(self._processes, self._pipes, messages[1:], strict=False))
        for process, pipe, message in busy:
            try:
                pipe.send(message)
            except BrokenPipeError as error:
                raise RuntimeError(f"process {process.name} died (exit code {process.exitcode})") from error
        answers = [self._own.answer(messages[0])]
        for process, pipe, _ in busy:
            try:
                answer = pipe.recv()
            except EOFError as error:
                raise RuntimeError(f"process {process.name} died (exit code {process.exitcode})") from error
            if isinstance(answer, str):
                raise RuntimeError(f"process {process.name} failed:\n{answer}")
            answers.append(answer)
        return answers

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the processes: the closed pipe tells an idle one, a busy one is stopped."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=1.0)
            if process.is_alive():
                process.terminate()
                process.join()


def _serve(pipe: Connection, config: TrainConfig) -> None:
    """Answers messages until the trainer closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the trainer decides
    worker = Worker(config)
    # A pipe closed at its other end means that the trainer is gone; it has told why, there is nothing to add.
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            pipe.send(_answer(worker, pipe.recv()))


def _answer(worker: Worker, message: Message) -> Answer | str:
    """Returns the answer, or the trace of the fault, which the trainer raises again."""
    try:
        return worker.answer(message)
    except Exception:  # noqa: BLE001 - told, not hidden
        return traceback.format_exc()
