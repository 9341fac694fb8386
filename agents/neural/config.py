"""The shape of the network, apart from it so that reading a config loads no torch."""

from __future__ import annotations

from dataclasses import dataclass

MAX_CHANNELS = 512
MAX_BLOCKS = 64
GRID, GRAPH = "grid", "graph"
KINDS = (GRID, GRAPH)


@dataclass(frozen=True)
class NetworkConfig:
    """Form and size of the network; the same for every board size and number of seats.

    Attributes:
        kind: `grid`, convolutions, for boards of rows and columns; `graph`, messages along links, for all others.
        channels: width of the trunk, 8..512; 32 is the widest that 2 cores train in minutes.
        blocks: residual blocks, 1..64; each sees two cells (one link) further, global pooling carries the rest.
        hidden: width of the layers between pooled features and the heads, 8..512.
    """

    kind: str = GRID
    channels: int = 32
    blocks: int = 4
    hidden: int = 64

    def __post_init__(self) -> None:
        """Refuses sizes outside the documented ranges; a checkpoint is outside data."""
        if self.kind not in KINDS:
            raise ValueError(f"network.kind={self.kind!r} is not allowed; allowed: {', '.join(KINDS)}")
        _check_range("channels", self.channels, 8, MAX_CHANNELS)
        _check_range("blocks", self.blocks, 1, MAX_BLOCKS)
        _check_range("hidden", self.hidden, 8, MAX_CHANNELS)


def _check_range(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"network.{name}={value!r} is not allowed; allowed: an integer {low}..{high}")
