"""`cutter`: that it carries its chains through, keeps what is doomed, says what it does, and plays whole games."""

import itertools
import random

import numpy as np
import pytest

from agents import make
from agents.cuts.chains import best_chains
from agents.cutter import forbid_releases, start_of_turn
from agents.trials import ILLEGAL
from bitblossom_env.bitblossom.state import OVERLAYS
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests import provoke
from tests.agents.cuts.test_chains import EARLY, RING, TWO_WALLS
from tests.agents.cuts.test_strikes import doomed, game_of, place_all, placements, play_some, random_game
from tests.lockstep import Lockstep
from tests.painters import paint_noise, paint_tipping_wall

NOTHING = """
A . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . b . B
"""


def turn_of(game, seed=0, spec="cutter"):
    """The mover's turn: every position before an action, the last one before it ended; every action is checked."""
    agent, rng, positions = make(spec), np.random.default_rng(seed), [game.clone()]
    while True:
        game = positions[-1]
        before, generator = game.to_position(), rng.bit_generator.state
        if spec == "cutter":
            said = agent.explain(game, game.to_move, rng)
            assert rng.bit_generator.state == generator
        action = agent.act(game, game.to_move, rng)
        assert game.to_position() == before
        assert game.legal_mask()[action]
        assert action not in game.setup.retractions
        if spec == "cutter":
            check_explanation(game, said, action)
        if action == game.setup.end_turn:
            return positions
        positions.append(place_all(game, [action]))


NO_MORE = "No placement is left."


