"""The terms of the loss, each a mean over the decisions of a minibatch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from agents.neural.network import Auxiliary, Judgement
from training.config import PpoConfig


class Minibatch(NamedTuple):
    """M decisions with everything the losses compare; seats counted from the mover."""

    planes: torch.Tensor  # uint8 [M, S, rows, cols]
    constants: torch.Tensor  # uint8 [M, G]
    masks: torch.Tensor  # bool [M, N + 1]
    actions: torch.Tensor  # int64 [M]
    log_probs: torch.Tensor  # float32 [M] of the actions when they were drawn
    advantages: torch.Tensor  # float32 [M] of the mover, normalised
    policies: torch.Tensor  # float32 [M, N + 1] to be learnt; [M, 0]: the policy learns from the advantages
    policy_weights: torch.Tensor  # float32 [M] of the decisions in that, their mean is 1
    value_targets: torch.Tensor  # float32 [M, P]
    owners: torch.Tensor  # int64 [M, rows, cols] final owner, P is nobody
    areas: torch.Tensor  # float32 [M, P] final share of the cells
    survived: torch.Tensor  # float32 [M, P] 0 or 1

    def rows(self, index: NDArray[np.int64]) -> Minibatch:
        """Returns the decisions `index` int64 [K] alone."""
        chosen = torch.from_numpy(index)
        return Minibatch(*(column[chosen] for column in self))


class Losses(NamedTuple):
    """The terms and what tells how far the policy has moved; scalars."""

    policy: torch.Tensor
    value: torch.Tensor
    owner: torch.Tensor
    area: torch.Tensor
    survival: torch.Tensor
    entropy: torch.Tensor
    kl: torch.Tensor  # old policy to new, estimated from the drawn actions
    clipped: torch.Tensor  # share of decisions at which the clip binds

    def total(self, config: PpoConfig, entropy_weight: float) -> torch.Tensor:
        """Returns the weighted sum that is minimised."""
        return (
            self.policy
            + config.value_weight * self.value
            + config.owner_weight * self.owner
            + config.area_weight * self.area
            + config.survival_weight * self.survival
            - entropy_weight * self.entropy
        )


def compute_losses(judgement: Judgement, auxiliary: Auxiliary, batch: Minibatch, clip: float) -> Losses:
    """Returns the terms for what the network says now about `batch`."""
    log_probs = judgement.logits.log_softmax(1)  # [M, N + 1]
    new = log_probs.gather(1, batch.actions[:, None])[:, 0]  # [M]
    log_ratio = new - batch.log_probs  # [M]
    ratio = log_ratio.exp()  # [M]
    # Illegal actions have probability 0 and a finite logit, so their product is 0 and not NaN.
    entropy = -(log_probs.exp() * log_probs).sum(1)  # [M]
    return Losses(
        policy=-_gain(log_probs, ratio, batch, clip).mean(),
        value=functional.mse_loss(judgement.values, batch.value_targets),
        owner=functional.cross_entropy(auxiliary.owners, batch.owners),
        area=functional.mse_loss(auxiliary.areas, batch.areas),
        survival=functional.binary_cross_entropy_with_logits(auxiliary.survivals, batch.survived),
        entropy=entropy.mean(),
        kl=(ratio - 1.0 - log_ratio).mean().detach(),
        clipped=((ratio - 1.0).abs() > clip).float().mean().detach(),
    )


def _gain(log_probs: torch.Tensor, ratio: torch.Tensor, batch: Minibatch, clip: float) -> torch.Tensor:
    """Returns [M], what the policy is to make greater.

    After a search, the likelihood of the policy that it came to; else the advantage of the action that was drawn,
    clipped (PPO).
    """
    if batch.policies.shape[1] > 0:
        return (batch.policies * log_probs).sum(1) * batch.policy_weights
    limited = ratio.clamp(1.0 - clip, 1.0 + clip)  # [M]
    return torch.minimum(ratio * batch.advantages, limited * batch.advantages)
