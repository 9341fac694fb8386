"""What the kernels of a step are compiled by."""

from __future__ import annotations

import numpy as np

from . import kernels
from .config import make_config
from .reading import derive
from .state import new_state


def compile_step() -> None:
    """Runs every kernel that a game or a batch calls, but those of optional planes, once on an empty 3x3 board."""
    config = make_config(board_size=3, home_bases=[(0, 0), (2, 2)])
    state, scratch = new_state(config, 1), kernels.scratch_for(config.num_cells)
    arrays = state.masks, state.stamps, state.counters
    derive(state, config)
    kernels.find_illegal(arrays, scratch.actions, 0, 1)
    kernels.advance(arrays, scratch.actions, 0, 1, scratch.work, scratch.views)
    kernels.look(arrays, 0, 1, scratch.work, scratch.views)
    kernels.fill_result(arrays, 0, scratch.work, np.zeros((3, 3), np.int8))
    kernels.fill_mask(state.masks, state.counters, scratch.views[1][0])
    kernels.fill_observation(*arrays, 0, scratch.work, np.zeros(25 * 9, np.uint8))
