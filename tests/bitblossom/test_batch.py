"""`BitBlossomBatch`: B games in lockstep are B single games, bit for bit; what it refuses moves none of them."""

import dataclasses

import numpy as np
import pytest

from bitblossom_env.core.batch import ALL_LEGAL, Views
from bitblossom_env.core.game import ArgumentError, make_setup

NUM_GAMES = 5
NUM_STEPS = 60
SETUPS = [
    {"board_size": 3, "home_bases": [(0, 0), (2, 2)]},
    {"num_players": 2, "board_size": 5, "reward": "area", "extra_planes": ("sea", "placeable")},
    {"num_players": 3, "board_size": (4, 6), "home_bases": "random", "reward": "rank", "extra_planes": ("placeable",)},
    {"num_players": 4, "board_size": 5, "max_retractions_per_turn": None, "max_turns": 6, "extra_planes": ("sea",)},
]
SMALL = {"board_size": 5, "home_bases": [(0, 0), (4, 4)]}
IGNORED = 10**9  # the action of a finished game


def started(arguments, seed=0):
    """A batch and its views, and the same games one by one, each by its own seed and starting player."""
    setup = make_setup("bitblossom", arguments)
    games = [setup.new_game(np.random.default_rng(seed + i), i % setup.num_seats) for i in range(NUM_GAMES)]
    batch = setup.new_batch(NUM_GAMES)
    for index, game in enumerate(games):
        batch.start(index, game)
    views = soiled(Views.allocate(setup, NUM_GAMES))
    batch.look(0, NUM_GAMES, views)
    return batch, views, games


def soiled(views):
    """Views full of numbers that would show what is not written."""
    for array, number in ((views.planes, 77), (views.masks, -7), (views.to_move, -7), (views.is_over, True)):
        array.fill(number)
    return views


def contents(views):
    return [array.tobytes() for array in vars(views).values()]


def hashes(batch):
    return [batch.game(index).hash() for index in range(NUM_GAMES)]


def plain(outcome):
    """An outcome in a form that can be compared."""
    return outcome and {**outcome.as_dict(), "owner": outcome.owner.tolist()}


def assert_equal(batch, views, games):
    assert np.array_equal(views.planes, [game.observe(game.to_move) for game in games])
    assert np.array_equal(views.masks, [game.legal_mask() for game in games])
    assert views.to_move.tolist() == [game.to_move for game in games]
    assert views.is_over.tolist() == [game.is_over for game in games]
    assert [plain(batch.outcome(index)) for index in range(NUM_GAMES)] == [plain(game.outcome) for game in games]
    assert hashes(batch) == [game.hash() for game in games]


def random_actions(games, rng):
    """A legal action for each running game, any number for the others."""
    actions = np.full(NUM_GAMES, IGNORED, np.int64)
    for index, game in enumerate(games):
        if not game.is_over:
            legal = np.flatnonzero(game.legal_mask())
            actions[index] = legal[-1] if rng.random() < 0.2 else rng.choice(legal)
    return actions


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_a_batch_is_its_single_games(arguments):
    batch, views, games = started(arguments)
    rng = np.random.default_rng(1)
    num_ended = num_standing = 0
    for step in range(NUM_STEPS):
        assert_equal(batch, views, games)
        actions = random_actions(games, rng)
        assert batch.find_illegal(actions, 0, NUM_GAMES) == ALL_LEGAL
        cut = step % (NUM_GAMES + 1)  # in two ranges, one of them empty now and then
        assert batch.advance(actions, cut, NUM_GAMES, views) == batch.advance(actions, 0, cut, views) == ALL_LEGAL
        num_standing += sum(game.is_over for game in games)
        running = [game for game in games if not game.is_over]
        for game, action in zip(running, actions[actions != IGNORED], strict=True):
            game.apply(int(action))
        num_ended += sum(game.is_over for game in running)
        if all(game.is_over for game in games):
            assert_equal(batch, views, games)
            index = step % NUM_GAMES
            games[index] = games[index].setup.new_game(rng)
            batch.start(index, games[index])
            batch.look(index, index + 1, views)
    assert_equal(batch, views, games)
    assert num_ended > 0
    assert num_standing > 0
    before = contents(views)
    batch.look(0, NUM_GAMES, soiled(views))
    assert contents(views) == before, "a look tells of finished games what their last step told"


