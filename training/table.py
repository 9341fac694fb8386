"""Games side by side, in slots that are used again and again."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from agents.neural.kinds import make_encoder, make_symmetries
from agents.neural.policy import ActionMap
from bitblossom_env.core.game import Game, ReportsCaptures, Setup
from bitblossom_env.core.rollout import random_start
from bitblossom_env.envs.batch import BatchEnv
from training.opponents import LATEST, GamePlan
from training.records import Results

NO_PLAN = -1


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
