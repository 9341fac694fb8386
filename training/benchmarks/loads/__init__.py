"""What a pinned process runs: each module has `prepare(**arguments)`, which returns a `Load`."""

from __future__ import annotations

from typing import Any, Protocol


class Load(Protocol):
    """Something ready to be measured: compiled, warm, in the middle of its games."""

    facts: dict[str, Any]  # what it tells once, as JSON values

    def measure(self, seconds: float) -> dict[str, Any]:
        """Works for about `seconds` seconds and returns what came of it, as JSON values."""
