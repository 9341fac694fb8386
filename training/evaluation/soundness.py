"""Where one number per agent does not tell the whole story: cycles, and agents that no games link.

Dimension letter: N agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.special import stdtr

from training.evaluation.resampling import centre, number_strata
from training.evaluation.tally import Tally

Bools = NDArray[np.bool_]

DOUBT = 0.05  # chance with which equal agents may be said to beat each other, all pairs in question together
NO_SPREAD = 1e-9  # squares of differences that are equal but for rounding
MANY_COPIES = 0.1  # share of repeated blocks from which on it is said


def find_warnings(names: Sequence[str], tally: Tally) -> list[str]:
    """Returns a line for each thing that makes the numbers say less than they seem to."""
    warnings = []
    if tally.num_blocks - tally.num_observations > MANY_COPIES * tally.num_blocks:
        warnings.append(
            f"only {tally.num_observations} of {tally.num_blocks} blocks are different, and copies tell nothing new: "
            "let starts differ more, with --random_turns"
        )
    groups = find_groups(tally.matrix + tally.matrix.T > 0, "weak")
    if len(groups) > 1:
        warnings.append(
            f"no games link {' and '.join(listed(group, names) for group in groups)}: ratings compare agents within "
            "each of these groups only"
        )
    for cycle in find_groups(find_beaten(tally), "strong"):
        if len(cycle) > 1:
            warnings.append(
                f"{listed(cycle, names)} beat each other in a circle: ratings cannot tell who wins, see the matrix"
            )
    return warnings


def listed(group: Sequence[int], names: Sequence[str]) -> str:
    """Returns the names of a group in brackets."""
    return f"({', '.join(names[agent] for agent in group)})"


def find_groups(links: Bools, connection: str) -> list[list[int]]:
    """Returns the components of the graph `links` bool [N, N], each ascending; strong ones hold all cycles."""
    num_groups, labels = connected_components(links, directed=True, connection=connection)
    groups = [np.flatnonzero(labels == label).tolist() for label in range(num_groups)]
    return sorted(groups)


def find_beaten(tally: Tally) -> Bools:
    """Returns bool [N, N]: whether i came before j in more than half of their pairs, beyond doubt.

    Only pairs that may be part of a circle are in question. Of many pairs some look decided by chance, so the more
    there are the less doubt each may leave (Holm, A simple sequentially rejective multiple test procedure, 1979).
    """
    matrix = tally.matrix
    ahead = matrix > matrix.T
    suspects = [group for group in find_groups(ahead, "strong") if len(group) > 1]
    pairs = [pair for group in suspects for pair in combinations(group, 2) if matrix[pair] != matrix[pair[::-1]]]
    decided = [pair if ahead[pair] else pair[::-1] for pair in pairs]
    chances = np.array([chance_of_lead(tally, *pair) for pair in decided])
    beaten = np.zeros(matrix.shape, np.bool_)
    for rank, place in enumerate(np.argsort(chances, kind="stable")):
        if 2 * chances[place] > DOUBT / (len(decided) - rank):  # either of the two might have been ahead
            break
        beaten[decided[place]] = True
    return beaten


def chance_of_lead(tally: Tally, winner: int, loser: int) -> float:
    """Returns how likely equal agents would show such a lead of `winner` over `loser`, by Student's t."""
    won, lost = tally.pairs_won(winner, loser), tally.pairs_won(loser, winner)
    met = won + lost > 0
    leads, strata = (won - lost)[met], number_strata(tally.strata[met].tolist())
    sizes = np.bincount(strata)[strata]
    spread = (centre(leads, strata) ** 2 * sizes / np.maximum(sizes - 1, 1)).sum()
    freedom = len(leads) - (strata.max() + 1)
    if spread < NO_SPREAD:  # all alike: as likely as one side of a coin so often in a row
        return float(0.5 ** len(leads))
    return float(stdtr(freedom, -leads.sum() / np.sqrt(spread)))
