"""Values and advantages per seat.

Nothing here knows about plies: the decisions of a game may belong to any seats in any order, and whatever is booked
for a seat is booked in that seat's own column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.records import Results


def to_absolute(relative: NDArray[np.float64], movers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns [D, P] with column s for seat s, from columns that count seats from the mover [D]."""
    seats = np.arange(relative.shape[1])
    return np.take_along_axis(relative, (seats - movers[:, None]) % relative.shape[1], axis=1)


def to_relative(absolute: NDArray[np.float64], movers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns [D, P] with column k for the k-th seat after the mover [D], from columns by seat."""
    seats = np.arange(absolute.shape[1])
    return np.take_along_axis(absolute, (seats + movers[:, None]) % absolute.shape[1], axis=1)


def game_advantages(values: NDArray[np.float64], final: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
    """Returns the advantages [T, P] of every seat at every decision of one game.

    Generalised advantage estimation with discount 1 and no reward before the end. `values` [T, P] are the judgements
    at the decisions, `final` [P] the returns: the value after the last decision, whoever made it.
    """
    advantages = np.empty_like(values)
    later = np.zeros_like(final)
    after = final
    for t in reversed(range(len(values))):
        later = after - values[t] + decay * later
        advantages[t] = later
        after = values[t]
    return advantages


def all_advantages(
    values: NDArray[np.float64], finals: NDArray[np.float64], games: NDArray[np.int64], decay: float
) -> NDArray[np.float64]:
    """Returns [D, P] for decisions sorted by game; `values` [D, P], `finals` [G, P] and the result are by seat."""
    bounds = np.searchsorted(games, np.arange(len(finals) + 1))
    advantages = np.empty_like(values)
    for game, final in enumerate(finals):
        rows = slice(bounds[game], bounds[game + 1])
        advantages[rows] = game_advantages(values[rows], final, decay)
    return advantages


def shaped_returns(results: Results, area_reward: float) -> NDArray[np.float64]:
    """Returns [G, P]: the game's own returns, mixed with `area_reward` parts of area; zero-sum as both are."""
    num_seats = results.areas.shape[1]
    others = (results.areas.sum(1, keepdims=True) - results.areas) / max(1, num_seats - 1)
    shaped: NDArray[np.float64] = (1.0 - area_reward) * results.returns + area_reward * (results.areas - others)
    return shaped
