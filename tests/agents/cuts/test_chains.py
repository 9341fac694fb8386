"""Chains of strikes: drawn, against a search of all sets of stones, and what every chain keeps to."""

import itertools
import random

import pytest

from agents.cuts.chains import CAPTURE_WORTH, NUM_EQUALS, best_chains
from tests.agents.cuts.test_strikes import doomed, game_of, place_all, play_some, random_game, sets_of_stones

EARLY = {"turns_taken": [2, 2], "turn": 4}
TWO_WALLS = """
A . . . . . . .
. . . . b . . .
. . . b . b . .
. . b . b . . .
. b . b . . . .
. . b . . . . .
. . . . . . . .
. . . . . . . B
"""  # three stones across take four, and the four placements given back arm more
RING = """
A . . . . . .
. . . . . . .
. . . a . . .
. . . b a . .
. . . . . . .
. . . . . . .
. . . . . . B
"""
THREE_FOR_ONE = """
A . . . . . .
. . . . . . .
. . . a . . .
. . . b . . .
. . . . . . .
. . . . . . .
. . . . . . B
"""  # worth 3, as much as the stones


def worth_of(game):
    return CAPTURE_WORTH * doomed(game).bit_count() + game.remaining


def test_a_cut_of_four_arms_a_second_cut():
    game = game_of(TWO_WALLS, **EARLY)
    most = max(doomed(after).bit_count() for _, after in sets_of_stones(game, 3))
    assert most == 4
    chains = best_chains(game)
    assert chains
    for cells in chains:
        after_three, end = place_all(game, cells[:3]), place_all(game, cells)
        assert after_three.bonus == after_three.remaining == 4
        assert end.bonus > 4
        assert doomed(end).bit_count() > 4


def test_a_ring_of_two_missing_stones_is_closed():
    game = game_of(RING, **EARLY)
    assert {frozenset(map(game.describe_action, cells)) for cells in best_chains(game)} == {frozenset({"c4", "d5"})}


def test_what_is_worth_only_its_stones_does_not_pay():
    assert best_chains(game_of(THREE_FOR_ONE, **EARLY)) == []


@pytest.mark.parametrize("seed", range(3))
def test_best_of_all_sets_of_stones(seed):
    """Without bonus a turn is a set of up to three stones: the search finds the best of all, with the fewest stones."""
    rng, num_gains = random.Random(seed), 0
    rules = {"territory": False, "bonus_cap": 0, "placements_per_turn": 3, "first_turn_placements": None, "cuts": True}
    for _ in range(60):
        game = random_game(rng, (5, 6), **rules, opening_rule="none")
        best, fewest = max(
            ((worth_of(after), -len(cells)) for cells, after in sets_of_stones(game, game.remaining)), default=(0, 0)
        )
        chains = best_chains(game)
        assert bool(chains) == (best > worth_of(game)), game.to_position()
        for cells in chains:
            assert (worth_of(place_all(game, cells)), -len(cells)) == (best, fewest), game.to_position()
        num_gains += bool(chains)
    assert num_gains > 5, "the sample is too tame"


@pytest.mark.parametrize("seed", range(2))
def test_chains_are_legal_pay_alike_and_release_nothing(seed):
    """Under all rules, from the start and the middle of turns, with overlays and walls that a stone may undo."""
    rng, num_chains, num_long, num_later = random.Random(seed), 0, 0, 0
    for _ in range(100):
        start = random_game(rng, (5, 9))
        game = play_some(start, rng, 3)
        chains = best_chains(game)
        assert best_chains(game) == chains
        assert len(chains) <= NUM_EQUALS
        worths = set()
        for cells in chains:
            games = [game, *(place_all(game, cells[: k + 1]) for k in range(len(cells)))]
            assert all(doomed(before) & ~doomed(after) == 0 for before, after in itertools.pairwise(games))
            worths.add((worth_of(games[-1]), len(cells)))
        assert len(worths) <= 1
        assert all(worth > worth_of(game) for worth, _ in worths)
        num_chains += bool(chains)
        num_long += any(len(cells) > 3 for cells in chains)
        num_later += bool(chains) and game.hash() != start.hash()
    assert num_chains > 15, "the sample is too tame"
    assert num_long > 2, "the sample is too tame"
    assert num_later > 5, "the sample is too tame"
