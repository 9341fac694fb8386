"""`greedy` in Aronda against the slow twin: its choice is among the best by the terms that it names."""

import random
from collections import Counter

import numpy as np
import pytest

from agents import make
from bitblossom_env.aronda.board import NAMES
from bitblossom_env.core.game import make_setup
from tests.agents.playing import play_game
from tests.aronda.lockstep import choose_field
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS, THRESHOLDS


def terms_of(twin, field):
    """What a stone brings: a win, fields gained, fields of the chain, less the stones still lacking."""
    tried, seat = twin.clone(), twin.to_move
    tried.place(field)
    gained = tried.fields_of(seat) - twin.fields_of(seat)
    lacking = 0 if field in tried.owners else THRESHOLDS[field] - tried.stones(field, seat)
    return tried.winners == (seat,), gained, len(tried.chain(seat)), -lacking


@pytest.mark.parametrize("rules", [{}, {"blockade": False}, {"stop_at_majority": True}], ids=str)
def test_the_choice_is_among_the_best(rules):
    agent, seen = make("greedy"), Counter()
    for seed in range(8):
        rng, chance, twin = random.Random(seed), np.random.default_rng(seed), ArondaTwin(**rules)
        game = make_setup("aronda", rules).new_game(chance)
        while not twin.is_over:
            terms = {field: terms_of(twin, field) for field in twin.legal()}
            action = agent.act(game, game.to_move, chance)
            assert terms[NAMES[action]] == max(terms.values())
            seen["wins"] += max(terms.values())[0]
            seen["gains"] += max(terms.values())[1] > 1
            seen["ties"] += list(terms.values()).count(max(terms.values())) > 1
            field = NAMES[action] if rng.random() < 0.5 else choose_field(twin, rng)
            twin.place(field)
            game.apply(FIELDS.index(field))
    assert min(seen[name] for name in ("wins", "gains", "ties")) >= 5


def test_it_says_what_a_stone_brings():
    game, rng = make_setup("aronda").new_game(np.random.default_rng(0)), np.random.default_rng(0)
    assert make("greedy").explain(game, 0, rng).splitlines()[1] == (
        "It gains 0 fields, makes a chain of 1, and leaves 1 stones to the threshold; 3 other fields are as good."
    )


def test_a_game_is_played_alike_with_a_seed():
    first, again, other = (play_game(make_setup("aronda"), [make("greedy")], seed) for seed in (1, 1, 2))
    assert first == again != other
