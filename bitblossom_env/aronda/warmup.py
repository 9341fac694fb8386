"""What the kernels of a step are compiled by."""

from __future__ import annotations

import numpy as np

from . import kernels
from .board import NUM_FIELDS
from .observation import PLANE_NAMES
from .position import position_of
from .state import new_state


def compile_step() -> None:
    """Runs every kernel that a game or a batch calls, once."""
    state = new_state(1, blockade=True, stop_at_majority=False)
    arrays, actions = state.arrays(), np.array([NUM_FIELDS - 1])
    planes = np.zeros((1, len(PLANE_NAMES) * NUM_FIELDS), np.uint8)
    views = planes, np.zeros((1, NUM_FIELDS), np.int8), np.zeros(1, np.int8), np.zeros(1, np.bool_)
    kernels.derive(arrays)
    kernels.find_illegal(arrays, actions, 0, 1)
    kernels.advance(arrays, actions, 0, 1, views)
    kernels.look(arrays, 0, 1, views)
    kernels.place(arrays, NUM_FIELDS - 1)
    kernels.fill_mask(arrays, views[1][0])
    kernels.fill_observation(arrays, 0, planes[0])
    position_of(state)
