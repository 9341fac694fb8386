"""Workers on the machines of a Ray cluster (extra `ray`): joining it, and a group of actors that answer messages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, Self

import ray
from ray.exceptions import RayActorError, RayTaskError

from training.processes import EXPECTED, Answering

MAX_DEATHS = 5  # of actors in a row with one message; then it is not the machines
log = logging.getLogger(__name__)


def join_cluster(address: str | None, num_actors: int) -> bool:
    """Joins the cluster at `address`, or starts Ray on this machine for None; returns whether it is ours to end.

    Raises:
        ValueError: there are fewer cores than actors: those without one would wait for ever.
    """
    is_ours = not ray.is_initialized()
    if is_ours:
        settings = {"address": address} if address else {"num_cpus": num_actors, "include_dashboard": False}
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **settings)
    num_cpus = int(ray.cluster_resources().get("CPU", 0))
    if num_cpus < num_actors:
        raise ValueError(
            f"{num_actors} workers are too many for the Ray cluster; allowed: up to {num_cpus}, one a core"
        )
    return is_ours


class _Actor:
    """A worker on some machine."""

    def __init__(self, make_worker: Callable[[Any], Answering], argument: Any) -> None:
        self._worker = make_worker(argument)

    def answer(self, message: Any) -> Any:
        return self._worker.answer(message)


class RayGroup:
    """The same as a `ProcessGroup`, on a cluster: one actor for each name, one core each.

    An actor that dies, or whose machine does, is replaced, and its message is answered by its successor.
    """

    def __init__(
        self, make_worker: Callable[[Any], Answering], argument: Any, names: Sequence[str], address: str | None
    ) -> None:
        self._is_ours = join_cluster(address, len(names))
        self._made_of = ray.put((make_worker, argument))
        self._names = list(names)
        self._actors = [self._new_actor() for _ in names]
        self._messages: list[Any] = [None] * len(names)
        self._waiting: dict[int, Any] = {}  # the answers to come, by actor

    def send(self, index: int, message: Any) -> None:
        """Gives `message` to actor `index`."""
        self._messages[index] = message
        self._waiting[index] = self._actors[index].answer.remote(message)

    def wait(self) -> list[int]:
        """Waits until an actor has something to tell and returns all that have, ascending."""
        ready, _ = ray.wait(list(self._waiting.values()), num_returns=1)
        return [index for index, answer in sorted(self._waiting.items()) if answer in ready]

    def receive(self, index: int) -> Any:
        """Waits for the answer of actor `index`, or of its successors, and returns it."""
        for _ in range(MAX_DEATHS):
            try:
                answer = ray.get(self._waiting.pop(index))
            except RayActorError as error:
                log.warning("%s has died and is replaced: %s", self._names[index], str(error).splitlines()[0])
                self._actors[index] = self._new_actor()
                self.send(index, self._messages[index])
            except RayTaskError as error:
                kind = type(error.cause) if isinstance(error.cause, EXPECTED) else RuntimeError
                raise kind(f"{self._names[index]} failed: {error.cause}") from error
            else:
                return answer
        raise RuntimeError(f"{self._names[index]} has died {MAX_DEATHS} times with the same message")

    def _new_actor(self) -> Any:
        make_worker, argument = ray.get(self._made_of)
        return ray.remote(num_cpus=1)(_Actor).remote(make_worker, argument)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Ends the actors, and Ray itself where it was started here."""
        for actor in self._actors:
            ray.kill(actor)
        if self._is_ours:
            ray.shutdown()
