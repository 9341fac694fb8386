"""Compiles the kernels of a step before the first game needs them, and says so when it takes a while."""

from __future__ import annotations

import sys
import time

import numpy as np

from ..core.jit import COMPILING_LOCK, alone, is_ready, kernel_folder, mark_ready
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


def ensure_compiled() -> None:
    """Compiles the step kernels into the cache folder unless they lie there, with a line on the terminal.

    Of several processes that start at once one compiles, the others wait for it.
    """
    if is_ready():
        return
    with alone(kernel_folder(), COMPILING_LOCK, lambda: _say("another process compiles the rules: waiting for it ...")):
        if not is_ready():
            _compile_aloud()


def _compile_aloud() -> None:
    _say("compiling the rules (once for this version, about half a minute) ...")
    started = time.perf_counter()
    compile_step()
    mark_ready()
    _say(f"compiled in {time.perf_counter() - started:.0f} s")


def _say(text: str) -> None:
    print(f"bitblossom: {text}", file=sys.stderr, flush=True)
