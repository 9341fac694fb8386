"""Who decides in the games of an update."""

from __future__ import annotations

import time
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent
from agents.neural.compute import Judge
from agents.neural.network import Encoded
from agents.neural.policy import choose
from training.records import Decisions
from training.table import Table


class Player(Protocol):
    """Chooses the game actions of some rows of a table."""

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the game's actions int64 [len(rows)]."""


class ScriptedPlayer:
    """An agent by spec, asked game by game."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns what the agent plays in each row."""
        games = [table.env.game(row) for row in rows.tolist()]
        return np.array([self._agent.act(game, game.to_move, table.rng) for game in games], np.int64)


class LearningPlayer(Player, Protocol):
    """One whose decisions are learned from.

    Attributes:
        decisions: what it has decided, in the order of time.
    """

    decisions: list[Decisions]


class NetworkPlayer:
    """A network, asked once for all rows; the learner's decisions are kept."""

    def __init__(self, judge: Judge, is_learner: bool) -> None:
        self._judge = judge
        self._is_learner = is_learner
        self.decisions: list[Decisions] = []

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns a drawn action per row, decided under the symmetry of the row's game."""
        started = time.perf_counter()
        which = table.symmetry[rows]
        encoded = table.encoder.encode(table.observations[rows])
        seen = Encoded(table.symmetries.planes(encoded.planes, which), encoded.constants)
        masks = table.symmetries.mask(table.masks[rows], which)
        chosen = choose(self._judge(seen, masks), table.rng)
        if self._is_learner:
            self.decisions.append(
                Decisions(
                    planes=seen.planes,
                    constants=seen.constants,
                    masks=masks,
                    actions=chosen.actions,
                    log_probs=chosen.log_probs,
                    values=chosen.values,
                    movers=table.env.to_move[rows].astype(np.int64),
                    games=table.plan_of[rows],
                    policies=np.empty((len(rows), 0), np.float32),
                    surprises=np.zeros(len(rows), np.float32),
                )
            )
        table.inference_seconds += time.perf_counter() - started
        return table.action_map.game_actions(table.symmetries.actions_back(chosen.actions, which))
