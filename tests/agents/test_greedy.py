"""Greedy against its formula, computed by the slow twin; and whole games of it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents import make
from agents.trials import ILLEGAL, placement_values
from bitblossom_env.core.diagram import parse_diagram
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests import provoke
from tests.bitblossom.test_traps_after_turn import FATEFUL
from tests.lockstep import Lockstep
from tests.painters import PAINTERS, paint_noise
from tests.policies import choose_greedily, choose_undoing
from tests.reference.twin import Twin

SIDES = (5, 9)
MAX_PLAYERS = 4
# What the positions must hold, so that no term of the formula goes untested
WALLED, STANDING = "enemy base newly in territory", "enemy base in territory since before"
LOST, BONUS, CAPPED = "own base in enemy territory", "bonus", "bonus cap in force"
OVERLAY, MID_TURN, TIE = "overlay", "middle of a turn", "tie"
NO_PLACEMENT, NO_GAIN = "ended: no placement legal", "ended: no placement raises the value"
OFTEN = {WALLED, STANDING, OVERLAY, MID_TURN, TIE, NO_PLACEMENT}
RARELY = {LOST, BONUS, CAPPED, NO_GAIN}


def value_of_ending(twin: Twin, seen: Counter[str]) -> int:
    """What the position is worth to the mover if the turn ends now."""
    mover, standing, bonus = twin.to_move, twin.standing(), twin.bonus()
    enemies = [seat for seat in range(twin.num_seats) if seat != mover]
    after = twin.clone()
    after.apply(2 * twin.num_cells)
    areas, own = after.areas(), after.territory(mover)
    walled = [after.board.base_of(seat) for seat in enemies if after.board.base_of(seat) in own]
    newly = [base for base in walled if base not in standing]
    is_lost = any(after.board.base_of(mover) in after.territory(seat) for seat in enemies)
    by_cut = twin.doomed_by()["joint"] | twin.doomed_by()["pierce"]
    has_more = sum(not twin.board.lower[cell].is_base for cell in by_cut) > bonus
    seen += Counter({WALLED: len(newly), LOST: is_lost, BONUS: bonus, CAPPED: has_more, STANDING: walled != newly})
    return areas[mover] - max(areas[seat] for seat in enemies) + 2 * bonus + 1000 * len(newly) - 1000 * is_lost


def values_of(twin: Twin, seen: Counter[str]) -> list[int]:
    """What `placement_values` should say: per cell, ILLEGAL where no stone may be placed; last, of ending now."""
    values = []
    for action in range(twin.num_cells):
        if twin.refusals(action):
            values.append(ILLEGAL)
            continue
        seen[OVERLAY] += twin.cell_of(action) in twin.board.lower
        tried = twin.clone()
        tried.apply(action)
        values.append(value_of_ending(tried, seen))
    return [*values, value_of_ending(twin, seen)]


def random_arguments(rng: random.Random) -> provoke.Arguments:
    arguments = provoke.random_arguments(rng, SIDES)
    return arguments | {"num_players": min(arguments["num_players"], MAX_PLAYERS)}


def random_turns(rng: random.Random) -> dict[str, Any]:
    """The position after some random turns of a new game."""
    arguments = random_arguments(rng) | {"max_turns": None}
    setup = make_setup("bitblossom", provoke.random_start(rng, arguments))
    most = setup.num_actions // 4 // arguments["placements_per_turn"]  # turns that fill half of the board
    return random_start(setup, np.random.default_rng(rng.randrange(2**32)), rng.randint(0, most)).to_position()


def painted(rng: random.Random) -> dict[str, Any]:
    """Walls, sieges, rings and noise."""
    return provoke.random_position(rng, random_arguments(rng), rng.choices(PAINTERS, k=rng.randint(1, 3)))


def staged(rng: random.Random) -> dict[str, Any]:
    """One or two stones away from something rare."""
    painter, _ = rng.choice(provoke.STAGED)
    return provoke.random_position(rng, random_arguments(rng), [painter], min_turn=6)


def crowded(rng: random.Random) -> dict[str, Any]:
    """Noise of everybody in which many lines of three stones are cuts."""
    arguments = random_arguments(rng) | {"cuts": True, "placements_per_turn": rng.choice((3, 4))}
    return provoke.random_position(rng, arguments, [paint_noise], min_turn=3)


def random_lockstep(rng: random.Random) -> Lockstep:
    """A running game on both sides, often in the middle of a turn."""
    while True:
        source = rng.choice((random_turns, painted, staged, crowded))
        lockstep = Lockstep.from_position(source(rng))
        policy = rng.choice((choose_greedily, choose_undoing))
        for _ in range(rng.choice((0, 0, 1, 2, 2, 3, 4))):
            inside = sorted(lockstep.twin.legal_actions() - {lockstep.setup.end_turn})
            if inside:
                lockstep.apply(policy(lockstep.twin, inside, rng))
        if not lockstep.twin.is_over:
            return lockstep


def check_position(lockstep: Lockstep, number: int, seen: Counter[str]) -> None:
    """Compares every value with the formula, and the choice with its maximisers."""
    game, twin = lockstep.game, lockstep.twin
    expected = values_of(twin, seen)
    *of_placing, of_ending = expected
    best = max(of_placing)
    maximisers = [cell for cell, value in enumerate(of_placing) if value == best]
    allowed = maximisers if best > of_ending else [lockstep.setup.end_turn]
    seen[MID_TURN] += bool(twin.board.stones_of_turn(twin.turn))
    seen[NO_PLACEMENT if best == ILLEGAL else NO_GAIN] += best <= of_ending
    seen[TIE] += len(allowed) > 1
    before = game.to_position()
    assert placement_values(game).tolist() == expected, before
    for seed in range(3):
        assert make("greedy").act(game, game.to_move, np.random.default_rng([number, seed])) in allowed, before
    assert game.to_position() == before


def kinds_in_sample(seed: int, num_positions: int) -> set[str]:
    """Checks random positions; returns what they held."""
    rng, seen = random.Random(seed), Counter()
    for number in range(num_positions):
        check_position(random_lockstep(rng), number, seen)
    return {kind for kind, count in seen.items() if count}


@pytest.mark.parametrize("seed", range(2))
def test_greedy_maximises_its_formula(seed):
    assert kinds_in_sample(seed, 50) >= OFTEN, "the sample is too tame"


@pytest.mark.slow
def test_greedy_maximises_its_formula_on_500_positions():
    assert kinds_in_sample(100, 500) >= OFTEN | RARELY, "the sample is too tame"


CUT_AHEAD = """
.  .  .  a* . . .
.  b  a* .  . . .
.  .  b  .  . . .
.  .  .  .  . . .
A  .  .  .  . . B
"""  # b3 completes a cut of b2 and c3
ALL_SETTLED = """
. . A b b b
. . a b b b
. . a b B b
. . a b b b
"""  # the left is territory: a stone there counts as much as the empty cell


@pytest.mark.parametrize(
    ("text", "fields", "kind", "choice"),
    [
        (CUT_AHEAD, {"rules": {"bonus_cap": None}}, BONUS, "b3"),
        (CUT_AHEAD, {"rules": {"bonus_cap": 1}}, CAPPED, "b3"),
        (ALL_SETTLED, {}, NO_GAIN, "end"),
        (FATEFUL, {"to_move": 1, "rules": {"placements_per_turn": 1}}, LOST, None),
    ],
    ids=["bonus", "bonus cap", "no gain", "own base lost"],
)
def test_rare_terms_of_the_formula(text, fields, kind, choice):
    lockstep, seen = Lockstep.from_position(parse_diagram(text, **fields)), Counter()
    check_position(lockstep, 0, seen)
    assert seen[kind]
    chosen = make("greedy").act(lockstep.game, lockstep.game.to_move, np.random.default_rng(0))
    name = lockstep.game.describe_action(chosen)
    assert name == choice if choice else name != "f5"  # the capture that loses the own base


def test_ties_are_broken_by_the_generator():
    """On an open board many cells are worth the same: each is chosen now and then, by equal seeds the same."""
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 5})
    game = setup.new_game(np.random.default_rng(0))
    values = placement_values(game)[:-1]
    choices = [make("greedy").act(game, 0, np.random.default_rng(seed)) for seed in range(400)]
    assert set(choices) == set(np.flatnonzero(values == values.max()).tolist())
    assert len(set(choices)) > 5
    assert choices == [make("greedy").act(game, 0, np.random.default_rng(seed)) for seed in range(400)]


def greedy_game(num_players: int, seed: int) -> tuple[list[int], Counter[int]]:
    """Plays a game of greedy on all seats, every action checked; returns the actions, and how many each seat had."""
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": (9, 10)})
    game, agent, rng = setup.new_game(np.random.default_rng(seed)), make("greedy"), np.random.default_rng(seed)
    actions, turns = [], Counter()
    while not game.is_over:
        action = agent.act(game, game.to_move, rng)
        assert game.legal_mask()[action]
        assert action not in setup.retractions
        turns[game.to_move] += 1
        game.apply(action)
        actions.append(action)
    return actions, turns


@pytest.mark.parametrize("num_players", range(2, 9))
def test_whole_games_are_legal_and_repeat(num_players):
    actions, turns = greedy_game(num_players, seed=1)
    assert set(turns) == set(range(num_players))
    assert greedy_game(num_players, seed=1)[0] == actions
    assert greedy_game(num_players, seed=2)[0] != actions
