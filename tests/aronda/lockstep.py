"""Compares a game of Aronda with the slow twin, and plays both."""

from __future__ import annotations

import json

import numpy as np

from bitblossom_env.aronda.board import NAMES
from bitblossom_env.aronda.game import ArondaGame
from bitblossom_env.core.game import make_setup
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS, THRESHOLDS


def planes_of(twin, observer):
    """What a seat sees, from the twin."""
    seats = [observer, 1 - observer]
    constants = [int(not twin.is_over and twin.to_move == seat) for seat in seats]
    left = 0 if twin.is_over else twin.stones_left
    return [
        *([twin.stones(field, seat) for field in FIELDS] for seat in seats),
        *([int(twin.owners.get(field) == seat) for field in FIELDS] for seat in seats),
        [THRESHOLDS[field] for field in FIELDS],
        [int(field in twin.last_turn) for field in FIELDS],
        *([active] * 25 for active in constants),
        [left] * 25,
    ]


def compare(game, twin):
    """Everything that both know."""
    assert (game.to_move, game.turn, game.is_over) == (twin.to_move, twin.turn, twin.is_over)
    assert [NAMES[k] for k in np.flatnonzero(game.legal_mask())] == twin.legal()
    for seat in (0, 1):
        assert game.observe(seat).tolist() == planes_of(twin, seat)
    assert game.outcome is None or (
        game.outcome.reason.value == twin.reason
        and game.outcome.winners == twin.winners
        and game.outcome.areas == (twin.fields_of(0), twin.fields_of(1))
        and game.outcome.owner.tolist() == [twin.owners.get(field, -1) for field in FIELDS]
    )
    again = ArondaGame.from_position(json.loads(json.dumps(game.to_position())))
    assert (again.hash(), again.is_over) == (game.hash(), game.is_over)
    assert again.legal_mask().tolist() == game.legal_mask().tolist()


def choose_field(twin, rng):
    """A legal field, now and then one that holds a stone of the mover already, so that fields are taken early."""
    legal = twin.legal()
    begun = [field for field in legal if twin.stones(field, twin.to_move)]
    return rng.choice(begun if begun and rng.random() < 0.4 else legal)


def play(arguments, starting_player, rng, choose):
    """Plays a game on engine and twin, both compared before every stone; returns the names of the fields."""
    rules = {name: value for name, value in arguments.items() if name != "reward"}
    twin = ArondaTwin(**rules, starting_player=starting_player)
    game = make_setup("aronda", arguments).new_game(np.random.default_rng(0), starting_player)
    names = []
    while not twin.is_over:
        compare(game, twin)
        names.append(choose(twin, rng))
        twin.place(names[-1])
        game.apply(FIELDS.index(names[-1]))
    compare(game, twin)
    return names
