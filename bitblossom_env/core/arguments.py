"""Checks of arguments from outside; an error names the argument, its value and what is allowed, in one line."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .game import ArgumentError

LONGEST = 80  # characters of a value that an error shows


def shown(value: Any) -> str:
    """Returns a value as one short line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def not_allowed(name: str, value: Any, allowed: str) -> ArgumentError:
    """Returns the error for an argument that is not allowed."""
    return ArgumentError(f"{name}={shown(value)} is not allowed; allowed: {allowed}")


def is_boolean(value: Any) -> bool:
    """Returns whether a value is true or false by type: a bool, or an array or tensor of them."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")).rpartition(".")[2] == "bool"


def plain(value: Any) -> Any:
    """Returns arrays and NumPy scalars as Python values, also inside lists and tuples; anything else as it is."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def whole_number(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Returns `value` as an int in low..high, else raises `ArgumentError`."""
    allowed = f"a whole number of at least {low}" if high is None else f"a whole number in {low}..{high}"
    try:
        number = operator.index(value)
    except TypeError:
        raise not_allowed(name, value, allowed) from None
    if is_boolean(value) or number < low or (high is not None and number > high):
        raise not_allowed(name, value, allowed)
    return number
