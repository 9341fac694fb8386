"""How fast one core writes: into a buffer that its own cache holds, and into one that no cache holds."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

BUFFER_BYTES = {"cache": 256 * 2**10, "memory": 512 * 2**20}
CHUNK_BYTES = 2**30  # written between two looks at the clock


class Bandwidth:
    """Fills buffers of bytes over and over."""

    def __init__(self) -> None:
        # Ones are written at once; zeros would only be promised, and given when the clock runs.
        self._buffers = {name: np.ones(size, np.uint8) for name, size in BUFFER_BYTES.items()}
        self.facts: dict[str, Any] = {"buffer_bytes": BUFFER_BYTES}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Returns bytes a CPU second for each buffer, half of `seconds` each."""
        return {name: self._rate(buffer, seconds / 2) for name, buffer in self._buffers.items()}

    def _rate(self, buffer: np.ndarray[Any, np.dtype[np.uint8]], seconds: float) -> float:
        start, num_bytes = time.process_time(), 0
        while (spent := time.process_time() - start) < seconds:
            for _ in range(CHUNK_BYTES // buffer.nbytes):
                buffer.fill(7)
            num_bytes += CHUNK_BYTES
        return num_bytes / spent


def prepare() -> Bandwidth:
    """Returns the buffers."""
    return Bandwidth()
