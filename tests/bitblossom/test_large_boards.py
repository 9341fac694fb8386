"""Engine against twin where the fuzzer does not go: boards of 13 to 32 a side, painted positions, few actions each."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from bitblossom_env.core.jit import jit_is_off
from tests import provoke
from tests.lockstep import Lockstep
from tests.painters import Canvas, paint_noise, paint_siege, paint_symmetric_walls, paint_tipping_wall, paint_walls
from tests.reference import events
from tests.reference.pieces import DIAGONAL, EIGHT, ORTHOGONAL, Cell, step
from tests.reference.twin import Twin

SIZES = [(13, 13), (16, 16), (3, 32), (32, 3), (19, 31), (32, 32)]
MIN_GAMES, MAX_GAMES = 2, 40  # until all that is asked for has been met
NUM_ACTIONS = 9


def paint_far_corner(canvas: Canvas) -> None:
    """Stones along the last rows and columns, where row masks end."""
    rng, board = canvas.rng, canvas.board
    for r, c in board.cells():
        if (r >= board.rows - 3 or c >= board.cols - 3) and rng.random() < 0.4:
            seat = rng.choice(canvas.painters())
            canvas.paint((r, c), seat, canvas.some_stamp(seat))


def paint_pair_of_walls(canvas: Canvas) -> None:
    """Two walls of one seat, two apart: three stones across them are a cut of two pierces."""
    rng, board = canvas.rng, canvas.board
    seat, column, row = rng.choice(canvas.painters()), rng.randrange(board.cols), rng.randrange(board.rows)
    for r in range(row - 2, row + 3):
        for c in (column, column + 2):
            canvas.paint((r, c), seat, canvas.some_stamp(seat))


PAINTERS = (
    paint_noise,
    paint_pair_of_walls,
    paint_pair_of_walls,
    paint_walls,
    paint_symmetric_walls,
    paint_tipping_wall,
    paint_siege,
    paint_far_corner,
)


def plans(twin: Twin) -> Iterator[tuple[list[Cell], bool]]:
    """Yields what would capture something: cells to hold, and whether by fresh stones only."""
    for enemy in twin.captures().enemies():
        for ring in (ORTHOGONAL, DIAGONAL):
            yield [step(enemy, direction) for direction in ring], False
        for direction in EIGHT:  # two pierces along one line
            if twin.captures().enemy_at(step(enemy, direction, 2)):
                yield [step(enemy, direction, times) for times in (-1, 1, 3)], True


def cells_to_capture_by(twin: Twin, placeable: set[Cell], rng: random.Random) -> list[Cell]:
    """The placeable cells of one kind of plan, those that lack the fewest stones and fit this turn's budget."""
    captures, budget = twin.captures(), twin.remaining()
    kinds: dict[bool, list[list[Cell]]] = {False: [], True: []}
    for cells, must_be_fresh in plans(twin):
        missing = [cell for cell in cells if not (captures.is_fresh if must_be_fresh else captures.is_own)(cell)]
        if 0 < len(missing) <= budget and placeable.issuperset(missing):
            kinds[must_be_fresh].append(missing)
    plans_of_a_kind = kinds[rng.random() < 0.6] or kinds[True] or kinds[False]
    fewest = min(map(len, plans_of_a_kind), default=0)
    return [cell for missing in plans_of_a_kind if len(missing) == fewest for cell in missing]


def choose(twin: Twin, legal: set[int], rng: random.Random) -> int:
    """Overlays and captures where there are any, else anything."""
    placeable = {twin.cell_of(action): action for action in legal if action < twin.num_cells}
    overlays = [cell for cell in placeable if twin.board.piece_at(cell)]
    captures = cells_to_capture_by(twin, set(placeable), rng) if rng.random() < 0.8 else []
    for cells in (overlays if rng.random() < 0.7 else [], captures):
        if cells:
            return placeable[rng.choice(sorted(cells))]
    return rng.choice(sorted(legal))


def running_game(rng: random.Random, size: tuple[int, int]) -> Lockstep:
    """A painted position of that size in which the game still runs."""
    while True:
        arguments = provoke.random_arguments(rng, sides=(12, 12)) | {"board_size": size, "max_turns": None}
        position = provoke.random_position(rng, arguments, rng.choices(PAINTERS, k=2), min_turn=6)
        lockstep = Lockstep.from_position(position)
        if not lockstep.twin.is_over:
            return lockstep


def legal_actions(lockstep: Lockstep, rng: random.Random) -> set[int]:
    """What the twin calls legal; within a turn on the largest boards only a sample of the placements is asked for."""
    twin = lockstep.twin
    if twin.num_cells < 400 or not twin.board.stones_of_turn(twin.turn):
        return twin.legal_actions()
    legal = set(np.flatnonzero(lockstep.game.legal_mask()).tolist())
    num_asked = 25 if twin.board.overlays else 150  # an answer takes milliseconds, or a tenth of one
    asked = {*rng.sample(range(twin.num_cells), num_asked), *range(twin.num_cells, 2 * twin.num_cells + 1)}
    now = twin.doomed(), twin.remaining()
    return legal - asked | {action for action in asked if not twin.refusals(action, now)}


def play(lockstep: Lockstep, rng: random.Random) -> Counter[str]:
    """Plays and compares masks and planes after every action; returns what was seen."""
    twin, seen = lockstep.twin, Counter[str]()
    for number in range(NUM_ACTIONS):
        legal = legal_actions(lockstep, rng)
        lockstep.check([twin.to_move, rng.randrange(twin.num_seats)], legal)
        seen["territory"] += len(twin.territory(twin.to_move))
        seen["bonus"] += twin.bonus()
        if twin.is_over:
            break
        is_last = number == NUM_ACTIONS - 1
        lockstep.apply(lockstep.setup.end_turn if is_last else choose(twin, legal, rng))
    lockstep.check(list(range(twin.num_seats)), legal_actions(lockstep, rng))
    lockstep.check_round_trip()
    return seen + twin.events


ASKED = ("territory", "bonus", events.OVERLAY)


@pytest.mark.skipif(jit_is_off(), reason="as plain Python large boards take minutes; small boards are played there")
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_large_boards_are_the_twins(size: tuple[int, int]) -> None:
    rng = random.Random(f"large boards {size}")
    seen = Counter[str]()
    for number in range(MAX_GAMES):
        seen += play(running_game(rng, size), rng)
        if number + 1 >= MIN_GAMES and all(seen[name] for name in ASKED):
            break
    assert {name: seen[name] > 0 for name in ASKED} == dict.fromkeys(ASKED, True)
