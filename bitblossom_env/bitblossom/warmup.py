"""Compiles the kernels of a step before the first game needs them, and says so when it takes a while."""

from __future__ import annotations

import sys
import time

import numpy as np

from ..core.jit import is_ready, mark_ready
from . import kernels
from .config import make_config
from .reading import derive
from .state import new_state


def compile_step() -> None:
    """Runs every kernel that a game or a batch calls once on an empty 3x3 board."""
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


def ensure_compiled() -> None:
    """Compiles the step kernels into the cache folder unless they lie there, with a line on the terminal."""
    if is_ready():
        return
    print(
        "bitblossom: compiling the rules (once for this version, about half a minute) ...", file=sys.stderr, flush=True
    )
    started = time.perf_counter()
    compile_step()
    mark_ready()
    print(f"bitblossom: compiled in {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
