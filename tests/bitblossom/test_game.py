"""`Game` on its own: what it refuses to be asked."""

import numpy as np
import pytest

from bitblossom_env.core.game import IllegalActionError, make_setup


@pytest.fixture
def game():
    return make_setup("bitblossom", {"num_players": 3, "board_size": 5}).new_game(np.random.default_rng(0))


def refused(call, word):
    """Asks and expects one line that holds a word; a ValueError that is not about an action played."""
    with pytest.raises(ValueError, match=word) as caught:
        call()
    assert not isinstance(caught.value, IllegalActionError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("state", [None, 0, "state", (), {}, (1, 2, 3)])
def test_what_is_no_state_is_refused(game, state):
    before = game.hash()
    refused(lambda: game.set_state(state), "state")
    assert game.hash() == before


def test_a_state_of_another_size_or_of_other_rules_is_refused(game):
    before = game.hash()
    for arguments in ({"num_players": 3, "board_size": 6}, {"board_size": 5}, {"num_players": 3, "cuts": False}):
        other = make_setup("bitblossom", {"board_size": 5} | arguments).new_game(np.random.default_rng(0))
        refused(lambda other=other: game.set_state(other.get_state()), "state")
    assert game.hash() == before


@pytest.mark.parametrize("seat", ["0", True, np.False_, 9, 3, -1, 0.0, None, [0], np.array([0, 1])])
def test_what_is_no_seat_is_refused(game, seat):
    refused(lambda: game.observe(seat), "seat")


@pytest.mark.parametrize("seat", [1, np.int8(1), np.array(1)])
def test_any_whole_number_is_a_seat(game, seat):
    assert np.array_equal(game.observe(seat), game.observe(1))


@pytest.mark.parametrize("action", [-1, 999, 51, True, None, "a1", 1.0])
def test_what_is_no_action_has_no_name(game, action):
    refused(lambda: game.describe_action(action), "action")


def test_every_action_has_its_own_name(game):
    names = [game.describe_action(action) for action in range(game.num_actions)]
    assert len(set(names)) == game.num_actions
    assert (names[0], names[24], names[25], names[50]) == ("a1", "e5", "-a1", "end")
    assert game.describe_action(np.int64(7)) == names[7] == "c2"
