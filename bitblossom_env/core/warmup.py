"""Compiles the kernels of a game before its first game needs them, and says so when it takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from .jit import COMPILING_LOCK, alone, is_ready, kernel_folder, mark_ready


def ensure_compiled(game_name: str, compile_step: Callable[[], None]) -> None:
    """Runs `compile_step` once for this version of the kernels, with a line on the terminal.

    Of several processes that start at once one compiles, the others wait for it.
    """
    if is_ready(game_name):
        return
    with alone(kernel_folder(), COMPILING_LOCK, lambda: _say("another process compiles the rules: waiting for it ...")):
        if not is_ready(game_name):
            _compile_aloud(game_name, compile_step)


def _compile_aloud(game_name: str, compile_step: Callable[[], None]) -> None:
    _say("compiling the rules (once for this version, about half a minute) ...")
    started = time.perf_counter()
    compile_step()
    mark_ready(game_name)
    _say(f"compiled in {time.perf_counter() - started:.0f} s")


def _say(text: str) -> None:
    print(f"bitblossom: {text}", file=sys.stderr, flush=True)