def test_a_range_touches_its_own_rows_only():
    batch, views, games = started(SMALL)
    before = hashes(batch)
    actions = np.full(NUM_GAMES, games[0].setup.end_turn, np.int64)
    soiled(views)
    batch.advance(actions, 1, 3, views)
    assert [index for index in range(NUM_GAMES) if hashes(batch)[index] != before[index]] == [1, 2]
    assert [index for index in range(NUM_GAMES) if (views.masks[index] != -7).any()] == [1, 2]
    assert [index for index in range(NUM_GAMES) if (views.planes[index] != 77).any()] == [1, 2]
    assert views.to_move.tolist()[0::3] == [-7, -7]
    batch.look(4, 5, views)
    assert (views.to_move.tolist()[3:], views.is_over.tolist()) == ([-7, 0], [True, False, False, True, False])


def test_nobody_looks_at_views_without_planes():
    batch, views, games = started(SETUPS[1])
    blind = Views.allocate(games[0].setup, NUM_GAMES, observe=False)
    assert blind.planes is None
    actions = random_actions(games, np.random.default_rng(2))
    twin, _, _ = started(SETUPS[1])
    batch.advance(actions, 0, NUM_GAMES, blind)
    twin.advance(actions, 0, NUM_GAMES, views)
    assert hashes(batch) == hashes(twin)
    assert all(np.array_equal(getattr(blind, name), getattr(views, name)) for name in ("masks", "to_move", "is_over"))


def test_rows_and_states_are_copies_in_and_out():
    batch, _, games = started(SETUPS[1])
    first, second, *_ = before = hashes(batch)
    games[0].apply(games[0].setup.end_turn)
    taken = batch.game(1)
    taken.apply(taken.setup.end_turn)
    assert hashes(batch) == before
    states = batch.get_states(np.array([1, 0, 1]))
    batch.start(1, taken)
    assert batch.game(1).hash() == taken.hash() != second
    other = games[0].setup.new_batch(4)
    other.set_states(np.array([3, 0, 2]), states)
    batch.set_states(np.array([0, 1]), other.get_states(np.array([2, 0])))
    assert [other.game(index).hash() for index in (0, 2, 3)] == [first, second, second]
    assert hashes(batch) == [second, first, *before[2:]]


@pytest.mark.parametrize("wrong", [-1, 0, 51, 10**12])
@pytest.mark.parametrize("where", [0, 3, NUM_GAMES - 1])
def test_an_illegal_action_in_one_game_moves_none(wrong, where):
    batch, views, games = started(SMALL)
    actions = np.full(NUM_GAMES, games[0].setup.end_turn, np.int64)
    actions[where] = wrong  # 0 is where the base of seat 0 stands
    before = contents(views)
    assert batch.find_illegal(actions, 0, NUM_GAMES) == where
    assert batch.advance(actions, 0, NUM_GAMES, views) == where
    assert contents(views) == before
    assert_equal(batch, views, games)
    actions[-1] = wrong  # the first one is named
    assert batch.find_illegal(actions, 0, NUM_GAMES) == where
    assert batch.find_illegal(actions, 0, where) == ALL_LEGAL
    assert batch.advance(actions, 0, where, views) == ALL_LEGAL, "outside the range nobody looks"


WRONG_ACTIONS = {
    "too many": np.zeros(NUM_GAMES + 1, np.int64),
    "too few": np.zeros(NUM_GAMES - 1, np.int64),
    "in a column": np.zeros((NUM_GAMES, 1), np.int64),
    "with gaps": np.zeros(2 * NUM_GAMES, np.int64)[::2],
    "narrow": np.zeros(NUM_GAMES, np.int32),
    "floats": np.zeros(NUM_GAMES),
    "truths": np.zeros(NUM_GAMES, np.bool_),
    "a list": [0] * NUM_GAMES,
    "one": np.int64(0),
}


@pytest.mark.parametrize("actions", WRONG_ACTIONS.values(), ids=list(WRONG_ACTIONS))
def test_actions_of_a_wrong_form_are_refused_in_one_line(actions):
    batch, views, games = started(SMALL)
    for ask in (lambda: batch.find_illegal(actions, 0, NUM_GAMES), lambda: batch.advance(actions, 0, NUM_GAMES, views)):
        with pytest.raises(ValueError, match=r"actions is .*allowed") as caught:
            ask()
        assert "\n" not in str(caught.value)
    assert_equal(batch, views, games)


