"""Proximal policy optimisation for games of several seats that move in any order.

Read from top to bottom: what the games of one update taught (`learnable`), then the update itself (`Learner`).
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save
from torch.nn.utils import parameters_to_vector

from agents.neural.network import Network
from agents.neural.symmetry import Symmetries
from training.config import PpoConfig
from training.files import write_bytes
from training.gradients import GradientJob, combine
from training.losses import Losses, Minibatch
from training.records import Decisions, Results
from training.returns import all_advantages, shaped_returns, to_absolute, to_relative
from training.workers import Workers

_FIGURES = (*Losses._fields, "gradient_norm")


class Schedule(NamedTuple):
    """The settings that change in the course of a run, as they stand now."""

    learning_rate: float
    entropy_weight: float
    area_reward: float

    @classmethod
    def at(cls, config: PpoConfig, progress: float) -> Schedule:
        """Returns the settings when `progress` 0..1 of the budget is used."""
        shaping_left = max(0.0, 1.0 - progress / config.area_reward_until) if config.area_reward_until else 0.0
        return cls(
            config.learning_rate + progress * (config.final_learning_rate - config.learning_rate),
            config.entropy_weight + progress * (config.final_entropy_weight - config.entropy_weight),
            config.area_reward * shaping_left,
        )


class Shaping(NamedTuple):
    """What is made of results and searches beyond what they say themselves."""

    area_reward: float  # weight of area in the return
    surprise_weight: float = 0.0  # see `policy_weights`


def policy_weights(decisions: Decisions, surprise_weight: float) -> NDArray[np.float32]:
    """Returns float32 [D] with mean 1: how much the policy learns from each decision; nothing where a search was short.

    A part `surprise_weight` of it is shared out by what the searches have found that the network did not know.
    """
    searched = decisions.policies.any(1).astype(np.float32)
    if not searched.any():
        return searched
    surprises = searched * np.maximum(decisions.surprises, 0.0)
    weights = (1.0 - surprise_weight) * searched / searched.mean()
    if surprises.any():
        weights += surprise_weight * surprises / surprises.mean()
    return np.asarray(weights / weights.mean(), np.float32)


def learnable(
    decisions: Decisions, results: Results, symmetries: Symmetries, config: PpoConfig, shaping: Shaping
) -> Minibatch:
    """Returns all D decisions with their targets."""
    area_reward, surprise_weight = shaping
    finals = shaped_returns(results, area_reward)  # [G, P] by seat
    values = to_absolute(decisions.values.astype(np.float64), decisions.movers)  # [D, P] by seat
    for_policy = all_advantages(values, finals, decisions.games, config.policy_lambda)  # [D, P]
    for_value = values + all_advantages(values, finals, decisions.games, config.value_lambda)  # [D, P]
    own = np.take_along_axis(for_policy, decisions.movers[:, None], axis=1)[:, 0]  # [D]
    movers, games = decisions.movers, decisions.games
    return Minibatch(
        planes=torch.from_numpy(decisions.planes),
        constants=torch.from_numpy(decisions.constants),
        masks=torch.from_numpy(decisions.masks),
        actions=torch.from_numpy(decisions.actions),
        log_probs=torch.from_numpy(decisions.log_probs),
        advantages=_float32((own - own.mean()) / (own.std() + 1e-8)),
        policies=torch.from_numpy(decisions.policies),
        policy_weights=torch.from_numpy(policy_weights(decisions, surprise_weight)),
        value_targets=_float32(to_relative(for_value, movers)),
        owners=torch.from_numpy(_relative_owners(decisions, results, symmetries)),
        areas=_float32(to_relative(results.areas[games], movers)),
        survived=_float32(to_relative(results.survived[games].astype(np.float64), movers)),
    )


def _relative_owners(decisions: Decisions, results: Results, symmetries: Symmetries) -> NDArray[np.int64]:
    """Returns int64 [D, rows, cols]: the final owners in the view and the seat count of each decision, P nobody."""
    num_seats = results.returns.shape[1]
    owners = symmetries.targets(results.owners[decisions.games], results.symmetries[decisions.games])  # [D, N]
    relative: NDArray[np.int64] = np.where(owners >= 0, (owners - decisions.movers[:, None]) % num_seats, num_seats)
    return relative.reshape(len(relative), *decisions.planes.shape[2:])


def _float32(array: NDArray[np.float64]) -> torch.Tensor:
    return torch.from_numpy(array.astype(np.float32))


class Learner:
    """The network that learns and its optimiser; the gradients come from the workers."""

    def __init__(self, network: Network, config: PpoConfig, dump_folder: Path) -> None:
        self.network = network
        self.optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate, eps=1e-5)
        self._config = config
        self._dump_folder = dump_folder

    def update(
        self, data: Minibatch, variant: int, schedule: Schedule, workers: Workers, rng: np.random.Generator
    ) -> dict[str, float]:
        """Learns from all decisions of `data` for the configured epochs; returns the mean of each figure.

        `variant` is the one that the decisions were made in.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = schedule.learning_rate
        figures = []
        for _ in range(self._config.epochs):
            order = rng.permutation(len(data.actions))
            # Parts of equal size: a small rest would pull as hard as a full minibatch, with more noise.
            for rows in np.array_split(order, -(-len(order) // self._config.minibatch)):
                figures.append(self._step(data.rows(rows), variant, schedule, workers))
        return dict(zip(_FIGURES, np.mean(figures, axis=0).tolist(), strict=True))

    def _step(self, batch: Minibatch, variant: int, schedule: Schedule, workers: Workers) -> NDArray[np.float64]:
        """Takes one gradient step; returns the terms of the loss and the gradient's norm."""
        parameters = parameters_to_vector(self.network.parameters()).detach().numpy()
        jobs = [
            GradientJob(
                variant, parameters, tuple(column.numpy() for column in batch.rows(part)), schedule.entropy_weight
            )
            for part in np.array_split(np.arange(len(batch.actions)), workers.num_learners)
            if len(part)
        ]
        mean = combine(workers.gradients(jobs))
        norm = float(np.linalg.norm(mean.gradient))
        figures = np.array([*mean.figures, norm])
        if not np.isfinite(figures).all():
            self._stop(batch, figures)
        shortened = mean.gradient * np.float32(min(1.0, self._config.max_grad_norm / (norm + 1e-6)))
        offset = 0
        for parameter in self.network.parameters():
            part = shortened[offset : offset + parameter.numel()]
            parameter.grad = torch.from_numpy(part).view_as(parameter)
            offset += parameter.numel()
        self.optimizer.step()
        return figures

    def _stop(self, batch: Minibatch, figures: NDArray[np.float64]) -> None:
        """Stores the batch that broke the numbers, before a step could spread them, and ends the run."""
        path = self._dump_folder / "not_finite.safetensors"
        write_bytes(path, save({name: t.contiguous() for name, t in batch._asdict().items()}))
        wrong = ", ".join(
            f"{name}={value}" for name, value in zip(_FIGURES, figures, strict=True) if not np.isfinite(value)
        )
        raise FloatingPointError(f"training stopped: {wrong}; the minibatch is in {path}, the weights are unchanged")
