"""What a step keeps up to date is what a position worked out anew has: no field is left behind."""

import numpy as np
import pytest

from bitblossom_env.bitblossom import state as fields
from bitblossom_env.bitblossom.game import BitBlossomGame
from bitblossom_env.core.game import make_setup

SETUPS = [
    {"board_size": 5},
    {"board_size": (5, 7), "num_players": 3},
    {"board_size": 9, "opening_rule": "none", "max_retractions_per_turn": None},
    {"board_size": (3, 17), "home_bases": [(0, 0), (2, 16)], "placements_per_turn": 5},
]
NUM_ACTIONS = 700
WITH_TIES = {(5, 5), (3, 17)}  # boards on which equal seas come often
WRITTEN_OVER = (fields.WORK_A, fields.WORK_B, fields.WORK_C)


def random_action(game, rng):
    """A legal action; overlays and placements in the mover's sea are what divides it, so they come often."""
    legal = np.flatnonzero(game.legal_mask())
    occupied = game.observe(game.to_move)[: game.num_seats].any(0).ravel()
    overlays = legal[(legal < occupied.size) & occupied[np.minimum(legal, occupied.size - 1)]]
    if overlays.size and rng.random() < 0.7:
        return int(rng.choice(overlays))
    placements = legal[legal < occupied.size]
    return int(rng.choice(placements if placements.size and rng.random() < 0.85 else legal))


def assert_kept(game, seen):
    kept = game.get_state()
    anew = BitBlossomGame.from_position(game.to_position()).get_state()
    sets = [field for field in range(kept.masks.shape[1]) if field not in WRITTEN_OVER]
    for field in sets:
        assert np.array_equal(kept.masks[0, field], anew.masks[0, field]), f"set {field}"
    assert np.array_equal(kept.stamps[0, fields.STAMP], anew.stamps[0, fields.STAMP])
    has_piece = kept.stamps[0, fields.STAMP] != fields.NO_PIECE
    assert np.array_equal(kept.stamps[0, fields.RECENCY][has_piece], anew.stamps[0, fields.RECENCY][has_piece])
    own, fresh = kept.counters[0].copy(), anew.counters[0].copy()
    # The runner-up may be kept too great, which only asks for a refinement that was not needed; never too small.
    assert own[fields.NOW_RUNNER_UP] >= fresh[fields.NOW_RUNNER_UP]
    own[fields.NOW_RUNNER_UP] = fresh[fields.NOW_RUNNER_UP] = 0
    assert np.array_equal(own, fresh), np.flatnonzero(own != fresh)
    seen["overlays"] += bool(kept.masks[0, fields.OVERLAYS].any())
    seen["divided"] += bool(anew.counters[0, fields.NOW_RUNNER_UP])
    seen["tied"] += bool(own[fields.NOW_PARTS] > 1)


@pytest.mark.parametrize("arguments", SETUPS, ids=str)
def test_kept_fields_are_those_worked_out_anew(arguments):
    setup = make_setup("bitblossom", arguments)
    rng = np.random.default_rng(4)
    seen = {"overlays": 0, "divided": 0, "tied": 0, "ended": 0}
    game = setup.new_game(rng)
    for _ in range(NUM_ACTIONS):
        if game.is_over:
            seen["ended"] += 1
            game = setup.new_game(rng)
        game.apply(random_action(game, rng))
        if not game.is_over:
            assert_kept(game, seen)
    assert seen["ended"] > 0
    assert seen["divided"] > 0
    assert seen["overlays"] > 0
    assert seen["tied"] > 0 or setup.board_shape not in WITH_TIES
