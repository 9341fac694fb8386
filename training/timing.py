"""Which way of running the network is quickest on this machine, found by trying, once at the start of a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch

from agents.neural.compute import Judge, can_compile, check_machine
from agents.neural.config import CUDA, FLOAT32, PRECISIONS, ComputeConfig
from agents.neural.kinds import make_encoder, make_network
from agents.neural.network import Encoded
from agents.neural.policy import ActionMap
from bitblossom_env.core.rollout import random_start
from training.config import TrainConfig
from training.course import Course
from training.gradients import GradientJob, GradientWorker

NUM_ROUNDS = 5  # of which the quickest counts
# Every worker compiles, and the other variants of a run do so again: it must pay several times over.
MARGIN = 4.0


def settle(config: TrainConfig) -> TrainConfig:
    """Returns `config` with every choice that it leaves open made: timed, or the plain one where it must be repeatable.

    Compiling is chosen where it is the quickest and the time that it saves within the budget is several times what it
    takes; with a budget of steps alone, where it is the quickest.
    """
    compute = config.compute
    check_machine(compute)
    if compute.precision is not None and compute.compile is not None:
        return config
    if not compute.is_open:
        return replace(config, compute=replace(compute, precision=FLOAT32, compile=False))
    precisions = [compute.precision] if compute.precision else list(PRECISIONS)
    seconds = {}
    for precision in precisions:
        choice = replace(compute, precision=precision, compile=bool(compute.compile))
        seconds[choice] = _Trial(config, choice).seconds()
    if compute.compile is None and (can_compile() or compute.device == CUDA):
        plain = min(seconds.values())
        choice = replace(min(seconds, key=seconds.__getitem__), compile=True)
        trial = _Trial(config, choice)
        saved = 1.0 - trial.seconds() / plain  # as a share
        budget = config.budget.max_seconds
        if saved > 0 and (budget is None or saved * budget > MARGIN * trial.first_seconds):
            return replace(config, compute=choice)
    return replace(config, compute=min(seconds, key=seconds.__getitem__))


class _Trial:
    """One way of running the network, on positions like those of the run."""

    def __init__(self, config: TrainConfig, compute: ComputeConfig) -> None:
        torch.set_num_threads(1)
        config = replace(config, compute=compute)
        setup = Course(config).setups[-1]
        game = random_start(setup, np.random.default_rng(0), 1)
        encoded = make_encoder(setup).encode(game.observe(game.to_move)[None])
        mask = ActionMap(setup).mask(game.legal_mask()[None])
        rows = config.rollout.slots
        self._judge = Judge(make_network(config.network, setup), compute)
        self._asked = Encoded(*(part.repeat(rows, axis=0) for part in encoded)), mask.repeat(rows, axis=0)
        self._worker = GradientWorker(setup, config)
        self._job = _job(config, setup.num_seats, encoded, mask)
        self._weights = (1.0 / rows, config.ppo.epochs / len(self._job.columns[0]))
        self.first_seconds = 0.0

    def seconds(self) -> float:
        """Returns how long a decision takes, to make and to learn from; notes how long the first ones took."""
        started = time.perf_counter()
        calls = (lambda: self._judge(*self._asked), lambda: self._worker.compute(self._job))
        for call in calls:
            call()
        self.first_seconds = time.perf_counter() - started
        return sum(weight * _quickest(call) for weight, call in zip(self._weights, calls, strict=True))


def _job(config: TrainConfig, num_seats: int, encoded: Encoded, mask: np.ndarray) -> GradientJob:
    """Returns a part of a gradient step for one position many times over."""
    rows = max(2, config.ppo.minibatch // (1 if config.compute.device == CUDA else config.rollout.workers))
    columns = (
        encoded.planes,
        encoded.constants,
        mask,
        mask.argmax(1),
        np.zeros(1, np.float32),
        np.ones(1, np.float32),
        np.zeros((1, mask.shape[1] if config.gumbel else 0), np.float32),
        np.ones(1, np.float32),
        np.zeros((1, num_seats), np.float32),
        np.zeros((1, *encoded.planes.shape[2:]), np.int64),
        np.zeros((1, num_seats), np.float32),
        np.zeros((1, num_seats), np.float32),
    )
    setup = Course(config).setups[-1]
    parameters = torch.nn.utils.parameters_to_vector(make_network(config.network, setup).parameters()).detach().numpy()
    return GradientJob(-1, parameters, tuple(column.repeat(rows, axis=0) for column in columns), 0.0)


def _quickest(call: Callable[[], object]) -> float:
    times = []
    for _ in range(NUM_ROUNDS):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)
