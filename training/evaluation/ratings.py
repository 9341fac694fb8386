"""Bradley-Terry ratings by maximum likelihood, with intervals.

Dimension letters: N agents, R resamples. A game is taken apart into its pairs of seats: in each, one came before the
other, or both came out equal, which counts half a win each way.
"""

from __future__ import annotations

import math

import choix
import numpy as np

from training.evaluation.resampling import LEVELS, Floats, Interval, draw_weights
from training.evaluation.tally import Tally

ELO_PER_UNIT = 400.0 / math.log(10.0)  # rating points per unit of log-odds: 400 points are odds of 10 to 1
NUM_RATING_RESAMPLES = 300
# One virtual draw for each agent, shared out among its opponents: keeps ratings finite for agents that never lost or
# never met, and weighs no more where there are many agents.
_PRIOR_WINS = 0.5
# The virtual draws are redrawn in each resample (gamma, as Jeffreys' prior spreads it), so that the interval of an
# unbeaten agent is wide upward. The floor, shared out likewise, keeps the fit well conditioned.
_PRIOR_FLOOR = 0.005


def fit_ratings(pair_wins: Floats, prior: Floats | None = None) -> Floats:
    """Returns float64 [N]: maximum-likelihood Bradley-Terry ratings of mean 0 in Elo points.

    `pair_wins` float64 [N, N] may hold fractions; `prior` float64 [N, N] are virtual wins added to it, by
    default one draw for each agent, shared out among all others.
    """
    virtual = np.full(pair_wins.shape, prior_wins(len(pair_wins))) if prior is None else prior
    wins = pair_wins + virtual
    np.fill_diagonal(wins, 0.0)
    strengths = choix.ilsr_pairwise_dense(wins, alpha=0.0, max_iter=10_000)
    return np.asarray(strengths - strengths.mean()) * ELO_PER_UNIT


def prior_wins(num_agents: int) -> float:
    """Returns the virtual wins of one agent over one other."""
    return _PRIOR_WINS / max(num_agents - 1, 1)


def anchor_ratings(ratings: Floats, anchor: int | None) -> Floats:
    """Returns `ratings` [..., N] shifted so that agent `anchor` has 0; without an anchor as they are."""
    return ratings if anchor is None else np.asarray(ratings - ratings[..., [anchor]])


def rating_intervals(tally: Tally, anchor: int | None, rng: np.random.Generator) -> list[Interval]:
    """Returns a 95 % interval per agent by resampling blocks; each resample is anchored by itself."""
    num_agents = tally.seat_games.shape[1]
    weights = draw_weights(tally.strata, rng, NUM_RATING_RESAMPLES)  # [R, B]
    # Copies of games outweigh the virtual draws no more than the games themselves would.
    weights *= (np.bincount(tally.strata) / np.bincount(tally.strata, tally.copies))[tally.strata]
    resampled = (tally.pair_wins.T @ weights.T).T.reshape(-1, num_agents, num_agents)  # [R, N, N]
    ratings = np.empty((NUM_RATING_RESAMPLES, num_agents))
    for row, pair_wins in enumerate(resampled):
        # Both ways of all pairs of an agent together spread as those of two agents do.
        spread = rng.gamma(prior_wins(num_agents), size=(num_agents, num_agents))
        prior = np.maximum(spread, _PRIOR_FLOOR / (num_agents - 1))
        ratings[row] = fit_ratings(pair_wins, prior)
    low, high = np.quantile(anchor_ratings(ratings, anchor), LEVELS, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))
