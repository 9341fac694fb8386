"""From observations to actions with one network: the only place where network actions meet game actions.

The network knows N + 1 actions, the placements in reading order and end turn (never legal where turns end by
themselves); retractions do not exist for it: they add cycles and no power where the rules are deterministic and
everything is seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.neural.network import Judgement
from bitblossom_env.core.game import Setup

NO_ACTION = -1  # what ending a turn means in a game where nobody can


class Decisions(NamedTuple):
    """What the network chose in B positions."""

    actions: NDArray[np.int64]  # [B] network actions 0..N
    log_probs: NDArray[np.float32]  # [B] of the chosen actions, at temperature 1
    values: NDArray[np.float32]  # [B, P] expected returns, seats counted from the mover


class ActionMap:
    """Translates between the actions of one setup and those of the network."""

    def __init__(self, setup: Setup) -> None:
        self._can_end = setup.end_turn is not None
        self._game_actions = np.array([*setup.placements, setup.end_turn if self._can_end else NO_ACTION], np.int64)

    def mask(self, legal: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Returns bool [B, N + 1] for the game's masks int8 [B, A]; where turns end by themselves the last is False."""
        mask: NDArray[np.bool_] = legal[:, self._game_actions] != 0
        mask[:, -1] &= self._can_end
        return mask

    def game_actions(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns int64 [B], the game's actions for network actions [B]."""
        return self._game_actions[actions]


def choose(judgement: Judgement, rng: np.random.Generator, temperature: float = 1.0) -> Decisions:
    """Draws an action per position; temperature 0 takes the likeliest (the first among equals)."""
    log_probs = judgement.logits.log_softmax(1).numpy()  # float32 [B, N + 1]
    actions = draw_actions(log_probs, rng, temperature)
    chosen = np.take_along_axis(log_probs, actions[:, None], axis=1)[:, 0]
    return Decisions(actions, chosen, judgement.values.numpy())


def draw_actions(log_probs: NDArray[np.float32], rng: np.random.Generator, temperature: float) -> NDArray[np.int64]:
    """Returns int64 [...], an action for each distribution float32 [..., N + 1]; temperature 0 takes the likeliest."""
    if temperature == 0.0:
        return np.asarray(log_probs.argmax(-1), np.int64)
    # Adding Gumbel noise and taking the maximum draws from the distribution, one call for all positions.
    noise = rng.gumbel(size=log_probs.shape)
    return np.asarray((log_probs / temperature + noise).argmax(-1), np.int64)
