"""Plays whole games side by side and books every decision of the learner under its game.

Games are played to their end within one update, so that each decision knows the final return of every seat,
whoever moved last, and nothing has to be carried from one update to the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray

import agents
from agents.neural.compute import Judge
from agents.neural.kinds import make_network
from bitblossom_env.core.game import Setup
from training.config import TrainConfig
from training.opponents import LATEST, GamePlan, Weights
from training.players import LearningPlayer, NetworkPlayer, Player, ScriptedPlayer
from training.records import Job, Results, Rollout, concatenate, sort_by_game
from training.searchers import SearchPlayer
from training.table import NO_PLAN, Table


class Seating:
    """Who decides in each game of a job."""

    def __init__(self, plans: list[GamePlan], players: dict[str, Player]) -> None:
        self._players = list(players.values())
        number = {name: index for index, name in enumerate(players)}
        self._by_seat = np.array([[number[name] for name in plan.players] for plan in plans])  # [G, P]

    def choose(self, table: Table, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the game's actions int64 [len(rows)], asking each player once for all its rows."""
        deciders = self._by_seat[table.plan_of[rows], table.env.to_move[rows]]
        actions = np.empty(len(rows), np.int64)
        # In the order of their first rows: what the players draw must not hang on how they are numbered.
        for decider in dict.fromkeys(deciders.tolist()):
            own = np.flatnonzero(deciders == decider)
            actions[own] = self._players[decider].choose(table, rows[own])
        return actions


class SelfPlay:
    """One process's share of an update: plays jobs, one after the other, with the same tables."""

    def __init__(self, setup: Setup, config: TrainConfig) -> None:
        rollout = config.rollout
        self._table = Table(setup, min(rollout.slots, rollout.games_per_update // rollout.workers))
        self._config = config
        self._searcher: SearchPlayer | None = None  # of the learner, made when it first plays
        self._scripted: dict[str, Player] = {}
        self._judges: list[Judge] = []  # made once, their weights come with every job

    def play(self, job: Job) -> Rollout:
        """Plays all games of `job` to their end."""
        started = time.perf_counter()
        table = self._table
        table.rng = np.random.default_rng(job.seed)
        table.inference_seconds = 0.0
        learner = self._learner(job.weights)
        learner.choose(table, np.empty(0, np.int64))  # no row: gives the shapes, should the learner never move
        results, reasons, env_steps = self._play_games(job.plans, Seating(job.plans, self._players(job, learner)))
        return Rollout(
            decisions=sort_by_game(learner.decisions),
            results=concatenate(results),
            opponents=[plan.opponents for plan in job.plans],
            reasons=reasons,
            env_steps=env_steps,
            env_seconds=time.perf_counter() - started - table.inference_seconds,
            inference_seconds=table.inference_seconds,
        )

    def _play_games(self, plans: list[GamePlan], seating: Seating) -> tuple[list[Results], list[str], int]:
        """Plays the games of all plans to their end; returns their results and end reasons, and the number of actions.

        A slot whose game has ended gets the next plan at once.
        """
        table = self._table
        table.plan_of[:] = NO_PLAN
        waiting = iter(enumerate(plans))
        for row in range(len(table.plan_of)):
            self._seat_next(row, waiting)
        ended: dict[int, tuple[Results, str]] = {}
        env_steps = 0
        while len(ended) < len(plans):
            env_steps += int((table.plan_of != NO_PLAN).sum())
            rows = table.look()
            for row, outcome in table.play(rows, seating.choose(table, rows)):
                index = int(table.plan_of[row])
                ended[index] = table.result(row, plans[index], outcome), outcome["reason"]
                self._seat_next(row, waiting)
        results, reasons = zip(*(ended[index] for index in range(len(plans))), strict=True)
        return list(results), list(reasons), env_steps

    def _seat_next(self, row: int, waiting: Iterator[tuple[int, GamePlan]]) -> None:
        index, plan = next(waiting, (NO_PLAN, None))
        self._table.plan_of[row] = NO_PLAN
        if plan is not None:
            self._table.seat(row, index, plan)

    def _players(self, job: Job, learner: LearningPlayer) -> dict[str, Player]:
        players: dict[str, Player] = {LATEST: learner}
        for index, (name, weights) in enumerate(job.past.items(), 1):
            players[name] = NetworkPlayer(self._judge(index, weights), is_learner=False)
        for name in {name for plan in job.plans for name in plan.players} - set(players):
            if name not in self._scripted:
                self._scripted[name] = ScriptedPlayer(agents.make(name))
            players[name] = self._scripted[name]
        return players

    def _learner(self, weights: Weights) -> LearningPlayer:
        """Returns the player that learns, with no decisions yet."""
        judge = self._judge(0, weights)
        if self._config.gumbel is None:
            return NetworkPlayer(judge, is_learner=True)
        if self._searcher is None:
            self._searcher = SearchPlayer(judge, self._config.gumbel, self._table)
        self._searcher.decisions = []
        return self._searcher

    def _judge(self, index: int, weights: Weights) -> Judge:
        """Returns network `index` of this process with the weights given."""
        while index >= len(self._judges):
            self._judges.append(Judge(make_network(self._config.network, self._table.setup), self._config.compute))
        judge = self._judges[index]
        judge.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return judge
