"""Plays whole games side by side and books every decision of the learner under its game.

Games are played to their end within one update, so that each decision knows the final return of every seat,
whoever moved last, and nothing has to be carried from one update to the next.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray

import agents
from agents.base import Agent
from agents.neural.compute import Judge
from agents.neural.config import ComputeConfig, NetworkConfig
from agents.neural.kinds import make_encoder, make_network, make_symmetries
from agents.neural.network import Encoded
from agents.neural.policy import ActionMap, choose
from bitblossom_env.core.game import Game, ReportsCaptures, Setup
from bitblossom_env.core.rollout import random_start
from bitblossom_env.envs.batch import BatchEnv
from training.opponents import LATEST, GamePlan, Weights
from training.records import Decisions, Job, Results, Rollout, concatenate, sort_by_game

NO_PLAN = -1


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
                )
            )
        table.inference_seconds += time.perf_counter() - started
        return table.action_map.game_actions(table.symmetries.actions_back(chosen.actions, which))


class Table:
    """Slots of running games with what their movers see; reused from update to update."""

    def __init__(self, setup: Setup, slots: int) -> None:
        self.encoder = make_encoder(setup)
        self.action_map = ActionMap(setup)
        self.symmetries = make_symmetries(setup)
        self.env = BatchEnv(slots, setup.game_name, autoreset="disabled", num_threads=1, **setup.rules())
        self.env.reset()  # no slot may be empty: one without a plan holds a finished game, or a new one that passes
        self.setup = self.env.setup
        self.observations = cast(NDArray[np.uint8], self.env.observations)  # [slots, F, *board shape], the env's own
        self.masks = self.action_map.mask(self.env.action_masks)  # [slots, N + 1], as of the last `look`
        self.symmetry = np.zeros(slots, np.int64)
        self.plan_of = np.full(slots, NO_PLAN, np.int64)  # index of the plan played in each slot
        self.rng = np.random.default_rng(0)
        self.inference_seconds = 0.0

    def look(self) -> NDArray[np.int64]:
        """Brings the masks up to date; returns the slots, int64, whose mover has a choice.

        Where nothing but ending the turn is left there is nothing to decide, to ask or to learn.
        """
        self.masks = self.action_map.mask(self.env.action_masks)
        return np.flatnonzero((self.plan_of != NO_PLAN) & self.masks[:, :-1].any(1))

    def play(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> list[tuple[int, dict[str, Any]]]:
        """Plays game actions int64 [len(rows)] in `rows`; all other slots end their turn, or play what they may.

        Returns the slots whose planned games have ended by it, ascending, each with its final outcome.
        """
        end_turn = self.setup.end_turn
        played = self.env.action_masks.argmax(1) if end_turn is None else np.full(len(self.plan_of), end_turn)
        played[rows] = actions
        infos = self.env.step(played)[-1]
        ended = enumerate(infos.get("final_outcome", ()))
        return [(row, outcome) for row, outcome in ended if outcome and self.plan_of[row] != NO_PLAN]

    def seat(self, row: int, index: int, plan: GamePlan) -> None:
        """Starts the game of plan `index` in slot `row`."""
        self.env.start(row, random_start(self.setup, self.rng, plan.random_turns))
        self.plan_of[row] = index
        self.symmetry[row] = plan.symmetry

    def result(self, row: int, plan: GamePlan, outcome: dict[str, Any]) -> Results:
        """Returns the result of the finished game in slot `row`, G = 1."""
        game = self.env.game(row)
        owner, winners = outcome["owner"], outcome["winners"]
        shares = [(seat in winners) / max(1, len(winners)) for seat in range(self.setup.num_seats)]
        return Results(
            returns=game.returns()[None],
            owners=owner.reshape(1, -1).astype(np.int64),
            areas=np.array([outcome["areas"]]) / owner.size,
            survived=survivors(game)[None],
            win_shares=np.array([shares]),
            learner=np.array([[player == LATEST for player in plan.players]]),
            turns=np.array([game.turn]),
            symmetries=np.array([plan.symmetry]),
        )


def survivors(game: Game) -> NDArray[np.bool_]:
    """Returns bool [P], whether each seat of a finished game has survived; all do where none can be eliminated."""
    if isinstance(game, ReportsCaptures):
        return ~np.array(game.eliminated())
    return np.ones(game.num_seats, np.bool_)


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

    def __init__(self, setup: Setup, network_config: NetworkConfig, compute: ComputeConfig, slots: int) -> None:
        self._table = Table(setup, slots)
        self._compute = compute
        self._network_config = network_config
        self._scripted: dict[str, Player] = {}
        self._judges: list[Judge] = []  # made once, their weights come with every job

    def play(self, job: Job) -> Rollout:
        """Plays all games of `job` to their end."""
        started = time.perf_counter()
        table = self._table
        table.rng = np.random.default_rng(job.seed)
        table.inference_seconds = 0.0
        learner = NetworkPlayer(self._judge(0, job.weights), is_learner=True)
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

    def _players(self, job: Job, learner: NetworkPlayer) -> dict[str, Player]:
        players: dict[str, Player] = {LATEST: learner}
        for index, (name, weights) in enumerate(job.past.items(), 1):
            players[name] = NetworkPlayer(self._judge(index, weights), is_learner=False)
        for name in {name for plan in job.plans for name in plan.players} - set(players):
            if name not in self._scripted:
                self._scripted[name] = ScriptedPlayer(agents.make(name))
            players[name] = self._scripted[name]
        return players

    def _judge(self, index: int, weights: Weights) -> Judge:
        """Returns network `index` of this process with the weights given."""
        while index >= len(self._judges):
            self._judges.append(Judge(make_network(self._network_config, self._table.setup), self._compute))
        judge = self._judges[index]
        judge.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        return judge
