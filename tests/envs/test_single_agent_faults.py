"""The Gymnasium environment where somebody misbehaves: the learner, an opponent, or a start without a turn for it."""

import gymnasium
import numpy as np
import pytest

import bitblossom_env  # noqa: F401  # registers the ids
from bitblossom_env.core.diagram import parse_diagram
from bitblossom_env.core.game import ArgumentError, GameOverError, IllegalActionError, OpponentError
from tests.envs.playing import made

MAX_CALLS = 5000  # of an opponent, before a test calls it a hang


def make(**arguments):
    return gymnasium.make("BitBlossom-v0", **arguments).unwrapped


class Scripted:
    """An opponent that plays given actions, then ends its turns; it gives up where nobody stops asking."""

    def __init__(self, *actions):
        self.actions = list(actions)
        self.num_calls = 0

    def __call__(self, game, _seat, _rng):
        self.num_calls += 1
        if self.num_calls > MAX_CALLS:
            pytest.fail("the opponents play for ever")
        return self.actions.pop(0) if self.actions else game.setup.end_turn


# Seat 0 to move. A pass ends the first game; the second one is full after one stone.
ONE_PASS = parse_diagram(
    """
    . . .
    A . B
    . . .
    """,
    turn=3,
    turns_taken=[1, 2],
    passes=1,
)
ONE_STONE = parse_diagram(
    """
    b1 b1 a0
    A  .  B
    a0 a2 b1
    """,
    turn=4,
)


@pytest.mark.parametrize("kind", ["state", "record"])
@pytest.mark.parametrize(("position", "actions"), [(ONE_PASS, []), (ONE_STONE, [4])], ids=["all pass", "full board"])
def test_a_start_that_the_others_end_before_the_learner_moves_is_refused(kind, position, actions):
    bases = [(r, c) for r, c, *_, is_base, _ in position["pieces"] if is_base]
    opponent = Scripted()
    env = make(board_size=3, home_bases=bases, seat=1, opponents=opponent)
    env.reset(seed=0)
    before = env.game.hash()
    source = made({"board_size": 3, "home_bases": bases}, state=position)
    given = {"state": position, "record": source.record()}[kind]
    opponent.actions = list(actions)
    opponent.num_calls = MAX_CALLS - 5  # to begin such a game again would end in the same way
    with pytest.raises(ArgumentError, match=kind) as caught:
        env.reset(options={kind: given})
    assert "\n" not in str(caught.value)
    assert env.game.hash() == before
    # The same start leaves seat 0 its turn.
    env = make(board_size=3, home_bases=bases, seat=0, opponents=Scripted())
    env.reset(options={kind: given})
    assert env.game.hash() == source.game.hash()


def test_an_environment_in_which_the_learner_never_moves_is_refused():
    env = make(board_size=5, max_turns=1, seat=1, opponents=Scripted())
    with pytest.raises(ArgumentError, match=r"seat|max_turns|opponents"):
        env.reset(seed=0)


@pytest.mark.parametrize("policy", ["raise", "ignore"])
@pytest.mark.parametrize("wrong", [None, -1, 73, 10**12, True, 3.0, "3", [3], np.zeros((2, 2), int), 0], ids=str)
def test_an_illegal_action_of_an_opponent_is_told_and_undone(wrong, policy):
    opponents = [Scripted(30, wrong), Scripted()]
    env = make(num_players=3, board_size=6, opponents=opponents, illegal_action=policy)
    twin = make(num_players=3, board_size=6, opponents=[Scripted(), Scripted()])
    for one in (env, twin):
        one.reset(seed=0)
        one.step(0)
    before = env.game.hash(), env.game.to_move, env.game.turn, env.action_masks().tolist()
    with pytest.raises(OpponentError, match="seat 1") as caught:
        env.step(env.game.setup.end_turn)
    message = str(caught.value)
    assert not isinstance(caught.value, IllegalActionError)
    assert " ".join(repr(wrong).split()) in message
    assert "\n" not in message
    assert (env.game.hash(), env.game.to_move, env.game.turn, env.action_masks().tolist()) == before
    opponents[0].actions = []
    for one in (env, twin):
        one.step(one.game.setup.end_turn)
    assert env.game.hash() == twin.game.hash()
    assert env.game.turn == 3


def test_an_illegal_action_of_an_opponent_in_reset_is_told():
    opponent = Scripted()
    env = make(board_size=5, seat=1, opponents=opponent)
    env.reset(seed=0)
    before = env.game.hash()
    opponent.actions = [3, 3]
    with pytest.raises(OpponentError, match=r"seat 0.*\b3\b"):
        env.reset()
    assert env.game.hash() == before
    env.reset()
    assert env.game.to_move == 1


def test_illegal_actions_raise_or_are_ignored_until_the_limit():
    env = make(board_size=3, home_bases=[(0, 0), (2, 2)])
    env.reset(seed=0)
    before = env.game.hash()
    for action in (0, -1, 19, None, True, np.zeros((2, 2), int)):
        with pytest.raises(IllegalActionError) as caught:
            env.step(action)
        assert "\n" not in str(caught.value)
        assert env.game.hash() == before
    env = make(board_size=3, home_bases=[(0, 0), (2, 2)], illegal_action="ignore")
    env.reset(seed=0)
    for count in range(1, 20):
        _, reward, terminated, truncated, info = env.step(0)
        assert (reward, terminated, truncated) == (0.0, False, count == 19)
        assert info["illegal_action"]
        assert env.game.hash() == before


def test_a_legal_action_between_begins_the_count_of_illegal_ones_anew():
    env = make(board_size=3, home_bases=[(0, 0), (2, 2)], illegal_action="ignore", opponents=Scripted())
    env.reset(seed=0)
    for _ in range(18):
        assert env.step(0)[3] is False
    assert "illegal_action" not in env.step(1)[4]
    for _ in range(18):
        assert env.step(0)[3] is False
    assert env.step(0)[3] is True


def test_after_a_truncation_by_illegal_actions_only_reset_goes_on():
    env = make(board_size=3, home_bases=[(0, 0), (2, 2)], illegal_action="ignore", opponents=Scripted())
    env.reset(seed=0)
    for _ in range(19):
        *_, truncated, _ = env.step(0)
    assert truncated
    before = env.game.hash()
    for action in (1, 0):
        with pytest.raises(GameOverError, match=r"reset\(\)"):
            env.step(action)
        assert env.game.hash() == before
    env.reset(seed=0)
    assert env.step(1)[2:4] == (False, False)
    assert env.step(0)[3] is False
