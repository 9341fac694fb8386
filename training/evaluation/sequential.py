"""A sequential test between two agents: stops as soon as the blocks played tell which of two rating gaps it is.

Each block gives one score x in 0..1, the share of seat pairs that the first agent won. If scores were single games, won
or lost, the log-likelihood ratio of the mean score s1 against s0 after n blocks would be

    sum of x log(s1 / s0) + (1 - x) log((1 - s1) / (1 - s0)).

For scores anywhere between 0 and 1 its exponential is still worth no more than 1 on average where the mean is s0, so it
exceeds 1 / alpha with a chance of alpha at most, however long one waits (Ville); only it waits too long, since blocks
of several games scatter less than single games. So it is divided by the dispersion, the variance of the scores beside
that of single games, at most 1, as in quasi-likelihood (Wedderburn, 1974). The dispersion is estimated on the way; it
begins with some blocks' worth of 1, so that a few equal blocks decide nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from training.evaluation.resampling import Floats

MAX_GAP = 2000.0  # rating points, odds of 100,000 to 1
_PRIOR_BLOCKS = 10  # as many blocks as the first guess of the dispersion, 1, counts for
UNDECIDED, NO_BETTER, BETTER = "undecided", "H0 accepted", "H1 accepted"


def expected_score(gap: float) -> float:
    """Returns the expected share of seat pairs won by an agent that is `gap` rating points better."""
    return 1.0 / (1.0 + 10.0 ** (-gap / 400.0))


@dataclass(frozen=True)
class Verdict:
    """What a sequential test says; the fields are keys of the JSON report."""

    decision: str
    lo: float  # H0: the first agent is that many rating points better
    hi: float  # H1
    alpha: float
    beta: float
    log_likelihood_ratio: float  # of H1 against H0
    lower: float  # bound at which H0 is accepted
    upper: float  # bound at which H1 is accepted
    blocks: int  # with which it was decided, or all

    @property
    def is_decided(self) -> bool:
        """Whether no more blocks are needed."""
        return self.decision != UNDECIDED


@dataclass(frozen=True)
class SequentialTest:
    """H0 "`lo` rating points better" against H1 "`hi` points better".

    Below `lo` H1 is accepted with a chance of `alpha` at most, above `hi` H0 with `beta` at most.
    """

    lo: float
    hi: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raises `ValueError` for what is no test."""
        if not -MAX_GAP <= self.lo < self.hi <= MAX_GAP:
            raise ValueError(
                f"sprt={self.lo:g} {self.hi:g} is no test; allowed: LO below HI, in {-MAX_GAP:g}..{MAX_GAP:g} points"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name}={getattr(self, name)} is out of range; allowed: above 0, below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta), -math.log(self.alpha)

    @property
    def min_blocks(self) -> int:
        """Blocks before which nothing is decided.

        An even coin shows one side so often in a row with a chance of `alpha` and `beta` at most. Gaps far apart would
        else be told apart by a block or two, that is, by one start.
        """
        return math.ceil(-math.log2(min(self.alpha, self.beta)))

    def ratios(self, scores: Floats) -> Floats:
        """Returns float64 [B], the log-likelihood ratio after each of the blocks with `scores` float64 [B] in 0..1."""
        low, high = expected_score(self.lo), expected_score(self.hi)
        numbers = np.arange(1, len(scores) + 1)
        won = np.cumsum(scores)
        mean = won / numbers
        spread = np.maximum(np.cumsum(scores**2) - won * mean, 0.0)  # n times the variance; rounding may go below 0
        single = mean * (1 - mean)  # variance of single games with that mean; 0 where all were won, or all lost
        most = np.where(single > 0, (numbers + _PRIOR_BLOCKS) * single, 1.0)
        dispersion = np.where(single > 0, np.minimum((spread + _PRIOR_BLOCKS * single) / most, 1.0), 1.0)
        ratios = won * math.log(high / low) + (numbers - won) * math.log((1 - high) / (1 - low))
        return np.asarray(ratios / dispersion)

    def judge(self, scores: Floats) -> Verdict:
        """Returns the verdict on blocks with `scores` float64 [B], in their order; the first bound crossed decides."""
        lower, upper = self.bounds
        ratios = self.ratios(scores)
        is_crossed = (ratios <= lower) | (ratios >= upper)
        is_crossed[: self.min_blocks - 1] = False
        blocks = int(is_crossed.argmax()) + 1 if is_crossed.any() else len(scores)
        ratio = float(ratios[blocks - 1]) if blocks else 0.0
        decision = (BETTER if ratio >= upper else NO_BETTER) if is_crossed.any() else UNDECIDED
        return Verdict(
            decision=decision,
            lo=self.lo,
            hi=self.hi,
            alpha=self.alpha,
            beta=self.beta,
            log_likelihood_ratio=round(ratio, 6) + 0.0,
            lower=round(lower, 6),
            upper=round(upper, 6),
            blocks=blocks,
        )