def check_explanation(game, said, action):
    """What is said names the action that follows, and a chain that takes what it says."""
    first, why = said.splitlines()
    assert first == f"cutter plays {game.describe_action(action)}."
    head, _, cells = why.partition(" takes ")
    if not cells:
        assert why == ("No chain of captures pays: it plays as greedy would." if game.remaining else NO_MORE)
        return
    names = {game.describe_action(cell): cell for cell in range(game.setup.num_cells)}
    chain = [names[name] for name in head.removeprefix("The chain ").split()]
    assert chain[0] == action
    pieces, _, _ = cells.partition(";")
    taken = sum(
        1 << 32 * (names[n] // game.setup.config.cols) + names[n] % game.setup.config.cols
        for n in pieces.split()
        if n in names
    )
    end = place_all(game, chain)
    assert doomed(end) & ~doomed(game) == taken
    assert said.endswith(f"; {len(chain)} stones, {end.bonus - game.bonus} of them given back.")


def any_start(rng):
    """A painted position, or random turns of a new game."""
    if rng.random() < 0.5:
        return random_game(rng, (5, 8))
    arguments = provoke.random_arguments(rng, (5, 8)) | {"max_turns": None}
    arguments["num_players"] = min(arguments["num_players"], 3)
    setup = make_setup("bitblossom", provoke.random_start(rng, arguments))
    return random_start(setup, np.random.default_rng(rng.randrange(2**32)), rng.randint(0, 3))


@pytest.mark.parametrize("seed", range(3))
def test_what_the_first_search_promises_is_doomed_when_the_turn_ends(seed):
    rng, num_chains, num_long = random.Random(seed), 0, 0
    for number in range(100):
        game = any_start(rng)
        if game.is_over:
            continue
        promised = min((doomed(place_all(game, cells)).bit_count() for cells in best_chains(game)), default=0)
        positions = turn_of(game, seed=number)
        assert doomed(positions[-1]).bit_count() >= promised, game.to_position()
        num_chains += promised > 0
        num_long += promised > 1 and len(positions) > 4
    assert num_chains > 10, "the sample is too tame"
    assert num_long > 2, "the sample is too tame"


@pytest.mark.parametrize("seed", range(2))
def test_nothing_doomed_is_released(seed):
    """From the start or the middle of a turn, overlays among its stones."""
    rng, num_doomed = random.Random(seed), 0
    for number in range(100):
        start = any_start(rng)
        if start.is_over:
            continue
        positions = turn_of(play_some(start, rng, 3), seed=number)
        steps = itertools.pairwise(positions)
        assert all(doomed(before) & ~doomed(after) == 0 for before, after in steps), start.to_position()
        num_doomed += doomed(positions[0]) > 0
    assert num_doomed > 3, "the sample is too tame"


@pytest.mark.parametrize("seed", range(2))
def test_exactly_the_cells_that_release_are_forbidden(seed):
    """Where one stone more tips a division, as the engine says."""
    rng, num_releases = random.Random(seed), 0
    for _ in range(150):
        arguments = provoke.random_arguments(rng, (4, 7)) | {"num_players": 2, "territory": True}
        painters = [paint_tipping_wall, paint_noise]
        start = Lockstep.from_position(provoke.random_position(rng, arguments, painters, min_turn=6)).game
        game = start if start.is_over else play_some(start, rng, 3)
        if game.is_over or not placements(game):
            continue
        state, trial, legal = game.get_state(), game.get_state(), placements(game)
        values = np.full(game.setup.num_cells + 1, ILLEGAL)
        values[legal] = 0
        arrays = [(s.masks, s.stamps, s.counters) for s in (state, trial)]
        forbid_releases(*arrays, np.zeros(state.masks.shape[2], np.uint64), values)
        kept = [cell for cell in legal if doomed(game) & ~doomed(place_all(game, [cell])) == 0]
        assert np.flatnonzero(values == 0).tolist() == kept, game.to_position()
        num_releases += len(legal) - len(kept)
    assert num_releases > 3, "the sample is too tame"


@pytest.mark.parametrize("seed", range(2))
def test_what_it_has_seen_before_changes_nothing(seed):
    """One agent asked about many positions, in two orders, plays as a new one does."""
    rng, used, num_later = random.Random(seed), make("cutter"), 0
    starts = [start for start in (any_start(rng) for _ in range(40)) if not start.is_over]
    games = [position for number, start in enumerate(starts) for position in turn_of(start, seed=number)]
    for number, game in [*enumerate(games), *reversed(list(enumerate(games)))]:
        chosen = [agent.act(game, game.to_move, np.random.default_rng(number)) for agent in (used, make("cutter"))]
        assert chosen[0] == chosen[1]
        if not game.get_state().masks[0, OVERLAYS].any():
            start = start_of_turn(game)
            assert start.hash() in {known.hash() for known in starts}, game.to_position()
            num_later += start.hash() != game.hash()
    assert num_later > 20, "the sample is too tame"


@pytest.mark.parametrize(("text", "least"), [(TWO_WALLS, 5), (RING, 1)], ids=["two walls", "ring"])
def test_drawn_chains_are_carried_out(text, least):
    for seed in range(3):
        assert doomed(turn_of(game_of(text, **EARLY), seed)[-1]).bit_count() >= least


def test_nothing_is_spent_where_nothing_can_be_captured():
    """The same turn as that of greedy."""
    game = game_of(NOTHING, **EARLY)
    for seed in range(5):
        turns = [[position.hash() for position in turn_of(game, seed, spec)] for spec in ("cutter", "greedy")]
        assert turns[0] == turns[1]


def test_it_says_which_chain_it_follows():
    agent, rng = make("cutter"), np.random.default_rng(0)
    game = game_of(RING, **EARLY)
    assert agent.explain(game, 0, rng) == (
        "cutter plays c4.\nThe chain c4 d5 takes d4; 2 stones, 0 of them given back."
    )
    game = game_of(NOTHING, **EARLY)
    choice = game.describe_action(agent.act(game, 0, np.random.default_rng(0)))
    assert agent.explain(game, 0, rng) == (
        f"cutter plays {choice}.\nNo chain of captures pays: it plays as greedy would."
    )


def whole_game(setup, specs, seed, max_turns=None):
    """Plays a game of `specs` in turn, every action checked; returns the actions."""
    game, rng, actions = setup.new_game(np.random.default_rng(seed)), np.random.default_rng(seed), []
    agents = [make(spec) for spec in specs]
    while not game.is_over and game.turn != max_turns:
        action = agents[(game.to_move + seed) % len(agents)].act(game, game.to_move, rng)
        assert game.legal_mask()[action]
        game.apply(action)
        actions.append(action)
    return actions


@pytest.mark.parametrize("num_players", [2, 3, 8])
def test_mixed_games_are_legal_and_repeat(num_players):
    """About a hundred games over the three player counts."""
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": (6, 7) if num_players < 8 else (9, 9)})
    specs = ["cutter", "greedy", "random"]
    games = [whole_game(setup, specs, seed, max_turns=60) for seed in range(34)]
    assert whole_game(setup, specs, 3, max_turns=60) == games[3]
    assert len(set(map(tuple, games))) > 30


@pytest.mark.parametrize("board_size", [(3, 3), (3, 12), (12, 3)])
def test_the_smallest_boards_are_played_to_the_end(board_size):
    bases = [[0, 0], [board_size[0] - 1, board_size[1] - 1]]
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": board_size, "home_bases": bases})
    assert whole_game(setup, ["cutter"], 0)


def test_it_takes_neither_argument_nor_options():
    with pytest.raises(ValueError, match="agent 'cutter' has no argument 'fast'; allowed: cutter"):
        make("cutter:fast")
    with pytest.raises(ValueError, match="agent 'cutter' has no option 'width'"):
        make("cutter?width=3")
