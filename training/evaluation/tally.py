"""What the blocks of an evaluation add up to, block by block: the input of shares, ratings and intervals.

Agents without chance of their own play the same game again from the same start. Copies tell nothing new: blocks of one
line-up that share a game are added up to one *observation*, which resampling draws as a whole. So what counts for
intervals is how many games were different.

Dimension letters: N agents, B observations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from training.evaluation.arena import GameResult
from training.evaluation.resampling import Floats, Ints, number_strata

Results = Sequence[Sequence[GameResult]]  # per block


@dataclass(frozen=True)
class Tally:
    """Sums per observation, the unit of resampling."""

    seat_games: Floats  # float64 [B, N]
    shares: Floats  # float64 [B, N], a win shared by w seats counts 1/w for each
    pair_wins: csr_array  # float64 [B, N * N], seat pairs in which i came before j at column i * N + j, ties half
    strata: Ints  # int64 [B], equal for observations of the same line-up
    copies: Floats  # float64 [B], blocks in each observation

    @property
    def num_observations(self) -> int:
        """How much of what was played counts for intervals, in blocks."""
        return len(self.copies)

    @property
    def num_blocks(self) -> int:
        """How many blocks were played."""
        return int(self.copies.sum())

    @property
    def matrix(self) -> Floats:
        """Returns float64 [N, N], the seat pairs of all blocks in which i came before j, ties half."""
        num_agents = self.seat_games.shape[1]
        return np.asarray(self.pair_wins.sum(axis=0)).reshape(num_agents, num_agents)

    def pairs_won(self, first: int, second: int) -> Floats:
        """Returns float64 [B], the seat pairs in which `first` came before `second`, ties half."""
        column = first * self.seat_games.shape[1] + second
        return np.asarray(self.pair_wins[:, [column]].toarray()[:, 0])


def tally_blocks(results: Results, num_agents: int) -> Tally:
    """Returns the sums of each observation."""
    observations = merge_copies(results)
    seat_games = np.zeros((len(observations), num_agents))
    shares = np.zeros((len(observations), num_agents))
    entries: list[tuple[int, int, float]] = []  # observation, column, pairs won
    for index, games in enumerate(observations):
        pairs = count_pair_wins(games, num_agents)
        for result in games:
            np.add.at(seat_games[index], list(result.seating), 1.0)
            winners = [result.seating[seat] for seat in result.winners]
            np.add.at(shares[index], winners, 1.0 / len(winners))
        entries += [(index, int(column), pairs.flat[column]) for column in np.flatnonzero(pairs)]
    rows, columns, wins = (np.array(values) for values in zip(*entries, strict=True)) if entries else ([], [], [])
    pair_wins = csr_array((wins, (rows, columns)), shape=(len(observations), num_agents**2))
    strata = number_strata([lineup_of(games) for games in observations])
    copies = np.array([len(games) / len(games[0].seating) for games in observations])
    return Tally(seat_games, shares, pair_wins, strata, copies)


def merge_copies(results: Results) -> list[list[GameResult]]:
    """Returns the games of each observation: those of a block, and of all later ones that repeat one of its games."""
    observations: list[list[GameResult]] = []
    known: dict[tuple[tuple[int, ...], str], int] = {}  # observation in which a line-up played a game first
    for block in results:
        keys = [(lineup_of(block), result.fingerprint) for result in block]
        place = next((known[key] for key in keys if key in known), len(observations))
        if place == len(observations):
            observations.append([])
        observations[place] += block
        for key in keys:
            known.setdefault(key, place)
    return observations


def lineup_of(block: Sequence[GameResult]) -> tuple[int, ...]:
    """Returns the agents at the table, ascending."""
    return tuple(sorted(block[0].seating))


def count_pair_wins(block: Sequence[GameResult], num_agents: int) -> Floats:
    """Returns float64 [N, N], the seat pairs of a block in which i came before j, ties half."""
    pair_wins = np.zeros((num_agents, num_agents))
    for result in block:
        add_pair_wins(result, pair_wins)
    return pair_wins


def add_pair_wins(result: GameResult, pair_wins: Floats) -> None:
    """Adds the pairs of seats that different agents hold to `pair_wins` float64 [N, N], ties by halves."""
    for (first, rank), (second, other) in combinations(zip(result.seating, result.ranks, strict=True), 2):
        if first == second:
            continue
        first_wins = 0.5 * (1.0 + np.sign(other - rank))  # the lower rank is the better one
        pair_wins[first, second] += first_wins
        pair_wins[second, first] += 1.0 - first_wins
