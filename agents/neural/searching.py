"""Plays with a network that thinks ahead: `checkpoint:PATH?sims=N`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from agents.base import announcement
from agents.neural.eyes import Eyes
from agents.search.gumbel.search import Advice, GumbelSearch, GumbelSettings
from agents.search.rules import SearchedGame
from agents.searched_games import make_searched
from bitblossom_env.core.game import Game, Setup

MAX_GAMES = 16  # searched at once
NUM_EXPLAINED = 5


class Evaluator:
    """A network as a search asks it: nodes number their actions as the network does, but for an end that is none."""

    def __init__(self, eyes: Eyes, num_views: int) -> None:
        self._eyes = eyes
        self._num_views = num_views

    def __call__(
        self, planes: NDArray[np.uint8], masks: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """Returns probabilities float32 [B, A] and expected returns float64 [B, P], seats counted from the mover."""
        missing = self._eyes.num_actions - masks.shape[1]
        known = np.pad(masks, ((0, 0), (0, missing)))
        log_probs, values = self._eyes.judge(planes, known, self._num_views)
        return np.exp(log_probs[:, : masks.shape[1]]), values.astype(np.float64)


class SearchingAgent:
    """Searches before each action with the network's policy and values; plays what the search finds best.

    It sees each position of the tree once, under no symmetry; no chance enters its play.
    """

    def __init__(self, name: str, identity: str, eyes_for: Callable[[Setup], Eyes], settings: GumbelSettings) -> None:
        self.name = name
        self.identity = identity
        self._eyes_for = eyes_for
        self._settings = settings
        self._searches: dict[Setup, tuple[SearchedGame, GumbelSearch, Evaluator]] = {}

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal placement or the end of the turn; never retracts."""
        return self.act_many([game], [seat], [rng])[0]

    def act_many(self, games: Sequence[Game], seats: Sequence[int], rngs: Sequence[np.random.Generator]) -> list[int]:  # noqa: ARG002 - there is no chance in it
        """Returns the action for each of one or more games of one setup."""
        rules, _, _ = self._search_for(games[0])
        actions = [rules.only_action(game) for game in games]
        asked = [index for index, action in enumerate(actions) if action is None]
        for _, group in groupby(enumerate(asked), lambda pair: pair[0] // MAX_GAMES):
            rows = [index for _, index in group]
            advice = self._advise([games[row] for row in rows])
            for row, action in zip(rows, advice.actions.tolist(), strict=True):
                actions[row] = rules.game_action(games[row], action)
        return [action for action in actions if action is not None]

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, and what the search thinks of the best actions."""
        rules, _, _ = self._search_for(game)
        said = announcement(self.name, game.describe_action(self.act(game, seat, copy.deepcopy(rng))))
        if rules.only_action(game) is not None:
            return f"{said}\nNothing else is legal."
        advice = self._advise([game])
        policy, visits = advice.policies[0], advice.visits[0]
        worth = ", ".join(f"{value:+.2f}" for value in advice.values[0])
        lines = [said, f"{visits.sum()} simulations; expected returns ({worth}), seat 0 first."]
        for action in np.argsort(-policy, kind="stable")[:NUM_EXPLAINED]:
            if policy[action] > 0:
                name = game.describe_action(rules.game_action(game, int(action)))
                lines.append(f"{name}: {visits[action]} visits, {policy[action]:.1%} of the improved policy")
        return "\n".join(lines)

    def _advise(self, games: Sequence[Game]) -> Advice:
        _, search, evaluator = self._search_for(games[0])
        return search.run(games, evaluator)

    def _search_for(self, game: Game) -> tuple[SearchedGame, GumbelSearch, Evaluator]:
        setup = game.setup
        if setup not in self._searches:
            eyes = self._eyes_for(setup)
            rules: SearchedGame = make_searched(setup.game_name, self.name)
            self._searches[setup] = rules, GumbelSearch(rules, game, MAX_GAMES, self._settings), Evaluator(eyes, 1)
        return self._searches[setup]
