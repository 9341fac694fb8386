"""Checks of what `BatchEnv` is given; an error names the argument, its value and what is allowed, in one line."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ...core.arguments import not_allowed, plain, shown, whole_number
from ...core.game import ArgumentError, IllegalActionError, Setup, game_names

AUTORESET_MODES = {
    "same_step": AutoresetMode.SAME_STEP,
    "next_step": AutoresetMode.NEXT_STEP,
    "disabled": AutoresetMode.DISABLED,
}
LARGEST_ACTION = 2**63 - 1  # of int64; greater ones would be counted from below
GAMES_PER_THREAD = 1024  # with fewer, waking a thread costs more than it takes over


def checked_game(name: Any) -> str:
    """Returns the name of a registered game."""
    if not isinstance(name, str) or name not in game_names():
        raise not_allowed("game", name, ", ".join(map(repr, game_names())))
    return name


def checked_switch(name: str, value: Any) -> bool:
    """Returns a true or false argument as a bool."""
    value = plain(value)
    if not isinstance(value, bool):
        raise not_allowed(name, value, "True or False")
    return value


def checked_autoreset(value: Any) -> AutoresetMode:
    """Returns an autoreset mode given by name or as Gymnasium's own."""
    if isinstance(value, AutoresetMode):
        return value
    if not isinstance(value, str) or value not in AUTORESET_MODES:
        names = ", ".join(map(repr, AUTORESET_MODES))
        raise not_allowed("autoreset", value, f"{names} or a gymnasium.vector.AutoresetMode")
    return AUTORESET_MODES[value]


def checked_num_threads(value: Any, num_envs: int) -> int:
    """Returns how many threads share the games: as many as asked for, or one for every core that has enough to do."""
    if value is None:
        return max(1, min(len(os.sched_getaffinity(0)), num_envs // GAMES_PER_THREAD))
    return min(whole_number("num_threads", value, 1), num_envs)


def checked_random_turns(value: Any, setup: Setup) -> tuple[int, int] | None:
    """Returns the fewest and the most random turns before a game starts, None for none."""
    pair, limit = plain(value), setup.turn_limit
    if pair is None:
        return None
    allowed = "None or (low, high), whole numbers with 0 <= low <= high"
    allowed += "" if limit is None else f" < {limit}, the turn limit"
    if not isinstance(pair, (list, tuple)) or len(pair) != 2 or any(isinstance(end, (list, tuple)) for end in pair):
        raise not_allowed("random_turns", value, allowed)
    low, high = (whole_number("random_turns", end, 0) for end in pair)
    if low > high or (limit is not None and high >= limit):
        raise not_allowed("random_turns", value, allowed)
    return low, high


def checked_actions(actions: Any, num_envs: int) -> NDArray[np.int64]:
    """Returns one action a game as contiguous int64 [B]; whether they are legal is not looked at."""
    array = _as_array("actions", actions)
    if array.shape != (num_envs,):
        form = f"one whole number for each of the {num_envs} games, shape ({num_envs},)"
        raise ArgumentError(f"actions of shape {array.shape} are not allowed; allowed: {form}")
    if array.dtype.kind not in "iu":
        raise IllegalActionError(f"actions={shown(actions)} are {array.dtype}; allowed: whole numbers")
    if array.dtype.kind == "u" and array.size and array.max() > LARGEST_ACTION:
        raise IllegalActionError(f"action {array.max()} is illegal in every game; allowed: those whose mask is 1")
    # Kernels are compiled for arrays of one form: contiguous, aligned and writable.
    return np.require(array, np.int64, ("C", "A", "W"))


def checked_indices(indices: Any, num_envs: int) -> NDArray[np.int64]:
    """Returns the numbers of some games as int64 [number of indices], from one int or an array of them."""
    array = np.atleast_1d(_as_array("indices", indices))
    if array.shape == (0,):
        return np.zeros(0, np.int64)  # an empty list says nothing of its type
    is_integer = array.dtype.kind in "iu" and array.ndim == 1
    if not is_integer or array.min() < 0 or array.max() >= num_envs:
        raise not_allowed("indices", indices, f"whole numbers in 0..{num_envs - 1}, one or a list of them")
    return array.astype(np.int64)


def checked_reset_mask(mask: Any, num_envs: int) -> NDArray[np.int64]:
    """Returns the numbers of the games that a mask, bool [B], picks out."""
    array = _as_array("options['reset_mask']", mask)
    if array.dtype != np.bool_ or array.shape != (num_envs,):
        raise not_allowed("options['reset_mask']", mask, f"an array of {num_envs} truth values, bool ({num_envs},)")
    return np.flatnonzero(array)


def _as_array(name: str, value: Any) -> NDArray[Any]:
    """Returns a value as an array; lists of unequal lengths are none."""
    try:
        return np.asarray(value)
    except ValueError:
        raise not_allowed(name, value, "an array or a list of equal rows") from None
