"""Board symmetries and renaming of seats commute with every rule, stamps carried along."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests import provoke
from tests.bitblossom.adapter import SIDES, Side
from tests.painters import PAINTERS
from tests.reference.pieces import Cell

Position = dict[str, Any]
# (transpose, mirror rows, mirror columns): the eight symmetries; a transposed board swaps its sides
SYMMETRIES = [(t, r, c) for t in (False, True) for r in (False, True) for c in (False, True)]
NUM_GAMES = {"engine": 60, "twin": 6}
NUM_ACTIONS = 12


def image_of_cell(cell: Cell, board_size: Cell, symmetry: tuple[bool, bool, bool]) -> Cell:
    is_transposed, mirrors_rows, mirrors_columns = symmetry
    r = board_size[0] - 1 - cell[0] if mirrors_rows else cell[0]
    c = board_size[1] - 1 - cell[1] if mirrors_columns else cell[1]
    return (c, r) if is_transposed else (r, c)


def image_of_position(position: Position, symmetry: tuple[bool, bool, bool]) -> Position:
    rows, cols = position["rows"], position["cols"]
    pieces = [[*image_of_cell((r, c), (rows, cols), symmetry), *rest] for r, c, *rest in position["pieces"]]
    sides = {"rows": cols, "cols": rows} if symmetry[0] else {}
    return position | sides | {"pieces": pieces}


def image_of_action(action: int, board_size: Cell, symmetry: tuple[bool, bool, bool]) -> int:
    rows, cols = board_size
    num_cells = rows * cols
    if action == 2 * num_cells:
        return action
    r, c = image_of_cell(divmod(action % num_cells, cols), board_size, symmetry)
    return action // num_cells * num_cells + r * (rows if symmetry[0] else cols) + c


def image_of_plane(plane: list[list[int]], symmetry: tuple[bool, bool, bool]) -> list[list[int]]:
    rows, cols = len(plane), len(plane[0])
    image = [[0] * (rows if symmetry[0] else cols) for _ in range(cols if symmetry[0] else rows)]
    for r in range(rows):
        for c in range(cols):
            to_r, to_c = image_of_cell((r, c), (rows, cols), symmetry)
            image[to_r][to_c] = plane[r][c]
    return image


def renamed_position(position: Position, shift: int) -> Position:
    """The same position with seat k called k + shift."""
    num_seats = position["players"]
    taken = position["turns_taken"]
    return position | {
        "to_move": (position["to_move"] + shift) % num_seats,
        "turns_taken": [taken[(seat - shift) % num_seats] for seat in range(num_seats)],
        "pieces": [[r, c, (seat + shift) % num_seats, *rest] for r, c, seat, *rest in position["pieces"]],
    }


def without_order(position: Position) -> Position:
    return position | {"pieces": sorted(map(tuple, position["pieces"]))}


def choose(rng: random.Random, side: Side, position: Position) -> int:
    """A legal action, a placement as a rule."""
    legal = sorted(side.legal())
    placements = [action for action in legal if action < position["rows"] * position["cols"]]
    return rng.choice(placements) if placements and rng.random() < 0.75 else rng.choice(legal)


@pytest.fixture(params=list(SIDES))
def games(request: pytest.FixtureRequest) -> tuple[type[Side], list[tuple[random.Random, Position]]]:
    """A side, and painted positions for it with generators that choose the same actions every time."""
    drawn = []
    for number in range(NUM_GAMES[request.param]):
        rng = random.Random(f"properties {number}")
        arguments = provoke.random_arguments(rng, sides=(3, 7))
        drawn.append((rng, provoke.random_position(rng, arguments, rng.choices(PAINTERS, k=2))))
    return SIDES[request.param], drawn


@pytest.mark.parametrize("symmetry", SYMMETRIES[1:], ids=str)
def test_symmetries_commute_with_the_rules(games, symmetry):
    kind, drawn = games
    for rng, position in drawn:
        board_size = (position["rows"], position["cols"])
        game, image = kind(position), kind(image_of_position(position, symmetry))
        for _ in range(NUM_ACTIONS):
            assert image.legal() == {image_of_action(action, board_size, symmetry) for action in game.legal()}
            seat = rng.randrange(position["players"])
            planes = game.planes(seat)
            assert image.planes(seat) == {name: image_of_plane(planes[name], symmetry) for name in planes}
            assert image.returns() == game.returns()
            if not game.legal():
                break
            action = choose(rng, game, position)
            game.apply(action)
            image.apply(image_of_action(action, board_size, symmetry))
        after = image_of_position(game.position(), symmetry)
        assert without_order(image.position()) == without_order(after)


def test_renaming_seats_commutes_with_the_rules(games):
    kind, drawn = games
    for rng, position in drawn:
        num_seats = position["players"]
        shift = rng.randrange(1, num_seats)
        game, image = kind(position), kind(renamed_position(position, shift))
        for _ in range(NUM_ACTIONS):
            assert image.legal() == game.legal()
            for seat in range(num_seats):
                assert image.planes((seat + shift) % num_seats) == game.planes(seat)
            returns = game.returns()
            renamed = [returns[(seat - shift) % num_seats] for seat in range(num_seats)]
            assert image.returns() == pytest.approx(renamed, abs=1e-12)
            if not game.legal():
                break
            action = choose(rng, game, position)
            game.apply(action)
            image.apply(action)
        assert without_order(image.position()) == without_order(renamed_position(game.position(), shift))