WRONG_VIEWS = {
    "masks of too few games": {"masks": np.zeros((NUM_GAMES - 1, 51), np.int8)},
    "masks of too many actions": {"masks": np.zeros((NUM_GAMES, 52), np.int8)},
    "masks in one row": {"masks": np.zeros(NUM_GAMES * 51, np.int8)},
    "masks as truths": {"masks": np.zeros((NUM_GAMES, 51), np.bool_)},
    "planes too few": {"planes": np.zeros((NUM_GAMES, 24, 5, 5), np.uint8)},
    "planes too small": {"planes": np.zeros((NUM_GAMES, 25, 5, 4), np.uint8)},
    "planes of too many games": {"planes": np.zeros((NUM_GAMES + 1, 25, 5, 5), np.uint8)},
    "planes as signed": {"planes": np.zeros((NUM_GAMES, 25, 5, 5), np.int8)},
    "planes with gaps": {"planes": np.zeros((NUM_GAMES, 25, 5, 10), np.uint8)[..., ::2]},
    "seats of too few games": {"to_move": np.zeros(NUM_GAMES - 1, np.int8)},
    "seats as wide": {"to_move": np.zeros(NUM_GAMES, np.int64)},
    "ends as numbers": {"is_over": np.zeros(NUM_GAMES, np.int8)},
}


@pytest.mark.parametrize("wrong", WRONG_VIEWS.values(), ids=list(WRONG_VIEWS))
def test_views_of_a_wrong_form_are_refused_in_one_line(wrong):
    batch, views, games = started(SMALL)
    actions = np.full(NUM_GAMES, games[0].setup.end_turn, np.int64)
    bad = dataclasses.replace(views, **wrong)
    for ask in (lambda: batch.look(0, NUM_GAMES, bad), lambda: batch.advance(actions, 0, NUM_GAMES, bad)):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is .*allowed") as caught:
            ask()
        assert "\n" not in str(caught.value)
    assert_equal(batch, views, games)


@pytest.mark.parametrize(("low", "high"), [(-1, 2), (3, 2), (0, NUM_GAMES + 1)])
def test_ranges_outside_the_batch_are_refused(low, high):
    batch, views, games = started(SMALL)
    actions = np.full(NUM_GAMES, games[0].setup.end_turn, np.int64)
    for ask in (lambda: batch.look(low, high, views), lambda: batch.advance(actions, low, high, views)):
        with pytest.raises(ValueError, match="low <= high <= 5"):
            ask()
    assert_equal(batch, views, games)


@pytest.mark.parametrize(
    "arguments", [{"board_size": 6}, {"board_size": 5, "num_players": 3}, {"cuts": False}], ids=str
)
def test_games_of_other_rules_are_refused(arguments):
    batch, views, games = started({"board_size": 5})
    other = make_setup("bitblossom", {"board_size": 5} | arguments).new_game(np.random.default_rng(0))
    with pytest.raises(ValueError, match="rules"):
        batch.start(0, other)
    for states in (other.get_state(), None):
        with pytest.raises(ValueError, match="rules"):
            batch.set_states(np.array([0]), states)
    for rows in ([0], [0, 1, 2]):
        with pytest.raises(ValueError, match="2 states"):
            batch.set_states(np.array(rows), batch.get_states(np.array([0, 1])))
    assert_equal(batch, views, games)


def test_one_state_goes_into_many_rows():
    batch, _, games = started({"board_size": 5})
    games[0].apply(0)
    batch.set_states(np.array([3, 1]), games[0].get_state())
    assert [hashes(batch)[row] for row in (1, 3)] == [games[0].hash()] * 2
    assert hashes(batch)[0] != games[0].hash()


@pytest.mark.parametrize("starting_player", [7, -1, 2, True, 1.0, None, "0"])
def test_a_starting_player_is_a_seat(starting_player):
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
    with pytest.raises(ArgumentError, match="starting_player") as caught:
        setup.new_game(np.random.default_rng(0), starting_player=starting_player)
    assert "\n" not in str(caught.value)
    assert setup.new_game(np.random.default_rng(0), starting_player=np.int8(1)).to_move == 1
