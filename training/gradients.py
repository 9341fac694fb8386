"""The gradient of the loss over a part of a minibatch: what the processes share out among them when learning.

Processes with one thread each beat one process with several: those meet at every layer, and wait long wherever
another program holds a core; these meet once per gradient step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils import vector_to_parameters

from agents.neural.compute import compiled, on_device, precisely
from agents.neural.kinds import make_network
from bitblossom_env.core.game import Setup
from training.config import TrainConfig
from training.losses import Losses, Minibatch, compute_losses


@dataclass(frozen=True)
class GradientJob:
    """One process's part of a gradient step; a message between processes."""

    variant: int  # of the run's setups
    parameters: NDArray[np.float32]  # [W] all parameters of the network in their order
    columns: tuple[NDArray[np.generic], ...]  # the fields of a `Minibatch` as arrays
    entropy_weight: float


@dataclass(frozen=True)
class Gradient:
    """The answer to a `GradientJob`, means over its decisions."""

    gradient: NDArray[np.float32]  # [W]
    figures: NDArray[np.float64]  # the fields of `Losses`
    num_decisions: int


class GradientWorker:
    """Computes gradients with a network of its own, whose weights come with every job."""

    def __init__(self, setup: Setup, config: TrainConfig) -> None:
        self._compute = config.compute
        self._ppo = config.ppo
        self._network = make_network(config.network, setup).to(config.compute.device)
        self._losses = compiled(self._compute_losses, config.compute)

    def compute(self, job: GradientJob) -> Gradient:
        """Returns the mean gradient and figures over the decisions of `job`."""
        network = self._network
        with torch.no_grad():
            vector_to_parameters(on_device(job.parameters, self._compute), network.parameters())
        batch = Minibatch(*(on_device(column, self._compute) for column in job.columns))
        losses = self._losses(batch)
        total = losses.total(self._ppo, job.entropy_weight)
        gradient = torch.autograd.grad(total, list(network.parameters()))
        return Gradient(
            torch.cat([part.reshape(-1) for part in gradient]).cpu().numpy(),
            np.array([term.item() for term in losses]),
            len(batch.actions),
        )

    def _compute_losses(self, batch: Minibatch) -> Losses:
        with precisely(self._compute):
            judgement, auxiliary = self._network(batch.planes, batch.constants, batch.masks)
        return compute_losses(judgement, auxiliary, batch, self._ppo.clip)


def combine(parts: list[Gradient]) -> Gradient:
    """Returns the mean over the decisions of all parts, added in the order given."""
    num_decisions = sum(part.num_decisions for part in parts)
    shares = [part.num_decisions / num_decisions for part in parts]
    gradient = sum(
        (np.float32(share) * part.gradient for share, part in zip(shares, parts, strict=True)), np.float32(0)
    )
    figures = sum((share * part.figures for share, part in zip(shares, parts, strict=True)), np.float64(0))
    return Gradient(np.asarray(gradient, np.float32), np.asarray(figures), num_decisions)
