"""Searches of many games at once: every round asks the network for the leaves of all of them together.

Dimension letters: G games, P seats, A actions of a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agents.search.gumbel.descent import ROOT_NODE, SETTINGS, fill_improved, fill_worth
from agents.search.gumbel.forest import (
    NUM_ASKED,
    Forest,
    Room,
    Round,
    clear,
    new_forest,
    new_round,
    take_in,
    tree_in,
)
from agents.search.gumbel.halving import widths
from agents.search.rules import SearchedGame
from agents.search.search import add_root
from bitblossom_env.core.game import Game


class Evaluator(Protocol):
    """What a search asks about positions."""

    def __call__(
        self, planes: NDArray[np.uint8], masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Returns probabilities float32 [B, A] and expected returns float64 [B, P], seats counted from the mover.

        Args:
            planes: uint8 [B, F, *board shape], as the seat to move sees them.
            masks: bool [B, A], the legal actions of a node.
        """


def know_nothing(
    planes: NDArray[np.uint8], masks: NDArray[np.bool_], num_seats: int
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """The null network: every legal action as likely, every seat worth nothing."""
    priors = masks / masks.sum(1, keepdims=True, dtype=np.float32)
    return priors.astype(np.float32), np.zeros((len(planes), num_seats))


@dataclass(frozen=True)
class GumbelSettings:
    """How a search goes.

    Attributes:
        num_simulations: for each position.
        num_considered: root actions that sequential halving begins with.
        visit_weight: how much a value counts before anything is visited, c_visit of the paper.
        value_weight: how much a value counts for each visit, c_scale.
    """

    num_simulations: int = 32
    num_considered: int = 16
    visit_weight: float = SETTINGS[0]
    value_weight: float = SETTINGS[1]


@dataclass(frozen=True)
class Advice:
    """What a search says of G positions."""

    actions: NDArray[np.int64]  # [G] best ones, as nodes number them
    policies: NDArray[np.float64]  # [G, A] improved policies
    priors: NDArray[np.float64]  # [G, A] what the evaluator said
    values: NDArray[np.float64]  # [G, P] of the positions, as the search sees them; seats absolute
    visits: NDArray[np.int32]  # [G, A] simulations that began with an action


class GumbelSearch:
    """Room for searches of up to `num_games` games of one setup at a time."""

    def __init__(self, rules: SearchedGame, game: Game, num_games: int, settings: GumbelSettings) -> None:
        self._rules = rules
        self._settings = settings
        self._shape = (len(game.setup.plane_names), *game.setup.board_shape)
        self._forest: Forest = new_forest(rules, game, num_games, settings.num_simulations + 1)
        self._round: Round = new_round(rules, game, num_games * max(1, settings.num_considered))
        self._room = Room(
            board=rules.new_board(game),
            values=np.zeros(game.num_seats),
            desk=rules.new_desk(game, 1),
            policy=np.zeros(rules.num_actions(game)),
            settings=np.array([settings.visit_weight, settings.value_weight]),
        )

    def run(self, games: Sequence[Game], evaluator: Evaluator, noise: NDArray[np.float64] | None = None) -> Advice:
        """Searches running games, at most as many as there is room for.

        Args:
            games: each with its seat to move.
            evaluator: asked once for all roots, then once a round.
            noise: float64 [G, A] added to the logits of the roots' actions; Gumbel noise explores as the policy would,
                none plays what is best.
        """
        self._plant(games, evaluator)
        self._forest.noise[: len(games)] = 0.0 if noise is None else noise
        num_legal = (self._forest.trees.priors[: len(games), ROOT_NODE] > 0).sum(1)
        schedule = self._schedule(num_legal)
        plans = np.zeros((len(games), 2), np.int64)
        for index in range(schedule.shape[1]):
            plans[:, 0], plans[:, 1] = index, schedule[:, index]
            self._rules.descend(self._forest, plans, self._room, self._round)
            take_in(self._forest, self._round, *self._ask(evaluator))
        return self._advice(len(games))

    def _schedule(self, num_legal: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns int64 [G, R], how many actions of each game get a simulation in each round."""
        considered = np.minimum(num_legal, self._settings.num_considered)
        rows = [widths(self._settings.num_simulations, int(number)) for number in considered]
        schedule = np.zeros((len(rows), max(len(row) for row in rows)), np.int64)
        for row, filled in zip(rows, schedule, strict=True):
            filled[: len(row)] = row
        return schedule

    def _plant(self, games: Sequence[Game], evaluator: Evaluator) -> None:
        """Makes each game the root of its tree, judged."""
        forest, rnd = self._forest, self._round
        clear(forest, len(games))
        rnd.counts[:] = 0
        for g, game in enumerate(games):
            board = self._rules.new_board(game)
            for stored, array in zip(forest.boards, board, strict=True):
                stored[g, ROOT_NODE] = array
            add_root(self._rules, tree_in(forest.trees, g), board)
            forest.is_over[g, ROOT_NODE] = game.is_over
            room = self._room._replace(board=board)
            row = rnd.counts[NUM_ASKED]
            rnd.games[row], rnd.lengths[row], rnd.asked[row], rnd.paths[row, 0] = g, 1, row, ROOT_NODE
            self._rules.kernels.look(room, rnd.planes[row], rnd.masks[row])
            rnd.counts[:] += 1
        take_in(forest, rnd, *self._ask(evaluator))

    def _ask(self, evaluator: Evaluator) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Returns what the evaluator says of the leaves of the round."""
        num_asked = int(self._round.counts[NUM_ASKED])
        if num_asked == 0:
            return np.empty((0, self._room.policy.size), np.float32), np.empty((0, self._room.values.size))
        planes = self._round.planes[:num_asked].reshape(num_asked, *self._shape)
        return evaluator(planes, self._round.masks[:num_asked] != 0)

    def _advice(self, num_games: int) -> Advice:
        trees, num_actions = self._forest.trees, self._room.policy.size
        policies, values = np.zeros((num_games, num_actions)), np.zeros((num_games, self._room.values.size))
        actions = np.zeros(num_games, np.int64)
        worth = np.zeros(num_actions)
        for g in range(num_games):
            tree, judged = tree_in(trees, g), self._forest.judged[g]
            fill_improved(tree, judged, ROOT_NODE, self._room.settings, policies[g])
            fill_worth(tree, judged, ROOT_NODE, self._room.settings, worth)
            with np.errstate(divide="ignore"):
                scores = self._forest.noise[g] + np.log(tree.priors[ROOT_NODE]) + worth
            is_last = tree.edge_visits[ROOT_NODE] == tree.edge_visits[ROOT_NODE].max()
            actions[g] = np.where(is_last, scores, -np.inf).argmax()
            values[g] = tree.sums[ROOT_NODE] / tree.visits[ROOT_NODE]
        priors = trees.priors[:num_games, ROOT_NODE].astype(np.float64)
        return Advice(actions, policies, priors, values, trees.edge_visits[:num_games, ROOT_NODE].copy())
