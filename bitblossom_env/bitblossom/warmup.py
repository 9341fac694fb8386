"""Compiles the kernels of a step before the first game needs them, and says so when it takes a while."""

from __future__ import annotations

import sys
import time

import numpy as np

from ..core.jit import is_ready, mark_ready
from . import kernels
from .config import make_config
from .state import new_state


def compile_step() -> None:
    """Runs every kernel that a game or a batch calls once on an empty 3x3 board."""
    config = make_config(board_size=3, home_bases=[(0, 0), (2, 2)])
    state, scratch = new_state(config, 1), kernels.scratch_for(config.num_cells)
    masks, stamps, counters = state.masks, state.stamps, state.counters
    kernels.derive(masks, stamps, counters, scratch.work)
    kernels.play(masks, stamps, counters, scratch.actions, scratch.work)
    kernels.fill_masks(masks, counters, np.zeros((1, 19), np.int8))
    planes = np.zeros((1, 25, 3, 3), np.uint8)
    kernels.fill_observation(masks, stamps, counters, 0, scratch.areas, planes[0])
    kernels.fill_observations(masks, stamps, counters, scratch.areas, planes)


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
