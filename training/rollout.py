"""Plays whole games side by side and books every decision of the learner under its game.

Games are played to their end within one update, so that each decision knows the final return of every seat,
whoever moved last, and nothing has to be carried from one update to the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray

import agents
from agents.base import Agent
from agents.neural.config import NetworkConfig
from agents.neural.encode import Encoded, Encoder
from agents.neural.network import BlossomNetwork
from agents.neural.policy import ActionMap, choose, judge
from agents.neural.symmetry import Symmetries
from bitblossom_env.core.game import Setup
from bitblossom_env.core.rollout import random_start
from bitblossom_env.envs.batch import BatchEnv
from training.opponents import LATEST, GamePlan, Weights
from training.records import Decisions, Job, Results, Rollout, concatenate, sort_by_game


class Player(Protocol):
    """Chooses the network actions of some rows of a table."""

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the game's actions int64 [len(rows)]."""


class ScriptedPlayer:
    """An agent by spec, asked game by game."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns what the agent plays in each row."""
        games = [table.env.game(row) for row in rows]
        return np.array([self._agent.act(game, game.to_move, table.rng) for game in games], np.int64)


class NetworkPlayer:
    """A network, asked once for all rows; the learner's decisions are kept."""

    def __init__(self, network: BlossomNetwork, is_learner: bool) -> None:
        self._network = network
        self._is_learner = is_learner
        self.decisions: list[Decisions] = []

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns a drawn action per row, decided under the symmetry of the row's game."""
        started = time.perf_counter()
        which = table.symmetry[rows]
        encoded = table.encoder.encode(table.observations[rows])
        seen = Encoded(table.symmetries.planes(encoded.planes, which), encoded.constants)
        masks = table.symmetries.mask(table.masks[rows], which)
        chosen = choose(judge(self._network, seen, masks), table.rng)
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
                )
            )
        table.inference_seconds += time.perf_counter() - started
        return table.action_map.game_actions(table.symmetries.actions_back(chosen.actions, which))


class Table:
    """Slots of running games with what their movers see; reused from update to update."""

    def __init__(self, setup: Setup, slots: int) -> None:
        rows, cols = setup.board_shape
        self.setup = setup
        self.encoder = Encoder(setup)
        self.action_map = ActionMap(setup)
        self.symmetries = Symmetries(rows, cols)
        # Planned games are put in one by one; a finished one stands until the next takes its slot.
        self.env = BatchEnv(slots, setup.game_name, autoreset="disabled", num_threads=1, **setup.rules())
        self.env.reset()
        self.masks = self.action_map.mask(self.env.action_masks)
        self.symmetry = np.zeros(slots, np.int64)
        self.plan_of = np.full(slots, -1, np.int64)  # index of the plan played in each slot, -1 none
        self.rng = np.random.default_rng(0)
        self.inference_seconds = 0.0
        self._eliminated = [setup.plane_names.index(f"eliminated/{k}") for k in range(setup.num_seats)]

    @property
    def observations(self) -> NDArray[np.uint8]:
        """uint8 [slots, F, rows, cols]: what the seats to move see."""
        return cast(NDArray[np.uint8], self.env.observations)  # never None: the table observes

    def look(self) -> None:
        """Works out the network's legal actions: `masks` bool [slots, N + 1]."""
        self.masks = self.action_map.mask(self.env.action_masks)

    def seat(self, row: int, index: int, plan: GamePlan) -> None:
        """Starts the game of plan `index` in slot `row`."""
        self.env.start(row, random_start(self.setup, self.rng, plan.random_turns))
        self.plan_of[row] = index
        self.symmetry[row] = plan.symmetry

    def result(self, row: int, plan: GamePlan) -> tuple[Results, str]:
        """Returns the result of the finished game in slot `row`, G = 1, and why it ended."""
        game = self.env.game(row)
        outcome = game.outcome
        if outcome is None:
            raise RuntimeError("a game counts as over but has no outcome; this is a fault of the rules engine")
        seats = np.arange(self.setup.num_seats)
        result = Results(
            returns=game.returns()[None],
            owners=outcome.owner.reshape(1, -1).astype(np.int64),
            areas=np.array([outcome.areas]) / outcome.owner.size,
            survived=game.observe(0)[self._eliminated, 0, 0][None] == 0,
            win_shares=np.isin(seats, outcome.winners)[None] / max(1, len(outcome.winners)),
            learner=np.array([[player == LATEST for player in plan.players]]),
            turns=np.array([game.turn]),
            symmetries=np.array([plan.symmetry]),
        )
        return result, outcome.reason.value


