"""`solver:N` against plain minimax over the slow twin, on late positions."""

import random

import numpy as np
import pytest

from agents import make
from bitblossom_env.aronda.board import NAMES, NUM_FIELDS
from bitblossom_env.core.game import make_setup
from tests.aronda.lockstep import choose_field
from tests.reference.aronda import ArondaTwin
from tests.reference.aronda_board import FIELDS

RULES = [{}, {"blockade": False}, {"stop_at_majority": True}]
MOST_UNOWNED = 4


def value_of(twin, known):
    """What a position is worth to seat 0 if both play best, by looking at everything."""
    if twin.is_over:
        return 0 if len(twin.winners) == 2 else 1 if twin.winners == (0,) else -1
    key = tuple(sorted(twin.owners.items())), tuple(sorted(twin.counts.items())), twin.to_move, twin.stones_left
    if key not in known:
        values = []
        for field in twin.legal():
            tried = twin.clone()
            tried.place(field)
            values.append(value_of(tried, known))
        known[key] = max(values) if twin.to_move == 0 else min(values)
    return known[key]


def late_position(seed):
    """Game and twin with at most MOST_UNOWNED unowned fields, None where the game has ended before."""
    rules, rng = RULES[seed % len(RULES)], random.Random(seed)
    twin, game = ArondaTwin(**rules), make_setup("aronda", rules).new_game(np.random.default_rng(seed))
    while not twin.is_over and NUM_FIELDS - len(twin.owners) > MOST_UNOWNED:
        field = choose_field(twin, rng)
        twin.place(field)
        game.apply(FIELDS.index(field))
    return None if twin.is_over else (game, twin)


def compare(num_positions, first_seed):
    """Compares so many positions; returns how often each value came."""
    solver, seed, seen = make("solver:1000000"), first_seed, {-1: 0, 0: 0, 1: 0}
    while sum(seen.values()) < num_positions:
        seed += 1
        found = late_position(seed)
        if found is None:
            continue
        game, twin = found
        known = {}
        sign = 1 if twin.to_move == 0 else -1
        verdict = solver.solve(game)
        assert verdict.value == sign * value_of(twin, known)
        tried = twin.clone()
        tried.place(NAMES[verdict.field])
        assert sign * value_of(tried, known) == verdict.value
        seen[verdict.value] += 1
    return seen


def test_it_agrees_with_minimax():
    seen = compare(16, 0)
    assert min(seen[-1], seen[1]) >= 3


@pytest.mark.slow
def test_it_agrees_with_minimax_on_500_positions():
    seen = compare(500, 10_000)
    assert min(seen[-1], seen[1]) >= 50


def test_without_enough_positions_it_plays_as_greedy():
    game = make_setup("aronda").new_game(np.random.default_rng(0))
    solver, greedy = make("solver:50"), make("greedy")
    assert solver.solve(game) is None
    for seed in range(5):
        rngs = [np.random.default_rng(seed) for _ in range(2)]
        assert solver.act(game, 0, rngs[0]) == greedy.act(game, 0, rngs[1])
    assert "50 positions do not settle it" in solver.explain(game, 0, np.random.default_rng(0))


def test_it_says_what_it_knows():
    texts = set()
    for seed in range(30):
        found = late_position(seed)
        if found is not None:
            game, _ = found
            before = game.hash()
            text = make("solver:100000").explain(game, game.to_move, np.random.default_rng(0))
            assert game.hash() == before
            assert text.splitlines()[0].startswith("solver:100000 plays ")
            texts.add(text.splitlines()[1].partition(":")[0])
    assert {"It wins", "It loses against best play, and plays as greedy would"} <= texts


def test_a_decision_does_not_depend_on_those_before():
    games = [found[0] for found in map(late_position, range(40)) if found is not None][:8]
    one = make("solver:20000")
    together = [one.solve(game) for game in games for _ in range(2)]
    assert together == [make("solver:20000").solve(game) for game in games for _ in range(2)]


@pytest.mark.parametrize("spec", ["solver", "solver:0", "solver:x", "solver:-3", "solver:9999999999"])
def test_other_numbers_are_refused(spec):
    with pytest.raises(ValueError, match=r"allowed: solver:N, N positions, 1\.\."):
        make(spec)
    with pytest.raises(ValueError, match="agent 'solver' has no option 'depth'"):
        make("solver:3?depth=3")
