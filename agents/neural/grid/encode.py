"""What the network sees: planes of an observation picked by name, then scaled to floats.

Shared planes come first and seats follow in ascending order, so the input for P seats is a prefix of the
input for `MAX_SEATS` seats whose absent seats are zero. The network uses that: it multiplies only the prefix.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from agents.neural.network import MAX_SEATS, Encoded
from bitblossom_env.core.game import Setup

# One value a cell. `on_board` is made here: convolutions pad with zeros, and it shows where the board ends.
SHARED_PLANES = ("fresh", "overlay", "standing", "last_turn", "age")
SEAT_PLANES = ("stones", "home_base", "territory", "doomed")
# One value a board. `present/k` is made here: it tells an absent seat from one that has lost everything.
SHARED_CONSTANTS = ("remaining", "turns_left", "passes")
SEAT_CONSTANTS = ("eliminated", "active", "area", "first_turn")

NUM_SHARED_PLANES = 1 + len(SHARED_PLANES)  # with on_board
NUM_SHARED_CONSTANTS = len(SHARED_CONSTANTS)
NUM_SEAT_CONSTANTS = 1 + len(SEAT_CONSTANTS)  # with present/k
MAX_PLANES = NUM_SHARED_PLANES + MAX_SEATS * len(SEAT_PLANES)
# `turns_left` becomes two floats, see `scale_constants`.
MAX_CONSTANTS = NUM_SHARED_CONSTANTS + 1 + MAX_SEATS * NUM_SEAT_CONSTANTS

_AGE = NUM_SHARED_PLANES - 1  # index of the age plane
_REMAINING, _TURNS_LEFT, _PASSES = range(NUM_SHARED_CONSTANTS)
_AREA_OF_SEAT = 1 + SEAT_CONSTANTS.index("area")
_USUAL_BUDGET = 3.0  # placements of a turn without bonus
_LAST_TURNS = 16.0  # turns over which the second float of `turns_left` fades


class GridEncoder:
    """Picks the network's planes from the observations of one setup, by plane name."""

    def __init__(self, setup: Setup) -> None:
        if setup.num_seats > MAX_SEATS:
            raise ValueError(f"num_players={setup.num_seats} is too many for the network; allowed: 2..{MAX_SEATS}")
        self.num_seats = setup.num_seats
        index = {name: position for position, name in enumerate(setup.plane_names)}
        seats = range(setup.num_seats)
        planes = [*SHARED_PLANES, *(f"{name}/{k}" for k in seats for name in SEAT_PLANES)]
        constants = [*SHARED_CONSTANTS, *(f"{name}/{k}" for k in seats for name in SEAT_CONSTANTS)]
        missing = [name for name in (*planes, *constants) if name not in index]
        if missing:
            raise ValueError(
                f"game={setup.game_name!r} has no plane {missing[0]!r}; the network plays only games with it"
            )
        self._planes = np.array([index[name] for name in planes])
        self._constants = np.array([index[name] for name in constants])
        ones, shared = len(setup.plane_names), NUM_SHARED_CONSTANTS
        by_seat = self._constants[shared:].reshape(setup.num_seats, len(SEAT_CONSTANTS))
        by_seat = np.insert(by_seat, 0, ones, axis=1)  # present/k
        self.sources = ([ones, *self._planes.tolist()], [*self._constants[:shared].tolist(), *by_seat.ravel().tolist()])

    def encode(self, observations: NDArray[np.uint8]) -> Encoded:
        """Returns fresh arrays for `observations` uint8 [B, F, rows, cols], each seen by the seat to move."""
        num_games, _, rows, cols = observations.shape
        planes = np.ones((num_games, 1 + len(self._planes), rows, cols), np.uint8)  # plane 0 stays: on_board
        planes[:, 1:] = observations[:, self._planes]
        constants = np.ones((num_games, NUM_SHARED_CONSTANTS + self.num_seats * NUM_SEAT_CONSTANTS), np.uint8)
        values = observations[:, self._constants, 0, 0]
        constants[:, :NUM_SHARED_CONSTANTS] = values[:, :NUM_SHARED_CONSTANTS]
        by_seat = constants[:, NUM_SHARED_CONSTANTS:].reshape(num_games, self.num_seats, NUM_SEAT_CONSTANTS)
        by_seat[:, :, 1:] = values[:, NUM_SHARED_CONSTANTS:].reshape(num_games, self.num_seats, len(SEAT_CONSTANTS))
        return Encoded(planes, constants)


def scale_planes(planes: torch.Tensor) -> torch.Tensor:
    """Returns float32 [B, S, rows, cols]: 0/1 planes as they are, age on a log scale (the young differ most).

    Channels lie next to each other in memory: all convolutions that follow keep it so, and are quicker for it.
    """
    scaled = planes.float().contiguous(memory_format=torch.channels_last)
    scaled[:, _AGE] = torch.log1p(scaled[:, _AGE]) / 5.5  # log(1 + 255) = 5.5
    return scaled


def scale_constants(constants: torch.Tensor) -> torch.Tensor:
    """Returns float32 [B, 4 + 5P], about 0..1; `turns_left` once as a share and once for the last turns."""
    values = constants.float()
    num_seats = (values.shape[1] - NUM_SHARED_CONSTANTS) // NUM_SEAT_CONSTANTS
    shared = torch.stack(
        (
            values[:, _REMAINING] / _USUAL_BUDGET,
            values[:, _TURNS_LEFT] / 255.0,
            torch.exp(-values[:, _TURNS_LEFT] / _LAST_TURNS),
            values[:, _PASSES] / max(1, num_seats - 1),
        ),
        dim=1,
    )  # [B, 4]
    by_seat = values[:, NUM_SHARED_CONSTANTS:].clone()
    by_seat[:, _AREA_OF_SEAT::NUM_SEAT_CONSTANTS] /= 255.0
    return torch.cat((shared, by_seat), dim=1)  # [B, 4 + 5P]
