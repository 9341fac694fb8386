"""The one interface through which training, evaluation and play see an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from bitblossom_env.core.game import Game


class Agent(Protocol):
    """A player: asked for one action at a time, for any seat of any game, in any order.

    An agent keeps nothing from one call to the next that could change its play, so that games may be
    played in any order and side by side; all chance comes from the generator that it is given.
    """

    @property
    def name(self) -> str:
        """The spec that makes this agent."""

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal action for `seat`, the seat to move; never changes `game`, works on clones only."""


@runtime_checkable
class ActsTogether(Protocol):
    """An agent that is quicker when asked for many games at once, as networks are."""

    def act_many(self, games: Sequence[Game], seats: Sequence[int], rngs: Sequence[np.random.Generator]) -> list[int]:
        """Returns what `act` would for each game, its seat and its generator.

        Rounding may depend on which games are asked for together; so may, now and then, an action.
        """


@runtime_checkable
class Explains(Protocol):
    """An agent that can say why it plays what it plays; all agents of this package can."""

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns lines on what `act` would play with a generator in this state, and why; `rng` stays as it is.

        The first line is that of `announcement`.
        """


def announcement(name: str, action: str) -> str:
    """Returns the line that an explanation begins with; `action` as `describe_action` has it."""
    return f"{name} plays {action}."


def check_options(name: str, options: Mapping[str, str], allowed: Sequence[str]) -> None:
    """Raises `ValueError` if a spec of the agent called `name` has an option that is not in `allowed`."""
    unknown = sorted(set(options) - set(allowed))
    if unknown:
        choices = ", ".join(allowed) or "none"
        raise ValueError(f"agent {name!r} has no option {unknown[0]!r}; allowed: {choices}")


def check_bare(name: str, argument: str, options: Mapping[str, str]) -> None:
    """Raises `ValueError` if a spec of the agent called `name`, which takes neither, has an argument or an option."""
    if argument:
        raise ValueError(f"agent {name!r} has no argument {argument!r}; allowed: {name}")
    check_options(name, options, ())
