"""A real three-seat game whose first decision pays only seats that do not move last.

Seat 0 places one stone; then seats 1 and 2 place one each, and the game is over. Seat 0 wins +1 from seat 1 if
its stone lies on its home base's cell, loses 1 to seat 1 otherwise. Seat 2 moves last and gets nothing, ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bitblossom_env.core.batch import ALL_LEGAL, Views
from bitblossom_env.core.game import EndReason, IllegalActionError, Outcome, register_game

SEATS, SIDE = 3, 3
CELLS = SIDE * SIDE
TARGET = 1  # an edge cell, which no rotation mistakes for another


@dataclass(frozen=True)
class ToySetup:
    game_name: str = "toy"
    num_seats: int = SEATS
    num_actions: int = CELLS + 1
    board_shape: tuple[int, ...] = (SIDE, SIDE)
    placements: range = range(CELLS)
    retractions: range = range(0)
    end_turn: int | None = CELLS
    turn_limit: int | None = None
    has_random_start: bool = False
    neighbours: tuple[tuple[int, ...], ...] | None = None
    text_layout: str | None = None

    @property
    def plane_names(self) -> tuple[str, ...]:
        by_seat = ("stones", "home_base", "territory", "doomed", "eliminated", "active", "area", "first_turn")
        shared = ("fresh", "overlay", "standing", "last_turn", "age", "remaining", "turns_left", "passes")
        return (*(f"{name}/{k}" for name in by_seat for k in range(SEATS)), *shared)

    def rules(self) -> dict[str, Any]:
        return {}

    def returns_of(self, outcome: Outcome) -> NDArray[np.float64]:
        sign = 1.0 if outcome.winners == (0,) else -1.0
        return np.array([sign, -sign, 0.0])

    def new_game(self, rng: np.random.Generator, starting_player: int = 0) -> ToyGame:  # noqa: ARG002
        return ToyGame(self)

    def new_batch(self, num_games: int) -> ToyBatch:
        return ToyBatch([ToyGame(self) for _ in range(num_games)])


@dataclass
class ToyGame:
    setup: ToySetup
    stones: list[int] = field(default_factory=list)

    @property
    def num_seats(self) -> int:
        return SEATS

    @property
    def num_actions(self) -> int:
        return CELLS + 1

    @property
    def is_over(self) -> bool:
        return len(self.stones) == SEATS

    @property
    def to_move(self) -> int:
        return min(len(self.stones), SEATS - 1)

    @property
    def turn(self) -> int:
        return len(self.stones)

    @property
    def outcome(self) -> Outcome | None:
        if not self.is_over:
            return None
        owner = np.full(CELLS, -1, np.int8)
        owner[self.stones] = range(SEATS)
        winner = 0 if self.stones[0] == TARGET else 1
        ranks = tuple(1.0 if seat == winner else 2.5 for seat in range(SEATS))
        return Outcome(EndReason.FULL_BOARD, (winner,), (1, 1, 1), ranks, owner.reshape(SIDE, SIDE), truncated=False)

    def legal_mask(self) -> NDArray[np.int8]:
        mask = np.zeros(CELLS + 1, np.int8)
        if not self.is_over:
            mask[:CELLS] = 1
            mask[self.stones] = 0
        return mask

    def apply(self, action: int) -> None:
        if not self.legal_mask()[action]:
            raise IllegalActionError(f"action={action} is illegal")
        self.stones.append(int(action))

    def returns(self) -> NDArray[np.float64]:
        outcome = self.outcome
        return np.zeros(SEATS) if outcome is None else self.setup.returns_of(outcome)

    def observe(self, seat: int) -> NDArray[np.uint8]:
        planes = np.zeros((len(self.setup.plane_names), CELLS), np.uint8)
        index = {name: i for i, name in enumerate(self.setup.plane_names)}
        for owner, cell in enumerate(self.stones):
            planes[index[f"stones/{(owner - seat) % SEATS}"], cell] = 1
        planes[index[f"home_base/{-seat % SEATS}"], TARGET] = 1
        planes[index[f"active/{(self.to_move - seat) % SEATS}"]] = 1
        return planes.reshape(-1, SIDE, SIDE)


@dataclass
class ToyBatch:
    games: list[ToyGame]

    @property
    def num_games(self) -> int:
        return len(self.games)

    def start(self, index: int, game: ToyGame) -> None:
        self.games[index] = ToyGame(game.setup, list(game.stones))

    def game(self, index: int) -> ToyGame:
        return ToyGame(self.games[index].setup, list(self.games[index].stones))

    def outcome(self, index: int) -> Outcome | None:
        return self.games[index].outcome

    def get_states(self, indices: NDArray[np.int64]) -> list[list[int]]:
        return [list(self.games[index].stones) for index in indices]

    def set_states(self, indices: NDArray[np.int64], states: list[list[int]]) -> None:
        one_each = states * len(indices) if len(states) == 1 else states
        for index, stones in zip(indices, one_each, strict=True):
            self.games[index].stones[:] = stones

    def advance(self, actions: NDArray[np.int64], low: int, high: int, views: Views) -> int:
        wrong = self.find_illegal(actions, low, high)
        if wrong == ALL_LEGAL:
            for game, action in zip(self.games[low:high], actions[low:high], strict=True):
                if not game.is_over:
                    game.apply(int(action))
            self.look(low, high, views)
        return wrong

    def look(self, low: int, high: int, views: Views) -> None:
        for index, game in enumerate(self.games[low:high], low):
            views.masks[index] = game.legal_mask()
            views.to_move[index] = game.to_move
            views.is_over[index] = game.is_over
            if views.planes is not None:
                views.planes[index] = game.observe(game.to_move)

    def find_illegal(self, actions: NDArray[np.int64], low: int, high: int) -> int:
        for index, game in enumerate(self.games[low:high], low):
            if not game.is_over and not game.legal_mask()[actions[index]]:
                return index
        return ALL_LEGAL


register_game("toy", "tests.training.toy:ToySetup")
