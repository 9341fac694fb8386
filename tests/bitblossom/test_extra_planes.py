"""The optional planes against the slow twin: `sea/k` and `placeable`, over random and painted games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bitblossom_env.core.game import Game, make_setup
from bitblossom_env.core.jit import jit_is_off
from tests import provoke
from tests.lockstep import arguments_of
from tests.painters import PAINTERS
from tests.policies import POLICIES
from tests.reference.twin import Twin

NUM_GAMES = 10 if jit_is_off() else 30
NUM_ACTIONS = 12


def expected_planes(twin: Twin, observer: int) -> dict[str, list[list[int]]]:
    """By the rule text: a seat's sea is all but its territory and its own pieces, overlays left out."""
    board, num_cells = twin.board, twin.num_cells
    cells = board.cells()
    planes = {}
    for k in range(twin.num_seats):
        seat = (observer + k) % twin.num_seats
        sea = set(cells) - twin.territory(seat) - board.cells_of(seat)
        assert sea == set(twin.sea(seat))
        planes[f"sea/{k}"] = sea
    planes["placeable"] = {twin.cell_of(action) for action in twin.legal_actions() if action < num_cells}
    return {
        name: [[int((r, c) in marked) for c in range(board.cols)] for r in range(board.rows)]
        for name, marked in planes.items()
    }


def assert_planes_are_the_twins(game: Game, twin: Twin, observer: int) -> None:
    names, seen = game.setup.plane_names, game.observe(observer)
    expected = expected_planes(twin, observer)
    assert set(names[8 * twin.num_seats + 9 :]) == set(expected)
    for name, plane in expected.items():
        assert seen[names.index(name)].tolist() == plane, name
    mask = game.legal_mask()[: twin.num_cells].reshape(seen.shape[1:])
    assert np.array_equal(seen[names.index("placeable")], mask)


@pytest.mark.parametrize("order", [("sea", "placeable"), ("placeable", "sea")], ids=str)
def test_extra_planes_show_what_the_twin_says(order: tuple[str, str]) -> None:
    num_overlays = num_own_territories = num_ended = 0
    for number in range(NUM_GAMES):
        rng = random.Random(f"extra planes {number}")
        arguments = provoke.random_arguments(rng, sides=(3, 7))
        position: dict[str, Any] = provoke.random_position(rng, arguments, rng.choices(PAINTERS, k=2))
        setup = make_setup("bitblossom", arguments_of(position) | {"extra_planes": order})
        game, twin = setup.game_from_position(position), Twin.from_position(position)
        policy = rng.choice(POLICIES)
        for _ in range(NUM_ACTIONS):
            assert_planes_are_the_twins(game, twin, rng.randrange(twin.num_seats))
            num_overlays += len(twin.board.overlays)
            num_own_territories += any(twin.territory(seat) for seat in range(twin.num_seats))
            if twin.is_over:
                num_ended += 1
                break
            action = policy(twin, sorted(twin.legal_actions()), rng)
            game.apply(action)
            twin.apply(action)
    assert num_own_territories > 0
    assert jit_is_off() or (num_overlays > 0 and num_ended > 0)
