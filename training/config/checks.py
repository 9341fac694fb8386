"""Refusing settings in one line."""

from __future__ import annotations


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Raises `ValueError` unless `holds`."""
    if not holds:
        raise ValueError(f"{name}={value!r} is not allowed; allowed: {allowed}")
