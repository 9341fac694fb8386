"""The workers of a run, as the trainer sees them."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from agents.neural.config import CUDA
from training.backends.base import Backend
from training.config import TrainConfig
from training.gradients import Gradient, GradientJob
from training.records import Job, Rollout, merge

# A string each, so that only the backend in use loads its libraries.
BACKENDS = {
    "serial": "training.backends.serial:SerialBackend",
    "process": "training.backends.process:ProcessBackend",
    "ray": "training.backends.ray_actors:RayBackend",
}


class Workers:
    """`num_workers` workers; use it as a context, so that none outlives the run."""

    def __init__(self, config: TrainConfig) -> None:
        self.num_workers = config.rollout.workers
        self.num_learners = 1 if config.compute.device == CUDA else self.num_workers  # that share a gradient step
        module_name, attribute = BACKENDS[config.backend.kind].split(":")
        try:
            make = getattr(importlib.import_module(module_name), attribute)
        except ModuleNotFoundError as error:
            raise ValueError(f"backend.kind={config.backend.kind!r}: {error}; allowed: pip install it first") from error
        self._backend: Backend = make(config)

    def play(self, jobs: Sequence[Job]) -> Rollout:
        """Plays one job per worker and returns all games in the order of jobs."""
        return merge(self._backend.play(jobs))

    def gradients(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Computes one gradient per worker, in the order of jobs; there may be fewer jobs than workers."""
        return self._backend.differentiate(jobs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._backend.__exit__(kind, error, trace)
