"""Networks that search before they play: `checkpoint:PATH?sims=N`, and the bot that ships."""

import numpy as np
import pytest

from agents import make
from agents.neural.checkpoint_agent import CheckpointAgent
from agents.neural.searching import SearchingAgent
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests.agents.playing import play_game
from tests.training.checkpoints import save
from training.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save(tmp_path_factory.mktemp("run"))


def starts(num_games, board_size=5, num_players=2):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": board_size})
    return [random_start(setup, np.random.default_rng(seed), 1 + seed % 5) for seed in range(num_games)]


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_it_plays_whole_games_and_takes_nothing_back(folder, num_players):
    agents = [make(f"checkpoint:{folder}?sims=4"), make("greedy")]
    play_game(make_setup("bitblossom", {"num_players": num_players, "board_size": 5}), agents, num_players)


def test_many_games_at_once_are_played_as_one_by_one(folder):
    agent, games = make(f"checkpoint:{folder}?sims=8"), starts(20)
    rngs = [np.random.default_rng(0)] * 20
    seats = [game.to_move for game in games]
    before = [game.hash() for game in games]
    together = agent.act_many(games, seats, rngs)
    assert together == [agent.act(game, game.to_move, np.random.default_rng(9)) for game in games]
    assert [game.hash() for game in games] == before


def test_its_explanation_names_what_it_plays(folder):
    agent, game = make(f"checkpoint:{folder}?sims=16"), starts(1)[0]
    lines = agent.explain(game, game.to_move, np.random.default_rng(0)).splitlines()
    played = game.describe_action(agent.act(game, game.to_move, np.random.default_rng(0)))
    assert lines[0].endswith(f"plays {played}.")
    assert lines[1].startswith("16 simulations; expected returns (")
    assert any(line.startswith(f"{played}: ") for line in lines[2:])


@pytest.mark.parametrize("options", ["sims=0", "sims=5000", "sims=x", "sims=4&temperature=1", "searches=4"])
def test_wrong_options_are_told_in_one_line(folder, capsys, options):
    assert main(["evaluate", f"checkpoint:{folder}?{options}", "random", "--board", "5", "--games", "2"]) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert "allowed: " in complaint


def test_blossom_is_there_and_searches_when_asked():
    plain, searching = make("blossom"), make("blossom?sims=4")
    assert (plain.name, searching.name) == ("blossom", "blossom?sims=4")
    assert isinstance(plain, CheckpointAgent)
    assert isinstance(searching, SearchingAgent)
    with pytest.raises(ValueError, match=r"allowed: blossom, blossom\?sims=N"):
        make("blossom:9x9")
    with pytest.raises(ValueError, match="agent 'blossom' has no option 'depth'"):
        make("blossom?depth=3")


@pytest.mark.parametrize("board_size", [5, 9, 19])
@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_blossom_plays_on_every_board(board_size, num_players):
    game = starts(2, board_size, num_players)[1]
    for agent in (make("blossom"), make("blossom?sims=2")):
        assert game.legal_mask()[agent.act(game, game.to_move, np.random.default_rng(0))]


def test_blossom_beats_greedy():
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 7})
    agents, points = {0: make("blossom"), 1: make("greedy")}, 0.0
    for seed in range(20):
        game, rng = random_start(setup, np.random.default_rng(seed), 2), np.random.default_rng(seed)
        bot = seed % 2
        while not game.is_over:
            game.apply(agents[game.to_move != bot].act(game, game.to_move, rng))
        points += (game.returns()[bot] + 1) / 2
    assert points >= 15  # of 20
