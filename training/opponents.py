"""Who sits where: past selves frozen for good, and the plan of every game of an update."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.config import OpponentConfig, RolloutConfig

LATEST = "latest"  # the network that is learning
PAST = "past"  # name of every past self in reports

Weights = dict[str, NDArray[np.float32]]


def copy_weights(network: torch.nn.Module) -> Weights:
    """Returns a deep copy of the parameters of `network`; later training cannot reach it."""
    return {name: tensor.detach().numpy().copy() for name, tensor in network.state_dict().items()}


def hash_weights(weights: Weights) -> str:
    """Returns the SHA-256 of names and numbers, in order of name."""
    digest = hashlib.sha256()
    for name in sorted(weights):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(weights[name]).tobytes())
    return digest.hexdigest()


@dataclass(frozen=True)
class Frozen:
    """A past self that never changes again."""

    env_steps: int  # age of the run when it was frozen
    weights: Weights
    sha256: str  # of the weights at that moment

    @property
    def name(self) -> str:
        """The name under which plans seat it."""
        return f"{PAST}@{self.env_steps}"

    def checked(self) -> Weights:
        """Returns the weights after comparing them with their hash."""
        if hash_weights(self.weights) != self.sha256:
            raise RuntimeError(f"opponent {self.name} has changed since it was frozen; a past self must never learn")
        return self.weights


class Pool:
    """Past selves, in the order of their age."""

    def __init__(self, size: int, members: Sequence[Frozen] = ()) -> None:
        self.size = size
        self.members = list(members)

    def freeze(self, network: torch.nn.Module, env_steps: int, rng: np.random.Generator) -> None:
        """Adds a deep copy of `network`; where the pool is full, a random member gives way."""
        weights = copy_weights(network)
        if len(self.members) >= self.size:
            del self.members[int(rng.integers(len(self.members)))]
        self.members.append(Frozen(env_steps, weights, hash_weights(weights)))

    def draw(self, count: int, rng: np.random.Generator) -> list[Frozen]:
        """Returns up to `count` different members, oldest first."""
        chosen = rng.choice(len(self.members), size=min(count, len(self.members)), replace=False)
        return [self.members[index] for index in sorted(chosen)]


@dataclass(frozen=True)
class GamePlan:
    """One game before it is played."""

    players: tuple[str, ...]  # per seat: LATEST, the name of a past self, or an agent spec
    random_turns: int  # turns of random stones before the players take over
    symmetry: int  # the view of the board under which networks see this game

    @property
    def opponents(self) -> tuple[str, ...]:
        """The players that do not learn."""
        return tuple(player for player in self.players if player != LATEST)


class Planner:
    """Draws games after the weights of a config."""

    def __init__(self, opponents: OpponentConfig, rollout: RolloutConfig, num_seats: int, num_symmetries: int) -> None:
        self._self_play_share = opponents.self_play_share
        self._past_weight = opponents.past_weight
        self._scripted = opponents.scripted_weights
        self._random_start_share = rollout.random_start_share
        self._max_random_turns = rollout.max_random_turns
        self._num_seats = num_seats
        self._num_symmetries = num_symmetries

    def plan(self, past: Sequence[Frozen], num_games: int, rng: np.random.Generator) -> list[GamePlan]:
        """Returns `num_games` plans whose past selves are drawn from `past`."""
        names = [*(frozen.name for frozen in past), *self._scripted]
        weights = np.array([*(self._past_weight / max(1, len(past)) for _ in past), *self._scripted.values()])
        return [self._plan_game(names, weights, rng) for _ in range(num_games)]

    def _plan_game(self, names: Sequence[str], weights: NDArray[np.float64], rng: np.random.Generator) -> GamePlan:
        players = [LATEST] * self._num_seats
        if rng.random() >= self._self_play_share:
            learner = int(rng.integers(self._num_seats))
            drawn = rng.choice(len(names), size=self._num_seats, p=weights / weights.sum())
            players = [LATEST if seat == learner else names[drawn[seat]] for seat in range(self._num_seats)]
        is_random_start = rng.random() < self._random_start_share
        random_turns = int(rng.integers(1, self._max_random_turns + 1)) if is_random_start else 0
        return GamePlan(tuple(players), random_turns, int(rng.integers(self._num_symmetries)))
