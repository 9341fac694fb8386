"""The symmetries of the board, found from its table, commute with the rules; how games end."""

import numpy as np
import pytest

from bitblossom_env.aronda.board import NAMES, NEIGHBOURS, NUM_FIELDS, THRESHOLDS
from bitblossom_env.core.game import EndReason, make_setup
from bitblossom_env.core.rollout import random_action

OUTER = [number for number, name in enumerate(NAMES) if name[0] == "o"]


def are_neighbours(one, other):
    return bool(int(NEIGHBOURS[one]) >> other & 1)


def extend(mapping):
    """All ways to go on with a mapping of the first fields to fields with equal thresholds and equal neighbourships."""
    field = len(mapping)
    if field == NUM_FIELDS:
        yield tuple(mapping)
        return
    for image in range(NUM_FIELDS):
        fits = image not in mapping and THRESHOLDS[image] == THRESHOLDS[field]
        if fits and all(are_neighbours(field, k) == are_neighbours(image, mapping[k]) for k in range(field)):
            yield from extend([*mapping, image])


SYMMETRIES = sorted(extend([]))


def test_there_are_eight_and_they_keep_the_rings():
    assert len(SYMMETRIES) == 8
    assert all(NAMES[field][0] == NAMES[image][0] for mapping in SYMMETRIES for field, image in enumerate(mapping))


@pytest.mark.parametrize("mapping", SYMMETRIES, ids=lambda mapping: NAMES[mapping[1]] + NAMES[mapping[2]])
def test_games_turned_and_mirrored_are_the_same(mapping):
    setup, rng = make_setup("aronda"), np.random.default_rng(0)
    images = np.array(mapping)
    for _ in range(10):
        game, image = setup.new_game(rng), setup.new_game(rng)
        while not game.is_over:
            assert (game.legal_mask() == image.legal_mask()[images]).all()
            for seat in (0, 1):
                assert (game.observe(seat) == image.observe(seat)[:, images]).all()
            action = random_action(game, rng)
            game.apply(action)
            image.apply(mapping[action])
        assert image.outcome.winners == game.outcome.winners
        assert (game.outcome.owner == image.outcome.owner[images]).all()


def test_full_boards_have_a_winner_and_blockades_an_owned_outer_ring():
    setup, rng, seen = make_setup("aronda"), np.random.default_rng(1), set()
    for _ in range(300):
        game = setup.new_game(rng)
        while not game.is_over:
            game.apply(random_action(game, rng))
        outcome = game.outcome
        seen.add(outcome.reason)
        if outcome.reason is EndReason.FULL_BOARD:
            assert len(outcome.winners) == 1
            assert max(outcome.areas) >= 13
            assert sum(outcome.areas) == 25
        else:
            assert (outcome.owner[OUTER] >= 0).all()
    assert seen == {EndReason.FULL_BOARD, EndReason.BLOCKADE}
