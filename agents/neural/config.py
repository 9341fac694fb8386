"""The shape of the network and how it is run, apart from it so that reading a config loads no torch."""

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


CPU, CUDA = "cpu", "cuda"
FLOAT32, BFLOAT16 = "float32", "bfloat16"
PRECISIONS = (FLOAT32, BFLOAT16)


@dataclass(frozen=True)
class ComputeConfig:
    """How networks are run. Null leaves a choice open: what is quickest here, timed once when the run begins.

    Attributes:
        device: `cpu`, or `cuda` for the first GPU; on it the learner is no longer shared out among the workers.
        precision: `float32`, or `bfloat16` for the products inside the network; weights and losses stay in float32.
        compile: whether `torch.compile` makes machine code of the network, in half a minute; needs a C++ compiler.
        deterministic: nothing is timed, and open choices mean `float32` without compiling: a run limited by steps is
            repeated bit for bit by any run of the same settings.
    """

    device: str = CPU
    precision: str | None = FLOAT32
    compile: bool | None = False
    deterministic: bool = False

    def __post_init__(self) -> None:
        """Refuses what no machine can do, and what contradicts itself."""
        if self.device not in (CPU, CUDA):
            raise ValueError(f"compute.device={self.device!r} is not allowed; allowed: {CPU}, {CUDA}")
        if self.precision not in (None, *PRECISIONS):
            raise ValueError(
                f"compute.precision={self.precision!r} is not allowed; allowed: null, {', '.join(PRECISIONS)}"
            )
        if self.deterministic and (self.precision == BFLOAT16 or self.compile or self.device == CUDA):
            chosen = (self.device, self.precision, self.compile)
            raise ValueError(
                f"compute.deterministic=True is not allowed with device, precision, compile={chosen}; allowed: with "
                f"{CPU}, {FLOAT32} and without compiling"
            )

    @property
    def is_open(self) -> bool:
        """Whether a choice is still to be made by timing."""
        return not self.deterministic and (self.precision is None or self.compile is None)
