"""`BitBlossomBatch`: B games in lockstep are B single games, bit for bit; what it refuses moves none of them."""

import numpy as np
import pytest

from bitblossom_env.core.game import ArgumentError, IllegalActionError, make_setup

NUM_GAMES = 5
NUM_STEPS = 60
SETUPS = [
    {"board_size": 3, "home_bases": [(0, 0), (2, 2)]},
    {"num_players": 2, "board_size": 5, "reward": "area", "extra_planes": ("sea", "placeable")},
    {"num_players": 3, "board_size": (4, 6), "home_bases": "random", "reward": "rank", "extra_planes": ("placeable",)},
    {"num_players": 4, "board_size": 5, "max_retractions_per_turn": None, "max_turns": 6, "extra_planes": ("sea",)},
]


def started(arguments, seed=0):
    """A batch, and the same games one by one, each by its own seed and starting player."""
    setup = make_setup("bitblossom", arguments)
    games = [setup.new_game(np.random.default_rng(seed + i), i % setup.num_seats) for i in range(NUM_GAMES)]
    batch = setup.new_batch(NUM_GAMES)
    for index, game in enumerate(games):
        batch.start(index, game)
    return setup, batch, games


def filled(setup, batch):
    """Masks and observations, written over numbers that would show what was left out."""
    masks = np.full((NUM_GAMES, setup.num_actions), -7, np.int8)
    planes = np.full((NUM_GAMES, len(setup.plane_names), *setup.board_shape), 77, np.uint8)
    batch.fill_masks(masks)
    batch.fill_observations(planes)
    return masks, planes


def assert_equal(setup, batch, games):
    masks, planes = filled(setup, batch)
    assert np.array_equal(masks, [game.legal_mask() for game in games])
    assert np.array_equal(planes, [game.observe(game.to_move) for game in games])
    to_move, is_over, returns = batch.to_move, batch.is_over, batch.returns()
    assert (to_move.dtype, is_over.dtype, returns.dtype) == (np.int8, np.bool_, np.float64)
    assert to_move.tolist() == [game.to_move for game in games]
    assert is_over.tolist() == [game.is_over for game in games]
    assert np.array_equal(returns, [game.returns() for game in games])
    assert [batch.game(index).hash() for index in range(NUM_GAMES)] == [game.hash() for game in games]