class SelfPlay:
    """One process's share of an update: plays jobs, one after the other, with the same tables."""

    def __init__(self, setup: Setup, network_config: NetworkConfig, slots: int) -> None:
        self._table = Table(setup, slots)
        self._network_config = network_config
        self._scripted: dict[str, Player] = {}

    def play(self, job: Job) -> Rollout:
        """Plays all games of `job` to their end."""
        started = time.perf_counter()
        table = self._table
        table.rng = np.random.default_rng(job.seed)
        table.inference_seconds = 0.0
        table.plan_of[:] = -1
        learner = NetworkPlayer(self._network(job.weights), is_learner=True)
        learner.choose(table, np.empty(0, np.int64))  # no row: gives the shapes, should the learner never move
        players = self._players(job, learner)
        waiting = iter(enumerate(job.plans))
        for row in range(len(table.plan_of)):
            self._seat_next(row, waiting)
        results: dict[int, tuple[Results, str]] = {}
        env_steps = 0
        while (table.plan_of >= 0).any():
            env_steps += int((table.plan_of >= 0).sum())
            for row in self._step(job.plans, players):
                index = int(table.plan_of[row])
                results[index] = table.result(row, job.plans[index])
                self._seat_next(row, waiting)
        ordered = [results[index] for index in range(len(job.plans))]
        return Rollout(
            decisions=sort_by_game(learner.decisions),
            results=concatenate([result for result, _ in ordered]),
            opponents=[plan.opponents for plan in job.plans],
            reasons=[reason for _, reason in ordered],
            env_steps=env_steps,
            env_seconds=time.perf_counter() - started - table.inference_seconds,
            inference_seconds=table.inference_seconds,
        )

    def _step(self, plans: list[GamePlan], players: dict[str, Player]) -> list[int]:
        """Plays one action in every running game; returns the slots whose planned games have ended."""
        table = self._table
        table.look()
        # Where nothing but ending the turn is left there is nothing to decide, to ask or to learn.
        end_turn = table.masks.shape[1] - 1
        actions = np.full(len(table.plan_of), table.action_map.game_actions(np.array([end_turn]))[0])
        is_open = (table.plan_of >= 0) & table.masks[:, :end_turn].any(1)
        groups: dict[str, list[int]] = {}
        for row in np.flatnonzero(is_open):
            name = plans[table.plan_of[row]].players[table.env.to_move[row]]
            groups.setdefault(name, []).append(int(row))
        for name, members in groups.items():
            rows = np.array(members)
            actions[rows] = players[name].choose(table, rows)
        _, _, terminated, truncated, _ = table.env.step(actions)
        ended: list[int] = np.flatnonzero((terminated | truncated) & (table.plan_of >= 0)).tolist()
        return ended

    def _seat_next(self, row: int, waiting: Iterator[tuple[int, GamePlan]]) -> None:
        index, plan = next(waiting, (-1, None))
        self._table.plan_of[row] = -1
        if plan is not None:
            self._table.seat(row, index, plan)

    def _players(self, job: Job, learner: NetworkPlayer) -> dict[str, Player]:
        players: dict[str, Player] = {LATEST: learner}
        for name, weights in job.past.items():
            players[name] = NetworkPlayer(self._network(weights), is_learner=False)
        for name in {name for plan in job.plans for name in plan.players} - set(players):
            if name not in self._scripted:
                self._scripted[name] = ScriptedPlayer(agents.make(name))
            players[name] = self._scripted[name]
        return players

    def _network(self, weights: Weights) -> BlossomNetwork:
        network = BlossomNetwork(self._network_config)
        network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return network.eval().requires_grad_(False)
