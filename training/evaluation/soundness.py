"""Where one number per agent does not tell the whole story: cycles, and agents that no games link.

Dimension letter: N agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from training.evaluation.resampling import number_strata, ratio_interval
from training.evaluation.schedule import RESAMPLING_STREAM, make_rng
from training.evaluation.tally import Tally

Bools = NDArray[np.bool_]


def find_warnings(names: Sequence[str], tally: Tally, seed: int) -> list[str]:
    """Returns a line for each thing that makes ratings say less than they seem to; `seed` draws resamples."""
    warnings = []
    groups = find_groups(tally.matrix + tally.matrix.T > 0, "weak")
    if len(groups) > 1:
        warnings.append(
            f"no games link {' and '.join(listed(group, names) for group in groups)}: ratings compare agents within "
            "each of these groups only"
        )
    for cycle in find_groups(find_beaten(tally, seed), "strong"):
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


def find_beaten(tally: Tally, seed: int) -> Bools:
    """Returns bool [N, N]: whether i came before j in more than half of their pairs, beyond doubt (95 %)."""
    matrix = tally.matrix
    ahead = matrix > matrix.T
    # Only a circle among them needs a closer look, and most tables have none.
    suspects = [group for group in find_groups(ahead, "strong") if len(group) > 1]
    beaten = np.zeros(matrix.shape, np.bool_)
    for group in suspects:
        for first, second in combinations(group, 2):
            winner, loser = (first, second) if ahead[first, second] else (second, first)
            beaten[winner, loser] = ahead[winner, loser] and is_beyond_doubt(tally, winner, loser, seed)
    return beaten


def is_beyond_doubt(tally: Tally, winner: int, loser: int, seed: int) -> bool:
    """Returns whether the interval of the share of pairs that `winner` won against `loser` lies above one half."""
    won, lost = tally.pairs_won(winner, loser), tally.pairs_won(loser, winner)
    met = won + lost > 0
    rng = make_rng(seed, RESAMPLING_STREAM)
    low, _ = ratio_interval(won[met], (won + lost)[met], number_strata(tally.strata[met].tolist()), rng)
    return low > 0.5
