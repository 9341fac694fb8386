"""Intervals by resampling blocks, line-up by line-up.

Games of one block share their start and their line-up, so they are not independent; what is drawn again is whole
blocks. How many blocks each line-up plays is part of the schedule and no chance, so blocks are drawn again among those
of their own line-up, their *stratum*.

Dimension letters: B blocks, R resamples.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

Interval = tuple[float, float]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEVELS = (0.025, 0.975)  # ends of a 95 % interval
NUM_RESAMPLES = 2000
_NOTHING = 1e-9  # sums of shares that differ by less are equal but for rounding


def number_strata(labels: Sequence[Hashable]) -> Ints:
    """Returns int64 [B], the number of the stratum of each block; equal `labels` mean the same stratum.

    One block alone says nothing about its spread, so all line-ups with a single block form one stratum; if even that
    holds one block, it joins the first of the others.
    """
    numbers: dict[Hashable, int] = {}
    strata = np.array([numbers.setdefault(label, len(numbers)) for label in labels], np.int64)
    is_lonely = np.bincount(strata, minlength=1)[strata] == 1
    others = strata[~is_lonely]
    strata[is_lonely] = len(numbers) if is_lonely.sum() > 1 or not len(others) else others[0]
    return np.unique(strata, return_inverse=True)[1].astype(np.int64)


def draw_weights(strata: Ints, rng: np.random.Generator, num_resamples: int, counts: Ints | None = None) -> Floats:
    """Returns float64 [R, B]: how much each block counts in each resample, 1 on average.

    n - 1 of the n blocks of a stratum are drawn with replacement and count n / (n - 1) each: drawing n of n would show
    less spread than there is, the more so the fewer blocks a line-up has (Rao and Wu, Resampling inference with complex
    survey data, 1988). With `counts` int64 [B] each entry stands for that many equal blocks.
    """
    counts = np.ones(len(strata), np.int64) if counts is None else counts
    weights = np.broadcast_to(counts.astype(np.float64), (num_resamples, len(strata))).copy()
    for stratum in range(strata.max(initial=-1) + 1):
        members = np.flatnonzero(strata == stratum)
        size = counts[members].sum()
        if size > 1:
            drawn = rng.multinomial(size - 1, counts[members] / size, size=num_resamples)  # [R, n]
            weights[:, members] = drawn * (size / (size - 1))
    return weights


def ratio_interval(parts: Floats, wholes: Floats, strata: Ints, rng: np.random.Generator) -> Interval:
    """Returns the 95 % interval of sum(parts) / sum(wholes), both float64 [B], for a ratio in 0..1.

    Resampled ratios are read off at levels corrected for bias and skew (Efron, Better bootstrap confidence intervals,
    1987): near 0 and 1 the plain levels miss the truth on one side. The levels are those of Student's t, since few
    blocks tell little about their own spread. Where the blocks of each stratum are all alike, resampling sees no
    spread; Wilson's interval takes its place, with blocks for trials.
    """
    ratio = parts.sum() / wholes.sum()
    influence = centre(parts - ratio * wholes, strata)
    if np.abs(influence).max() < _NOTHING:
        return wilson_interval(float(ratio), len(parts))
    resampled = np.sort(resample_ratio(parts, wholes, strata, rng))
    below = np.searchsorted(resampled, ratio - _NOTHING) + np.searchsorted(resampled, ratio + _NOTHING)
    bias = ndtri(np.clip(below / (2 * NUM_RESAMPLES), 1 / NUM_RESAMPLES, 1 - 1 / NUM_RESAMPLES))
    skew = (influence**3).sum() / (6.0 * (influence**2).sum() ** 1.5)
    freedom = len(parts) - (strata.max() + 1)
    shifted = bias + stdtrit(freedom, np.array(LEVELS))
    low, high = np.quantile(resampled, ndtr(bias + shifted / (1.0 - skew * shifted)))
    return float(low), float(high)


def resample_ratio(parts: Floats, wholes: Floats, strata: Ints, rng: np.random.Generator) -> Floats:
    """Returns float64 [R], the ratio in each resample."""
    # Many blocks are alike (won, lost, shared): drawing how often each kind comes is the same and a lot faster.
    kinds, counts = np.unique(np.stack([strata, parts, wholes], axis=1), axis=0, return_counts=True)
    weights = draw_weights(kinds[:, 0].astype(np.int64), rng, NUM_RESAMPLES, counts)
    totals = weights @ kinds[:, 1:]
    return np.asarray(totals[:, 0] / totals[:, 1])


def centre(values: Floats, strata: Ints) -> Floats:
    """Returns `values` float64 [B] less the mean of their stratum."""
    means = np.bincount(strata, values) / np.bincount(strata)
    return np.asarray(values - means[strata])


def wilson_interval(share: float, num_trials: int) -> Interval:
    """Returns Wilson's 95 % score interval of a share seen in `num_trials` trials."""
    quantile = float(ndtri(LEVELS[1]))
    spread = quantile**2 / num_trials
    middle = (share + spread / 2) / (1 + spread)
    half_width = float(np.sqrt(spread * (share * (1 - share) + spread / 4))) / (1 + spread)
    return max(0.0, middle - half_width), min(1.0, middle + half_width)
