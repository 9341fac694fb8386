"""`mcts`: what it takes and saves, whole games, and that nothing it keeps changes its play."""

import copy

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from agents.playouts.searched import SearchedBitBlossom
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_action, random_start
from tests.agents import playing
from tests.agents.fights import FALLS_TO_THREE_AT_THE_EDGE, FALLS_TO_TWO, IN_DANGER, can_be_taken, game_of, play_turn


def new_setup(num_players=2, board_size=7, **arguments):
    return make_setup("bitblossom", {"num_players": num_players, "board_size": board_size, **arguments})


def middle_game(num_players=2, seed=0, num_turns=6):
    return random_start(new_setup(num_players), np.random.default_rng(seed), num_turns)


@pytest.mark.parametrize("text", [FALLS_TO_TWO, FALLS_TO_THREE_AT_THE_EDGE])
@pytest.mark.parametrize("seed", range(3))
def test_a_base_that_falls_in_one_turn_is_taken(text, seed):
    after = play_turn("mcts:100", game_of(text), seed)
    assert after.is_over
    assert after.outcome.winners == (0,)


@pytest.mark.parametrize("seed", range(3))
def test_a_base_that_would_fall_is_saved(seed):
    game = game_of(IN_DANGER)
    passed = game.clone()
    passed.apply(game.setup.end_turn)
    assert can_be_taken(passed, 0)
    after = play_turn("mcts:200", game, seed)
    assert after.is_over or not can_be_taken(after, 0)


@pytest.mark.parametrize("num_players", [2, 3, 8])
def test_games_of_mixed_agents_are_legal(num_players):
    agents = [make("mcts:4"), make("greedy"), make("mcts:3?threads=2")]
    assert playing.play_game(new_setup(num_players), agents, 1)


def test_the_smallest_board_is_played():
    setup = new_setup(2, 3, home_bases=[[0, 0], [2, 2]])
    for seed in range(3):
        assert playing.play_game(setup, [make("mcts:30")], seed)


def test_equal_seeds_equal_games_and_others_differ():
    setup = new_setup(2, 5)
    first, again, other = (playing.play_game(setup, [make("mcts:8")], seed) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("spec", ["mcts:30", "mcts:31?threads=2"])
def test_a_plan_that_is_kept_changes_nothing(spec):
    """Games side by side with one agent, each alone, and with a new agent for every action: the same actions."""
    starts = [middle_game(seed=seed) for seed in range(3)]
    alone = [playing.play_turn(make(spec), game.clone(), np.random.default_rng(7)) for game in starts]
    afresh = []
    for game in starts:
        clone, rng, actions = game.clone(), np.random.default_rng(7), []
        while clone.turn == game.turn:
            actions.append(make(spec).act(clone, clone.to_move, rng))
            clone.apply(actions[-1])
        afresh.append(actions)
    agent = make(spec)
    games, rngs = [game.clone() for game in starts], [np.random.default_rng(7) for _ in starts]
    together = [[], [], []]
    while any(game.turn == start.turn for game, start in zip(games, starts, strict=True)):
        for game, start, rng, actions in zip(games, starts, rngs, together, strict=True):
            if game.turn == start.turn:
                actions.append(agent.act(game, game.to_move, rng))
                game.apply(actions[-1])
    assert alone == afresh == together


def test_stones_that_somebody_else_placed_are_built_upon():
    game = middle_game()
    game.apply(random_action(game, np.random.default_rng(5)))
    agent = make("mcts:30")
    agent.act(SearchedBitBlossom().turn_start(game), game.to_move, np.random.default_rng(1))
    chosen = agent.act(game, game.to_move, np.random.default_rng(1))
    assert chosen == make("mcts:30").act(game, game.to_move, np.random.default_rng(1))
    assert game.legal_mask()[chosen]


def test_the_start_of_a_turn_is_found_again():
    game = middle_game(3)
    before = game.hash()
    rng = np.random.default_rng(2)
    for _ in range(3):
        game.apply(random_action(game, rng))
    assert SearchedBitBlossom().turn_start(game).hash() == before != game.hash()


def num_simulations(agent, game, seed):
    """How many simulations an explanation tells of."""
    return int(agent.explain(game, game.to_move, np.random.default_rng(seed)).splitlines()[1].split()[0])


def test_simulations_of_earlier_actions_of_the_turn_are_kept():
    game, agent = middle_game(), make("mcts:60")
    counts = []
    for _ in range(3):
        counts.append(num_simulations(agent, game, 1))
        game.apply(agent.act(game, game.to_move, np.random.default_rng(1)))
    assert counts[0] == 60
    assert all(count > 60 for count in counts[1:])


def test_explaining_tells_what_is_played_and_leaves_no_trace():
    game, agent, rng = middle_game(), make("mcts:50"), np.random.default_rng(4)
    state = copy.deepcopy(rng.bit_generator.state)
    text = agent.explain(game, game.to_move, rng)
    assert text == make("mcts:50").explain(game, game.to_move, rng)
    assert rng.bit_generator.state == state
    chosen = agent.act(game, game.to_move, rng)
    lines = text.splitlines()
    assert lines[0] == f"mcts:50 plays {game.describe_action(chosen)}."
    assert lines[2].startswith(game.describe_action(chosen) + ": ")
    while game.remaining > 0:
        game.apply(random_action(game, rng))
    assert agent.explain(game, game.to_move, rng) == "mcts:50 plays end.\nNothing can be placed."
    assert agent.act(game, game.to_move, rng) == game.setup.end_turn


def test_the_clock_ends_a_search():
    game = middle_game()
    agent = make("mcts:10000000?seconds=0.02")
    assert game.legal_mask()[agent.act(game, game.to_move, np.random.default_rng(0))]
    count = num_simulations(agent, game, 0)
    assert 0 < count < 10_000_000
