"""What every network is: input in bytes, judgements out; seats counted from the seat to move.

Dimension letters: B positions, N cells, P seats, S planes and G constants of the input.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from agents.neural.config import NetworkConfig

MAX_SEATS = 8
# Finite, so that no arithmetic on it makes NaN; far below real logits, so that its probability is exactly 0.
MASKED_LOGIT = -1e9


class Encoded(NamedTuple):
    """What one network call reads, still in bytes: small to store and to send."""

    planes: NDArray[np.uint8]  # [B, S, *board shape]
    constants: NDArray[np.uint8]  # [B, G]


class Encoder(Protocol):
    """Makes the input of a network from the observations of one setup.

    Attributes:
        sources: which planes of an observation, F of them, become planes and constants of the input, in order; the
            number F stands for a plane of ones.
    """

    sources: tuple[list[int], list[int]]

    def encode(self, observations: NDArray[np.uint8]) -> Encoded:
        """Returns fresh arrays for `observations` uint8 [B, F, *board shape], each seen by the seat to move."""


class Judgement(NamedTuple):
    """What acting needs."""

    logits: torch.Tensor  # float32 [B, N + 1]: placements in reading order, then end turn; illegal ones masked
    values: torch.Tensor  # float32 [B, P]: expected return per seat, counted from the mover


class Auxiliary(NamedTuple):
    """What only training asks for; seats counted from the mover."""

    owners: torch.Tensor  # float32 [B, P + 1, *board shape]: logits of each cell's final owner, the last is nobody
    areas: torch.Tensor  # float32 [B, P]: final share of the board's cells
    survivals: torch.Tensor  # float32 [B, P]: logits of not being eliminated at the end


class Network(nn.Module):
    """A trunk and what is read off it; each kind of board has a network of its own form.

    Features are what the trunk says of every cell; the form of their array is the kind's own business.
    """

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config

    def make_heads(self) -> None:
        """Makes the heads that are alike in every network: what becomes of each seat; zero at the start."""
        channels, hidden = self.config.channels, self.config.hidden
        self.seat_hidden = nn.Linear(2 * channels, hidden)
        self.seat_values = nn.Linear(hidden, MAX_SEATS)
        self.seat_areas = nn.Linear(hidden, MAX_SEATS)
        self.seat_survivals = nn.Linear(hidden, MAX_SEATS)
        for layer in (self.seat_values, self.seat_areas, self.seat_survivals):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def trunk(self, planes: torch.Tensor, constants: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Returns the features; arguments as in `judge`."""
        raise NotImplementedError

    def pool(self, features: torch.Tensor) -> torch.Tensor:
        """Returns float32 [B, 2C], mean and maximum over the board."""
        raise NotImplementedError

    def place(self, features: torch.Tensor, pooled: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Returns masked logits float32 [B, N + 1] for `mask` bool [B, N + 1]."""
        raise NotImplementedError

    def own(self, features: torch.Tensor) -> torch.Tensor:
        """Returns float32 [B, 1 + MAX_SEATS, *board shape]: logits of each cell's final owner, the first is nobody."""
        raise NotImplementedError

    def count_seats(self, constants: torch.Tensor) -> int:
        """Returns P."""
        raise NotImplementedError

    def judge(self, planes: torch.Tensor, constants: torch.Tensor, mask: torch.Tensor) -> Judgement:
        """Returns what acting needs, without the auxiliary heads.

        Args:
            planes: uint8 [B, S, *board shape], `Encoded.planes`.
            constants: uint8 [B, G], `Encoded.constants`.
            mask: bool [B, N + 1], legal placements in reading order, then end turn.
        """
        features = self.trunk(planes, constants, mask)
        pooled = self.pool(features)  # [B, 2C]
        hidden = functional.relu(self.seat_hidden(pooled))  # [B, H]
        values = self.seat_values(hidden)[:, : self.count_seats(constants)]  # [B, P]
        return Judgement(self.place(features, pooled, mask).float(), values.float())

    def forward(self, planes: torch.Tensor, constants: torch.Tensor, mask: torch.Tensor) -> tuple[Judgement, Auxiliary]:
        """Returns everything the losses need; arguments as in `judge`."""
        seats = self.count_seats(constants)
        features = self.trunk(planes, constants, mask)
        pooled = self.pool(features)  # [B, 2C]
        hidden = functional.relu(self.seat_hidden(pooled))  # [B, H]
        owners = self.own(features)  # [B, 9, *board shape]
        auxiliary = Auxiliary(
            owners=torch.cat((owners[:, 1 : 1 + seats], owners[:, :1]), dim=1).float(),  # [B, P + 1, *board shape]
            areas=self.seat_areas(hidden)[:, :seats].float(),  # [B, P]
            survivals=self.seat_survivals(hidden)[:, :seats].float(),  # [B, P]
        )
        values = self.seat_values(hidden)[:, :seats]  # [B, P]
        return Judgement(self.place(features, pooled, mask).float(), values.float()), auxiliary
