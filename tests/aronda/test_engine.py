"""The kernels of Aronda in lockstep with the slow twin, and on the recorded games."""

import random

import numpy as np
import pytest

from bitblossom_env.aronda import board, state
from bitblossom_env.aronda.captures import count_stones
from bitblossom_env.aronda.reach import mark_legal
from bitblossom_env.aronda.turn import is_legal, play
from tests.aronda.games import SEATS, recorded_games, stuck_mover
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS, NEIGHBOURS, THRESHOLDS

REASONS = {
    state.RUNNING: None,
    state.FULL_BOARD: "full_board",
    state.MAJORITY_OWNED: "majority",
    state.BLOCKADE: "blockade",
    state.ALL_PASSED: "all_passed",
}


class Engine:
    """One game played by the kernels."""

    def __init__(self, blockade=True, stop_at_majority=False, starting_player=0):
        arrays = state.new_state(1, blockade, stop_at_majority)
        self.masks, self.waves, self.counters = (array[0] for array in arrays.arrays())
        self.counters[[state.TO_MOVE, state.STARTER]] = starting_player
        mark_legal(self.masks, self.counters)

    def names(self, field):
        """The fields of a set."""
        return [name for number, name in enumerate(board.NAMES) if int(self.masks[field]) >> number & 1]

    def place(self, name):
        """Plays a stone."""
        play(self.masks, self.waves, self.counters, board.NAMES.index(name))

    def snapshot(self):
        """All that the twin knows as well."""
        owned = [self.names(state.OWNED + seat) for seat in (0, 1)]
        stones = [[count_stones(self.masks, seat, number) for number in range(board.NUM_FIELDS)] for seat in (0, 1)]
        numbers = [int(self.counters[k]) for k in (state.TO_MOVE, state.TURN)]
        left = None if self.counters[state.END_REASON] else int(self.counters[state.STONES_LEFT])
        reason = REASONS[int(self.counters[state.END_REASON])]
        return owned, stones, numbers, left, reason, self.names(state.LEGAL), self.names(state.LAST_TURN)


def snapshot(twin):
    """The same of the twin."""
    owned = [[field for field in FIELDS if twin.owners.get(field) == seat] for seat in (0, 1)]
    stones = [[twin.stones(field, seat) for field in FIELDS] for seat in (0, 1)]
    left = None if twin.is_over else twin.stones_left
    last = [field for field in FIELDS if field in twin.last_turn]
    return owned, stones, [twin.to_move, twin.turn], left, twin.reason, twin.legal(), last


def test_the_board_is_that_of_the_twin():
    assert list(board.NAMES) == FIELDS
    assert board.THRESHOLDS.tolist() == [THRESHOLDS[field] for field in FIELDS]
    for number, name in enumerate(board.NAMES):
        near = {other for k, other in enumerate(board.NAMES) if int(board.NEIGHBOURS[number]) >> k & 1}
        assert near == NEIGHBOURS[name]
    assert board.MAJORITY == 13


RULES = [
    {},
    {"stop_at_majority": True},
    {"blockade": False},
    {"blockade": False, "stop_at_majority": True, "starting_player": 1},
]


def choose(rng, twin, style):
    """A legal field: any, or one that a stone of the mover is in already, so that fields are taken early."""
    legal = twin.legal()
    begun = [field for field in legal if twin.stones(field, twin.to_move)]
    inner = [field for field in legal if field[0] != "o"]
    wanted = {"uniform": legal, "taking": begun, "inner": inner}[style]
    return rng.choice(wanted or legal)


def play_in_lockstep(seed, rules):
    """Plays a random game on both, everything compared after every stone; returns how it ended."""
    rng, twin, engine = random.Random(seed), ArondaTwin(**rules), Engine(**rules)
    styles = [rng.choice(("uniform", "taking", "inner")) for _ in range(2)]
    assert engine.snapshot() == snapshot(twin)
    while not twin.is_over:
        field = choose(rng, twin, styles[twin.to_move])
        twin.place(field)
        engine.place(field)
        assert engine.snapshot() == snapshot(twin)
    return twin.reason


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_random_games_in_lockstep(rules):
    for seed in range(40):
        play_in_lockstep(seed, rules)


@pytest.mark.slow
def test_two_thousand_games_in_lockstep():
    reasons = {play_in_lockstep(seed, RULES[seed % len(RULES)]) for seed in range(2000)}
    assert reasons >= {"full_board", "blockade", "majority"}


@pytest.mark.parametrize("game", recorded_games(), ids=lambda game: str(game["seed"]))
def test_recorded_games_in_lockstep(game):
    twin, engine = ArondaTwin(), Engine()
    for stone in game["stones"]:
        assert SEATS[engine.counters[state.TO_MOVE]] == stone["p"]
        twin.place(stone["f"])
        engine.place(stone["f"])
        assert engine.snapshot() == snapshot(twin)
    assert engine.counters[state.END_REASON] != state.RUNNING


def test_the_mover_without_a_field_loses_the_second_stone():
    engine = Engine()
    for _, field in stuck_mover()["stones"]:
        engine.place(field)
    assert SEATS[engine.counters[state.TO_MOVE]] == "B"
    assert engine.counters[state.STONES_LEFT] == 2
    assert engine.names(state.LEGAL) == stuck_mover()["legal"]["B"]


@pytest.mark.parametrize("action", [-1, 25, 63, 64, 2**40, -(2**40)])
def test_numbers_of_no_field_are_illegal(action):
    engine = Engine()
    assert not is_legal(engine.masks, np.int64(action))
    assert is_legal(engine.masks, np.int64(17))
