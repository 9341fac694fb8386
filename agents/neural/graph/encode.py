"""What the network for graph boards sees: every plane of an observation, counts told apart step by step."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from agents.neural.network import MAX_SEATS, Encoded
from bitblossom_env.core.game import Setup

MAX_PLANES = 16
NUM_STEPS = 4  # counts are told apart up to here, greater ones look alike
NUM_FEATURES = MAX_PLANES * NUM_STEPS


class GraphEncoder:
    """Passes the observations of one setup on as they are; there is nothing else to tell."""

    def __init__(self, setup: Setup) -> None:
        if setup.num_seats > MAX_SEATS:
            raise ValueError(f"num_players={setup.num_seats} is too many for the network; allowed: 2..{MAX_SEATS}")
        if len(setup.plane_names) > MAX_PLANES:
            raise ValueError(
                f"game={setup.game_name!r} has {len(setup.plane_names)} planes; the network reads up to {MAX_PLANES}"
            )
        self.sources = (list(range(len(setup.plane_names))), list[int]())

    def encode(self, observations: NDArray[np.uint8]) -> Encoded:
        """Returns fresh arrays for `observations` uint8 [B, F, N], each seen by the seat to move."""
        return Encoded(observations.copy(), np.empty((len(observations), 0), np.uint8))


def spread_counts(planes: torch.Tensor) -> torch.Tensor:
    """Returns float32 [B, N, 4F] for `planes` uint8 [B, F, N]: whether a count is at least 1, at least 2, ..."""
    steps = torch.arange(1, NUM_STEPS + 1, dtype=torch.uint8)
    reached = planes.transpose(1, 2)[:, :, :, None] >= steps  # [B, N, F, 4]
    return reached.flatten(2).float()