def random_actions(games, rng):
    """A legal action for each running game, any number for the others."""
    actions = np.full(NUM_GAMES, 10**9, np.int64)
    for index, game in enumerate(games):
        if not game.is_over:
            legal = np.flatnonzero(game.legal_mask())
            actions[index] = legal[-1] if rng.random() < 0.2 else rng.choice(legal)
    return actions


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_a_batch_is_its_single_games(arguments):
    setup, batch, games = started(arguments)
    rng = np.random.default_rng(1)
    num_ended = 0
    for step in range(NUM_STEPS):
        assert_equal(setup, batch, games)
        actions = random_actions(games, rng)
        batch.apply(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.is_over:
                game.apply(int(action))
        num_ended += sum(game.is_over for game in games)
        if all(game.is_over for game in games):
            assert_equal(setup, batch, games)
            games[step % NUM_GAMES] = fresh = setup.new_game(rng)
            batch.start(step % NUM_GAMES, fresh)
    assert_equal(setup, batch, games)
    assert num_ended > 0


def test_rows_are_copies_in_and_out():
    _, batch, games = started(SETUPS[1])
    before = games[0].hash()
    games[0].apply(games[0].setup.end_turn)
    assert batch.game(0).hash() == before
    taken = batch.game(1)
    taken.apply(taken.setup.end_turn)
    assert batch.game(1).hash() == games[1].hash()
    row = batch.to_move
    row[:] = 5
    assert batch.to_move.tolist() != row.tolist()


@pytest.mark.parametrize("wrong", [-1, 0, 51, 10**12])
@pytest.mark.parametrize("where", [0, 3, NUM_GAMES - 1])
def test_an_illegal_action_in_one_game_moves_none(wrong, where):
    setup, batch, games = started({"board_size": 5, "home_bases": [(0, 0), (4, 4)]})
    before = [game.hash() for game in games]
    actions = np.full(NUM_GAMES, setup.end_turn, np.int64)
    actions[where] = wrong  # 0 is where the base of seat 0 stands
    with pytest.raises(IllegalActionError, match=rf"game {where}\b.*{wrong}") as caught:
        batch.apply(actions)
    assert "\n" not in str(caught.value)
    assert [batch.game(index).hash() for index in range(NUM_GAMES)] == before
    assert_equal(setup, batch, games)


WRONG_ARRAYS = {
    "actions too many": ("apply", np.zeros(NUM_GAMES + 1, np.int64)),
    "actions too few": ("apply", np.zeros(NUM_GAMES - 1, np.int64)),
    "actions in a column": ("apply", np.zeros((NUM_GAMES, 1), np.int64)),
    "actions as floats": ("apply", np.zeros(NUM_GAMES)),
    "actions as truths": ("apply", np.zeros(NUM_GAMES, np.bool_)),
    "one action": ("apply", np.int64(0)),
    "masks of too few games": ("fill_masks", np.zeros((NUM_GAMES - 1, 51), np.int8)),
    "masks of too many actions": ("fill_masks", np.zeros((NUM_GAMES, 52), np.int8)),
    "masks in one row": ("fill_masks", np.zeros(NUM_GAMES * 51, np.int8)),
    "masks as truths": ("fill_masks", np.zeros((NUM_GAMES, 51), np.bool_)),
    "masks as floats": ("fill_masks", np.zeros((NUM_GAMES, 51))),
    "planes too few": ("fill_observations", np.zeros((NUM_GAMES, 24, 5, 5), np.uint8)),
    "planes too small": ("fill_observations", np.zeros((NUM_GAMES, 25, 5, 4), np.uint8)),
    "planes of too many games": ("fill_observations", np.zeros((NUM_GAMES + 1, 25, 5, 5), np.uint8)),
    "planes as floats": ("fill_observations", np.zeros((NUM_GAMES, 25, 5, 5), np.float32)),
    "planes as signed": ("fill_observations", np.zeros((NUM_GAMES, 25, 5, 5), np.int8)),
}


@pytest.mark.parametrize(("method", "array"), WRONG_ARRAYS.values(), ids=list(WRONG_ARRAYS))
def test_arrays_of_a_wrong_form_are_refused_in_one_line(method, array):
    setup, batch, games = started({"board_size": 5})
    assert (setup.num_actions, len(setup.plane_names)) == (51, 25)
    before = np.copy(array)
    with pytest.raises(ValueError, match="allowed") as caught:
        getattr(batch, method)(array)
    assert not isinstance(caught.value, IllegalActionError)
    assert "\n" not in str(caught.value)
    assert np.array_equal(array, before)
    assert_equal(setup, batch, games)


@pytest.mark.parametrize("method", ["apply", "fill_masks", "fill_observations"])
def test_rows_that_were_never_started_are_refused(method):
    setup = make_setup("bitblossom", {"board_size": 5})
    batch = setup.new_batch(3)
    arrays = {
        "apply": np.full(3, setup.end_turn, np.int64),
        "fill_masks": np.zeros((3, setup.num_actions), np.int8),
        "fill_observations": np.zeros((3, len(setup.plane_names), 5, 5), np.uint8),
    }
    for index in (0, 2):
        batch.start(index, setup.new_game(np.random.default_rng(0)))
    with pytest.raises(ValueError, match=r"\b1\b") as caught:
        getattr(batch, method)(arrays[method])
    assert not isinstance(caught.value, IllegalActionError)
    assert "\n" not in str(caught.value)
    batch.start(1, setup.new_game(np.random.default_rng(0)))
    getattr(batch, method)(arrays[method])


@pytest.mark.parametrize(
    "arguments", [{"board_size": 6}, {"board_size": 5, "num_players": 3}, {"cuts": False}], ids=str
)
def test_games_of_other_rules_are_refused(arguments):
    _, batch, games = started({"board_size": 5})
    other = make_setup("bitblossom", {"board_size": 5} | arguments).new_game(np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"rules|setup"):
        batch.start(0, other)
    assert batch.game(0).hash() == games[0].hash()


@pytest.mark.parametrize("starting_player", [7, -1, 2, True, 1.0, None, "0"])
def test_a_starting_player_is_a_seat(starting_player):
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
    with pytest.raises(ArgumentError, match="starting_player") as caught:
        setup.new_game(np.random.default_rng(0), starting_player=starting_player)
    assert "\n" not in str(caught.value)
    assert setup.new_game(np.random.default_rng(0), starting_player=np.int8(1)).to_move == 1
