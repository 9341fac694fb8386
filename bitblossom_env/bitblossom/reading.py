"""What Python is told of a game: its derived fields, the planes of an observer, areas, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.game import Outcome
from . import kernels
from .config import Config
from .derive import derive_all
from .scoring import count_areas, make_outcome
from .sea_replay import AREAS
from .state import ELIMINATED, END_REASON, RUNNING, State

if TYPE_CHECKING:
    from .game import BitBlossomSetup


def derive(state: State, config: Config) -> State:
    """Fills the derived fields of a state (B = 1) and returns it."""
    derive_all(state.masks[0], state.stamps[0], state.counters[0], kernels.scratch_for(config.num_cells).work)
    return state


def observe(state: State, setup: BitBlossomSetup, observer: int) -> NDArray[np.uint8]:
    """Returns uint8 [F, rows, cols], fresh: the planes of game 0 as seat `observer` sees them, optional ones last."""
    names = setup.plane_names
    planes = np.empty(len(names) * setup.num_cells, np.uint8)
    work = kernels.scratch_for(setup.num_cells).work
    kernels.fill_observation(state.masks, state.stamps, state.counters, observer, work, planes)
    if setup.config.extra_planes:
        arrays = state.masks, state.stamps, state.counters
        kernels.fill_extra_planes(arrays, 0, observer, setup.extra_planes, planes)
    return planes.reshape(len(names), *setup.board_shape)


def areas_of(state: State, config: Config) -> tuple[int, ...]:
    """Returns the cells per seat on the provisional board of game 0 (R4.4)."""
    work = kernels.scratch_for(config.num_cells).work
    count_areas(state.masks[0], state.counters[0], work)
    return tuple(work[AREAS, : config.num_players].tolist())


def outcome_of(arrays: kernels.Arrays, index: int, setup: BitBlossomSetup) -> Outcome | None:
    """Returns how a game ended, None while it runs."""
    counters = arrays[2][index].tolist()
    if counters[END_REASON] == RUNNING:
        return None
    owner = np.empty(setup.board_shape, np.int8)
    work = kernels.scratch_for(setup.num_cells).work
    kernels.fill_result(arrays, index, work, owner)
    eliminated = [flag == 1 for flag in counters[ELIMINATED : ELIMINATED + setup.num_seats]]
    return make_outcome(counters[END_REASON], work[AREAS, : setup.num_seats].tolist(), eliminated, owner)
