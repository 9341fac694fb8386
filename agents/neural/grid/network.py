"""One fully convolutional network for every board size and every number of seats.

No batch norm: a position must be judged alike alone and in a batch. Each residual branch starts at zero, so
the network starts as a shallow one and needs no normalisation to train. Global pooling inside every block
tells each cell about the whole board, which four blocks of 3x3 could not see.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from agents.neural.config import NetworkConfig
from agents.neural.grid.encode import (
    MAX_CONSTANTS,
    MAX_PLANES,
    NUM_SEAT_CONSTANTS,
    NUM_SHARED_CONSTANTS,
    scale_constants,
    scale_planes,
)
from agents.neural.network import MASKED_LOGIT, MAX_SEATS, Network

# A fresh network ends a turn early with probability 1 / (1 + e^3) = 5 %: near a full turn of random stones.
INITIAL_END_LOGIT = -3.0


def pool(features: torch.Tensor) -> torch.Tensor:
    """Returns float32 [B, 2C], mean and maximum over the board of `features` [B, C, rows, cols]."""
    flat = features.flatten(2)  # [B, C, N]
    return torch.cat((flat.mean(2), flat.amax(2)), dim=1)  # [B, 2C]


class ResidualBlock(nn.Module):
    """Two 3x3 convolutions, the pooled board added in between, on a branch that starts at zero."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.context = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)  # type: ignore[arg-type]

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Returns the changed `features` float32 [B, C, rows, cols]."""
        hidden = self.first(functional.relu(features))  # [B, C, rows, cols]
        hidden = hidden + self.context(pool(hidden))[:, :, None, None]  # [B, C, rows, cols]
        changed: torch.Tensor = features + self.second(functional.relu(hidden))  # [B, C, rows, cols]
        return changed


class PolicyHead(nn.Module):
    """A logit per cell, and one for ending the turn that does not depend on the number of cells."""

    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.local = nn.Conv2d(channels, channels, 1)
        self.context = nn.Linear(2 * channels, channels)
        self.place = nn.Conv2d(channels, 1, 1)
        self.end_hidden = nn.Linear(2 * channels, hidden)
        self.end = nn.Linear(hidden, 1)
        # All cells alike at the start: the first games are as random as they can be.
        for layer in (self.place, self.end):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
        nn.init.constant_(self.end.bias, INITIAL_END_LOGIT)

    def forward(self, features: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Returns masked logits float32 [B, N + 1] for `mask` bool [B, N + 1], end turn last."""
        local = self.local(features) + self.context(pooled)[:, :, None, None]  # [B, C, rows, cols]
        place = self.place(functional.relu(local)).flatten(1)  # [B, N]
        end = self.end(functional.relu(self.end_hidden(pooled)))  # [B, 1]
        # Against n equal placements a fixed end logit would shrink as 1 / n; log n keeps its probability.
        num_legal = mask[:, :-1].sum(1, keepdim=True).clamp(min=1)  # [B, 1]
        logits = torch.cat((place, end + torch.log(num_legal.float())), dim=1)  # [B, N + 1]
        masked: torch.Tensor = logits.masked_fill(~mask, MASKED_LOGIT)
        return masked


class BlossomNetwork(Network):
    """Stem, trunk and heads for every grid; input as `GridEncoder` makes it."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__(config)
        channels = config.channels
        self.stem = nn.Conv2d(MAX_PLANES, channels, 3, padding=1)
        self.constants = nn.Linear(MAX_CONSTANTS, channels)
        self.blocks = nn.ModuleList(ResidualBlock(channels) for _ in range(config.blocks))
        self.policy = PolicyHead(channels, config.hidden)
        self.make_heads()
        self.cell_owners = nn.Conv2d(channels, 1 + MAX_SEATS, 1)

    def trunk(self, planes: torch.Tensor, constants: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:  # noqa: ARG002
        """Returns features float32 [B, C, rows, cols]; `planes` [B, 6 + 4P, rows, cols], `constants` [B, 3 + 5P]."""
        board = scale_planes(planes)  # [B, S, rows, cols]
        values = scale_constants(constants)  # [B, G]
        # Absent seats would be zero, so only the weights of present ones are multiplied.
        stem = self.stem.weight[:, : board.shape[1]]  # [C, S, 3, 3]
        features = functional.conv2d(board, stem, self.stem.bias, padding=1)  # [B, C, rows, cols]
        weight = self.constants.weight[:, : values.shape[1]]  # [C, G]
        features = features + functional.linear(values, weight, self.constants.bias)[:, :, None, None]
        for block in self.blocks:
            features = block(features)  # [B, C, rows, cols]
        return functional.relu(features)

    def pool(self, features: torch.Tensor) -> torch.Tensor:
        """Returns float32 [B, 2C]."""
        return pool(features)

    def place(self, features: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Returns masked logits float32 [B, N + 1]."""
        logits: torch.Tensor = self.policy(features, pooled, mask)
        return logits

    def own(self, features: torch.Tensor) -> torch.Tensor:
        """Returns float32 [B, 9, rows, cols]."""
        owners: torch.Tensor = self.cell_owners(features)
        return owners

    def count_seats(self, constants: torch.Tensor) -> int:
        """Returns P, read from the width of `constants` [B, 3 + 5P]."""
        return int((constants.shape[1] - NUM_SHARED_CONSTANTS) // NUM_SEAT_CONSTANTS)
