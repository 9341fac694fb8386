"""Win shares and Bradley-Terry ratings with intervals, from the results of whole blocks.

Dimension letters: N agents, B blocks, R resamples. Games of one block share their start and their line-up, so
they are not independent; every interval is therefore a bootstrap over blocks, never over games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import choix
import numpy as np
from numpy.typing import NDArray

from training.evaluation.arena import GameResult

Interval = tuple[float, float]
Floats = NDArray[np.float64]

ELO_PER_UNIT = 400.0 / math.log(10.0)  # rating points per unit of log-odds: 400 points are odds of 10 to 1
NUM_SHARE_RESAMPLES = 2000
NUM_RATING_RESAMPLES = 300
_LEVELS = (2.5, 97.5)  # percentiles of a 95 % interval
_NORMAL_QUANTILE = 1.959964  # of the same 95 %
# One virtual draw between every two agents: keeps ratings finite for agents that never lost or never met.
_PRIOR_WINS = 0.5
# The virtual draw is redrawn in each resample (gamma with mean 1/2, as Jeffreys' prior spreads it), so that
# the interval of an unbeaten agent is wide upward. The floor keeps the fit well conditioned.
_PRIOR_FLOOR = 0.005
_CHUNK = 100  # resamples weighed at once: bounds memory for long evaluations


@dataclass(frozen=True)
class Tally:
    """Sums per block, the unit of resampling."""

    seat_games: Floats  # float64 [B, N]
    shares: Floats  # float64 [B, N], a win shared by w seats counts 1/w for each
    pair_wins: Floats  # float64 [B, N, N], seat pairs in which i came before j, ties half


def tally_blocks(blocks: Sequence[Sequence[GameResult]], num_agents: int) -> Tally:
    """Returns the sums of each block."""
    seat_games = np.zeros((len(blocks), num_agents))
    shares = np.zeros((len(blocks), num_agents))
    pair_wins = np.zeros((len(blocks), num_agents, num_agents))
    for index, results in enumerate(blocks):
        for result in results:
            np.add.at(seat_games[index], list(result.seating), 1.0)
            winners = [result.seating[seat] for seat in result.winners]
            np.add.at(shares[index], winners, 1.0 / len(winners))
            add_pair_wins(result, pair_wins[index])
    return Tally(seat_games, shares, pair_wins)


def add_pair_wins(result: GameResult, pair_wins: Floats) -> None:
    """Adds the pairs of seats that different agents hold to `pair_wins` float64 [N, N], ties by halves."""
    for (first, rank), (second, other) in combinations(zip(result.seating, result.ranks, strict=True), 2):
        if first == second:
            continue
        first_wins = 0.5 * (1.0 + np.sign(other - rank))  # the lower rank is the better one
        pair_wins[first, second] += first_wins
        pair_wins[second, first] += 1.0 - first_wins


def fit_ratings(pair_wins: Floats, prior: Floats | None = None) -> Floats:
    """Returns float64 [N]: maximum-likelihood Bradley-Terry ratings of mean 0 in Elo points.

    `pair_wins` float64 [N, N] may hold fractions; `prior` float64 [N, N] are virtual wins added to it, by
    default one draw for each two agents.
    """
    virtual = np.full(pair_wins.shape, _PRIOR_WINS) if prior is None else prior
    wins = pair_wins + virtual
    np.fill_diagonal(wins, 0.0)
    strengths = choix.ilsr_pairwise_dense(wins, alpha=0.0, max_iter=10_000)
    return np.asarray(strengths - strengths.mean()) * ELO_PER_UNIT


def anchor_ratings(ratings: Floats, anchor: int | None) -> Floats:
    """Returns `ratings` [..., N] shifted so that agent `anchor` has 0; without an anchor as they are."""
    return ratings if anchor is None else np.asarray(ratings - ratings[..., [anchor]])


def rating_intervals(tally: Tally, anchor: int | None, rng: np.random.Generator) -> list[Interval]:
    """Returns a 95 % interval per agent by resampling blocks; each resample is anchored by itself."""
    num_blocks, num_agents = tally.seat_games.shape
    flat_wins = tally.pair_wins.reshape(num_blocks, -1)  # [B, N*N]
    ratings = np.empty((NUM_RATING_RESAMPLES, num_agents))
    for row in range(NUM_RATING_RESAMPLES):
        weights = rng.multinomial(num_blocks, np.full(num_blocks, 1.0 / num_blocks))  # [B]
        prior = np.maximum(rng.gamma(_PRIOR_WINS, size=(num_agents, num_agents)), _PRIOR_FLOOR)
        ratings[row] = fit_ratings((weights @ flat_wins).reshape(num_agents, num_agents), prior)
    low, high = np.percentile(anchor_ratings(ratings, anchor), _LEVELS, axis=0)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def share_interval(shares: Floats, seat_games: Floats, rng: np.random.Generator) -> Interval:
    """Returns the 95 % interval of sum(shares) / sum(seat_games), both float64 [B], by resampling blocks.

    Where every block has the same share, resampling sees no spread at all; that says little after few blocks,
    so Wilson's interval takes its place, with blocks for trials.
    """
    per_block = shares / seat_games
    if np.ptp(per_block) < 1e-12:
        return wilson_interval(float(per_block[0]), len(per_block))
    num_blocks = len(shares)
    sums = np.stack([shares, seat_games], axis=1)  # [B, 2]
    resampled = []
    for _ in range(0, NUM_SHARE_RESAMPLES, _CHUNK):
        weights = rng.multinomial(num_blocks, np.full(num_blocks, 1.0 / num_blocks), size=_CHUNK)  # [chunk, B]
        resampled.append(weights @ sums)  # [chunk, 2]
    totals = np.concatenate(resampled)  # [R, 2]
    low, high = np.percentile(totals[:, 0] / totals[:, 1], _LEVELS)
    return float(low), float(high)


def wilson_interval(share: float, num_trials: int) -> Interval:
    """Returns Wilson's 95 % score interval of a share seen in `num_trials` trials."""
    spread = _NORMAL_QUANTILE**2 / num_trials
    centre = (share + spread / 2) / (1 + spread)
    half_width = np.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, float(centre - half_width)), min(1.0, float(centre + half_width))
