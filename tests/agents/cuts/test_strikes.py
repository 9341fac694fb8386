"""Strikes, drawn and against a search of all sets of stones."""

import itertools
import random

import numpy as np
import pytest

from agents.cuts.strikes import MAX_LACKING, NUM_KINDS, NUM_SETS, fill_strike, find_anchors, mark_sets
from bitblossom_env.bitblossom.state import DOOMED
from bitblossom_env.core.diagram import parse_diagram
from tests import provoke
from tests.lockstep import Lockstep
from tests.painters import PAINTERS, paint_noise

ONLY_LINKS = {"territory": False, "cuts": True, "ring_orthogonal": True, "ring_diagonal": True, "bonus_cap": None}
ONLY_LINKS |= {"placements_per_turn": 3, "opening_rule": "none"}


def game_of(text, **fields):
    return Lockstep.from_position(parse_diagram(text, **fields)).game


def doomed(game):
    """The doomed pieces, as one number with a bit for each cell."""
    rows = game.get_state().masks[0, DOOMED].tolist()
    return sum(row << 32 * r for r, row in enumerate(rows))


def placements(game):
    return np.flatnonzero(game.legal_mask()[: game.setup.num_cells]).tolist()


def place_all(game, cells):
    """The game after stones on `cells`, each of which must be legal when its turn comes."""
    trial = game.clone()
    for cell in cells:
        trial.apply(cell)
    return trial


def sets_of_stones(game, size):
    """Yields every set of 1..size stones on empty cells, with the game after them."""
    taken = {r * game.setup.config.cols + c for r, c, *_ in game.to_position()["pieces"]}
    empty = [cell for cell in placements(game) if cell not in taken]
    shorter = [(frozenset(), -1, game)]
    for _ in range(size):
        longer = []
        for cells, last, before in shorter:
            legal = before.legal_mask()
            for cell in empty:
                if cell > last and legal[cell]:
                    longer.append((cells | {cell}, cell, place_all(before, [cell])))
                    yield longer[-1][0], longer[-1][2]
        shorter = longer


def random_game(rng, sides, **rules):
    """A running game that somebody painted, before the first action of a turn."""
    while True:
        arguments = provoke.random_arguments(rng, sides) | rules
        arguments["num_players"] = min(arguments["num_players"], 3)
        painters = [paint_noise, *rng.choices(PAINTERS, k=1)]
        game = Lockstep.from_position(provoke.random_position(rng, arguments, painters, min_turn=3)).game
        if not game.is_over:
            return game


def play_some(game, rng, most):
    """The game after up to `most` placements: cells of strikes, or any, overlays among them."""
    game = game.clone()
    for _ in range(rng.randint(0, most)):
        cells = placements(game)
        strikes = strikes_of(game)
        wanted = [cell for cell in cells if any(cell in strike for strike in strikes)]
        if cells:
            game.apply(rng.choice(wanted if wanted and rng.random() < 0.7 else cells))
    return game


def strikes_of(game):
    """The cells of every strike that the kernels find."""
    state = game.get_state()
    masks, counters, found = state.masks[0], state.counters[0], set()
    sets, strike = np.zeros((NUM_SETS, masks.shape[1]), np.uint64), np.zeros(MAX_LACKING, np.int64)
    mark_sets(masks, counters, sets)
    for row, kind in itertools.product(range(masks.shape[1]), range(NUM_KINDS)):
        anchors = int(find_anchors(masks, sets, row, kind))
        for column in range(anchors.bit_length()):
            if anchors >> column & 1:
                anchor = row * game.setup.config.cols + column
                found.add(frozenset(strike[: fill_strike(masks, counters, anchor, kind, strike)].tolist()))
    return found - {frozenset()}


LONE = """
A . . . . .
. . . . . .
. . b . . .
. . . . . .
. . . . . .
. . . . . B
"""  # a lone stone never falls to a pierce
PAIR_AND_BASE = """
A . . . . .
. . . . . .
. . B b . .
. . . . . .
. . . . . .
"""  # a cut or a ring takes the stone, never the base; a pierce needs the base beside it
BASE_BESIDE_A_CUT = """
A . .  . . .
. . a* . . .
. . b  . . .
. . a* B . .
. . a* . . .
. . .  . . .
"""
OVERLAY = """
A  .  .  .  .
.  .  b  .  .
a* b+ a* a* .
.  .  b  .  .
.  .  .  .  B
"""  # b3 reads as the enemy's piece


def names_of(game):
    return {" ".join(map(game.describe_action, sorted(cells))) for cells in strikes_of(game)}


def test_a_lone_stone_has_its_rings_alone():
    assert names_of(game_of(LONE, turns_taken=[2, 2], turn=4)) == {"c2 b3 d3 c4", "b2 d2 b4 d4"}


def test_a_base_is_no_victim():
    """Of the pair, only the stone is pierced and ringed; the joints need two pieces on a diagonal."""
    assert names_of(game_of(PAIR_AND_BASE, turns_taken=[2, 2], turn=4)) == {
        "c2 e2 c4 e4",
        "d1 d2 d4",
        "d2 d4 d5",
        "b1 c2 e4",
        "c2 e4 f5",
        "f1 e2 c4",
        "e2 c4 b5",
    }


def test_a_joint_that_would_take_a_base_and_what_is_taken_already_is_no_strike():
    """The joint of d3 and c4, with e2 or b5 in line, has c3 and the base at its corners."""
    game = game_of(BASE_BESIDE_A_CUT, turns_taken=[2, 2], turn=4)
    assert game.remaining == 1
    assert names_of(game) == set()


def test_an_overlay_is_no_part_of_a_strike():
    """With a stone in its place, b1 and d1 would ring c2, and b5 and d5 would ring c4."""
    fields = {"turns_taken": [2, 2], "turn": 4, "rules": {"placements_per_turn": 7}}
    rings = {"b1 d1", "b5 d5"}
    assert not rings & names_of(game_of(OVERLAY, **fields))
    assert rings <= names_of(game_of(OVERLAY.replace("b+", "a*"), **fields))


@pytest.mark.parametrize("seed", range(3))
def test_every_smallest_capture_is_a_strike_and_every_strike_captures(seed):
    """At the start and in the middle of turns, against all sets of up to three stones."""
    rng, num_strikes, num_later = random.Random(seed), 0, 0
    for _ in range(60):
        start = random_game(rng, (5, 6), **ONLY_LINKS)
        game = play_some(start, rng, 3)
        num_stones = min(game.remaining, 3)
        strikes = {cells for cells in strikes_of(game) if len(cells) <= num_stones}
        captures = []
        for cells, after in sets_of_stones(game, num_stones):
            is_capture = doomed(after) & ~doomed(game) or after.bonus > game.bonus
            if is_capture and not any(known < cells for known in captures):
                captures.append(cells)
            assert is_capture or cells not in strikes, (game.to_position(), cells)
        assert set(captures) <= strikes, game.to_position()
        num_strikes += len(captures)
        num_later += len(captures) if game.hash() != start.hash() else 0
    assert num_strikes > 20, "the sample is too tame"
    assert num_later > 5, "the sample is too tame"
