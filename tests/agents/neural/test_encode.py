import dataclasses

import numpy as np
import pytest
import torch

import agents
from agents.neural.config import NetworkConfig
from agents.neural.grid.encode import (
    NUM_SEAT_CONSTANTS,
    NUM_SHARED_CONSTANTS,
    NUM_SHARED_PLANES,
    SEAT_CONSTANTS,
    SEAT_PLANES,
    SHARED_CONSTANTS,
    SHARED_PLANES,
    GridEncoder,
    scale_constants,
    scale_planes,
)
from agents.neural.policy import ActionMap
from agents.neural.symmetry import Symmetries
from bitblossom_env.core.game import make_setup


def played(num_players=2, board_size=7, seed=0, actions=20):
    """A running game after some random actions."""
    rng = np.random.default_rng(seed)
    game = make_setup("bitblossom", {"num_players": num_players, "board_size": board_size}).new_game(rng)
    agent = agents.make("random")
    for _ in range(actions):
        game.apply(agent.act(game, game.to_move, rng))
    assert not game.is_over
    return game


class Shuffled:
    """A setup that shows the planes of another in another order, with one more that nobody knows."""

    def __init__(self, setup, order, extra="safe/0"):
        self._setup = setup
        self.plane_names = tuple([*setup.plane_names, extra][i] for i in order)

    def __getattr__(self, name):
        return getattr(self._setup, name)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_planes_are_found_by_name_wherever_they_stand(num_players):
    game = played(num_players)
    planes = game.observe(game.to_move)
    order = np.random.default_rng(1).permutation(len(planes) + 1)
    shuffled = np.concatenate((planes, np.full_like(planes[:1], 7)))[order]
    straight = GridEncoder(game.setup).encode(planes[None])
    found = GridEncoder(Shuffled(game.setup, order)).encode(shuffled[None])
    for a, b in zip(straight, found, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("num_players", [2, 4])
def test_every_plane_lands_where_the_layout_says(num_players):
    game = played(num_players)
    observation = game.observe(game.to_move)
    by_name = dict(zip(game.setup.plane_names, observation, strict=True))
    planes, constants = GridEncoder(game.setup).encode(observation[None])
    assert (planes[0, 0] == 1).all()  # on_board
    for i, name in enumerate(SHARED_PLANES):
        np.testing.assert_array_equal(planes[0, 1 + i], by_name[name])
    for i, name in enumerate(SHARED_CONSTANTS):
        assert constants[0, i] == by_name[name][0, 0]
    for k in range(num_players):
        for i, name in enumerate(SEAT_PLANES):
            np.testing.assert_array_equal(
                planes[0, NUM_SHARED_PLANES + k * len(SEAT_PLANES) + i], by_name[f"{name}/{k}"]
            )
        seat = constants[0, NUM_SHARED_CONSTANTS + k * NUM_SEAT_CONSTANTS :]
        assert seat[0] == 1  # present
        for i, name in enumerate(SEAT_CONSTANTS):
            assert seat[1 + i] == by_name[f"{name}/{k}"][0, 0]


def test_retractions_left_is_not_seen():
    game = played()
    observation = game.observe(game.to_move)[None]
    other = observation.copy()
    other[:, game.setup.plane_names.index("retractions_left")] ^= 3
    for a, b in zip(GridEncoder(game.setup).encode(observation), GridEncoder(game.setup).encode(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_scaled_values_are_small_and_finite():
    planes = torch.full((1, NUM_SHARED_PLANES + 8, 3, 3), 1, dtype=torch.uint8)
    planes[:, NUM_SHARED_PLANES - 1] = 255
    constants = torch.full((1, NUM_SHARED_CONSTANTS + 2 * NUM_SEAT_CONSTANTS), 255, dtype=torch.uint8)
    assert 0.9 < scale_planes(planes).max() < 1.1
    assert torch.isfinite(scale_constants(constants)).all()
    assert planes.max() == 255  # the input is untouched


def test_a_game_without_the_planes_is_refused_by_name():
    setup = played().setup
    broken = Shuffled(setup, [i for i, name in enumerate(setup.plane_names) if name != "doomed/1"])
    with pytest.raises(ValueError, match="'doomed/1'"):
        GridEncoder(broken)


def test_retractions_are_always_masked():
    game = played()
    while not game.legal_mask()[list(game.setup.retractions)].any():
        game.apply(
            int(np.flatnonzero(game.legal_mask()[:49])[0]) if game.legal_mask()[:49].any() else game.setup.end_turn
        )
    actions = ActionMap(game.setup)
    mask = actions.mask(game.legal_mask()[None])
    assert mask.shape == (1, 50)
    chosen = actions.game_actions(np.flatnonzero(mask[0]))
    legal = np.flatnonzero(game.legal_mask())
    assert set(chosen) == {a for a in legal if a not in game.setup.retractions}


@pytest.mark.parametrize(("rows", "cols", "count"), [(7, 7, 8), (5, 8, 4)])
def test_symmetries_undo_themselves_and_differ(rows, cols, count):
    symmetries = Symmetries.of_grid(rows, cols)
    assert len(symmetries) == count
    assert len({tuple(cells) for cells in symmetries.cells}) == count
    rng = np.random.default_rng(0)
    which = np.arange(count)
    actions = rng.integers(rows * cols + 1, size=count)
    actions[0] = rows * cols  # end turn has no place
    there = symmetries.actions(actions, which)
    np.testing.assert_array_equal(symmetries.actions_back(there, which), actions)
    assert there[0] == rows * cols
    cells = rng.integers(9, size=(count, rows * cols))
    back = np.take_along_axis(symmetries.targets(cells, which), symmetries.inverse[which], axis=1)
    np.testing.assert_array_equal(back, cells)


def test_planes_masks_targets_and_actions_move_together():
    symmetries = Symmetries.of_grid(4, 4)
    for s in range(8):
        which = np.array([s])
        for cell in range(16):
            board = np.zeros((1, 1, 4, 4), np.uint8)
            board.reshape(-1)[cell] = 1
            mask = np.append(board.reshape(1, -1), [[1]], axis=1)
            moved = symmetries.actions(np.array([cell]), which)[0]
            assert np.flatnonzero(symmetries.planes(board, which)).tolist() == [moved]
            assert np.flatnonzero(symmetries.mask(mask, which)).tolist() == [moved, 16]
            assert np.flatnonzero(symmetries.targets(board.reshape(1, -1), which)).tolist() == [moved]


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (3, 7)])
def test_planes_of_many_boards_turn_each_as_its_cells_do(rows, cols):
    symmetries, rng = Symmetries.of_grid(rows, cols), np.random.default_rng(0)
    planes = rng.integers(0, 256, (11, 4, rows, cols)).astype(np.uint8)
    which = rng.integers(len(symmetries), size=11)
    turned = symmetries.planes(planes, which)
    for board in range(11):
        for plane in range(4):
            expected = planes[board, plane].ravel()[symmetries.cells[which[board]]]
            np.testing.assert_array_equal(turned[board, plane].ravel(), expected)
    assert turned.dtype == np.uint8
    reversed_view = planes[:, ::-1]
    np.testing.assert_array_equal(symmetries.planes(reversed_view, which), turned[:, ::-1])
    assert symmetries.planes(planes[:0], which[:0]).shape == (0, 4, rows, cols)


def transformed(position, s, symmetries, cols):
    """A position as it looks under symmetry s."""
    moved = []
    for r, c, *rest in position["pieces"]:
        r2, c2 = divmod(int(symmetries.inverse[s, r * cols + c]), cols)
        moved.append([r2, c2, *rest])
    return {**position, "pieces": sorted(moved)}


@pytest.mark.parametrize(("rows", "cols"), [(7, 7), (6, 8)])
def test_legality_and_planes_commute_with_the_symmetries(rows, cols):
    """The rules, asked about a turned position, say what the turned tables say: tables and rules agree."""
    symmetries = Symmetries.of_grid(rows, cols)
    for seed in range(6):
        game = played(board_size=(rows, cols), seed=seed, actions=9 + seed)
        planes, _ = GridEncoder(game.setup).encode(game.observe(game.to_move)[None])
        mask = ActionMap(game.setup).mask(game.legal_mask()[None])
        for s in range(len(symmetries)):
            which = np.array([s])
            turned = transformed(game.to_position(), s, symmetries, cols)
            other = game.setup.game_from_position(turned)
            seen, _ = GridEncoder(other.setup).encode(other.observe(other.to_move)[None])
            np.testing.assert_array_equal(seen, symmetries.planes(planes, which))
            legal = ActionMap(other.setup).mask(other.legal_mask()[None])
            np.testing.assert_array_equal(legal, symmetries.mask(mask, which))


def test_config_refuses_sizes_that_no_network_has():
    for name, value in (("channels", 4), ("channels", 10**9), ("blocks", 0), ("hidden", True), ("blocks", 2.5)):
        with pytest.raises(ValueError, match=f"network.{name}="):
            dataclasses.replace(NetworkConfig(), **{name: value})
