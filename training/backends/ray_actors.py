"""Workers on many machines, as actors of Ray; gradients are computed here, where the weights are.

An actor that dies, or whose machine does, is replaced, and its job is played again: games hang on their job alone, so
nothing shows of it in the results.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import ray
from ray.exceptions import RayActorError

from training.backends.base import Worker
from training.config import TrainConfig
from training.gradients import Gradient, GradientJob
from training.opponents import Weights
from training.ray_cluster import MAX_DEATHS, join_cluster
from training.records import Job, Rollout

log = logging.getLogger(__name__)


class Actor:
    """A worker on some machine."""

    def __init__(self, config: TrainConfig) -> None:
        self._worker = Worker(config)

    def play(self, job: Job, weights: Weights, past: dict[str, Weights]) -> Rollout:
        """Plays the games of a job whose weights come from the object store, one copy a machine."""
        return self._worker.play(replace(job, weights=weights, past=past))


class RayBackend:
    """One actor for each worker; starts a local Ray where the config names no cluster."""

    def __init__(self, config: TrainConfig) -> None:
        self._config = config
        self._is_ours = join_cluster(config.backend.address, config.rollout.workers)
        self._learner = Worker(config)
        self._actors = [self._new_actor() for _ in range(config.rollout.workers)]

    def play(self, jobs: Sequence[Job]) -> list[Rollout]:
        """Plays all jobs at the same time."""
        weights, past = ray.put(jobs[0].weights), ray.put(jobs[0].past)
        bare = [replace(job, weights={}, past={}) for job in jobs]
        waiting = [self._actors[index].play.remote(job, weights, past) for index, job in enumerate(bare)]
        return [self._result(index, bare[index], waiting[index], (weights, past)) for index in range(len(jobs))]

    def differentiate(self, jobs: Sequence[GradientJob]) -> list[Gradient]:
        """Computes the gradients one after the other: sending decisions around would take longer."""
        return [self._learner.differentiate(job) for job in jobs]

    def _result(self, index: int, job: Job, waiting: Any, stored: tuple[Any, Any]) -> Rollout:
        """Returns what actor `index` has played; where it has died, what its successor plays."""
        for _ in range(MAX_DEATHS):
            try:
                rollout: Rollout = ray.get(waiting)
            except RayActorError as error:
                log.warning("worker %d has died and is replaced: %s", index, str(error).splitlines()[0])
                self._actors[index] = self._new_actor()
                waiting = self._actors[index].play.remote(job, *stored)
            else:
                return rollout
        raise RuntimeError(f"worker {index} has died {MAX_DEATHS} times with the same job")

    def _new_actor(self) -> Any:
        return ray.remote(num_cpus=1)(Actor).remote(self._config)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Ends the actors, and Ray itself where it was started here."""
        for actor in self._actors:
            ray.kill(actor)
        if self._is_ours:
            ray.shutdown()
