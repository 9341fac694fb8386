"""Agents from checkpoints: what the command refuses before play, and many games at once."""

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch

import agents
from agents.neural.checkpoint_file import SCHEMA_VERSION
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests.training.checkpoints import FAULTS, Bomb, change_meta, save
from training.cli import main

GOLDEN = Path(__file__).parents[1] / "data"


@pytest.fixture
def folder(tmp_path):
    return save(tmp_path)


@pytest.mark.parametrize("name", ["bomb.pt", "bomb.safetensors", "latest"])
@pytest.mark.parametrize("write", [pickle.dump, torch.save])
def test_a_pickle_is_no_checkpoint_whatever_its_name(tmp_path, capsys, name, write):
    with (tmp_path / name).open("wb") as file:
        write({"weights": Bomb(tmp_path / "exploded")}, file)
    for path in (tmp_path / name, tmp_path):
        assert main(["evaluate", f"checkpoint:{path}", "random", "--games", "2"]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert "allowed: " in captured.err
        assert str(path) in captured.err
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("fault", ["pickle", "torch pickle", "truncated", "newer", "another game"])
def test_the_command_refuses_a_checkpoint_before_anything_is_played(tmp_path, folder, capsys, fault):
    damage = (lambda path: change_meta(path, game="aronda")) if fault == "another game" else FAULTS[fault][0]
    damage(folder)
    report = tmp_path / "report.json"
    words = ["evaluate", "random", f"checkpoint:{folder}", "--board", "5", "--games", "4", "--json", str(report)]
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert str(folder) in captured.err
    assert fault != "another game" or "plays game='aronda', not 'bitblossom'; allowed: " in captured.err
    assert not report.exists()
    assert not (folder / "exploded").exists()


def test_asked_together_a_network_plays_as_asked_alone(folder):
    agent = agents.make(f"checkpoint:{folder}?temperature=0")
    setup = make_setup("bitblossom", {"num_players": 3, "board_size": 6})
    games = [random_start(setup, np.random.default_rng(seed), seed % 5) for seed in range(40)]
    seats = [game.to_move for game in games]
    rngs = [np.random.default_rng(0)] * len(games)
    hashes = [game.hash() for game in games]
    together = agent.act_many(games, seats, rngs)
    assert together == [agent.act(*asked) for asked in zip(games, seats, rngs, strict=True)]
    assert len(set(together)) > 4
    assert [game.hash() for game in games] == hashes


def test_asked_together_each_game_has_chance_of_its_own(folder):
    agent = agents.make(f"checkpoint:{folder}?temperature=1")
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 7})
    games = [setup.new_game(np.random.default_rng(0)) for _ in range(12)]
    rngs = [np.random.default_rng(seed) for seed in (*range(6), *range(6))]
    actions = agent.act_many(games, [0] * 12, rngs)
    assert actions[:6] == actions[6:]
    assert len(set(actions)) > 2


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_checkpoints_of_every_schema_that_ever_was_still_play(version):
    agent = agents.make(f"checkpoint:{GOLDEN / f'checkpoint_schema_{version}'}?temperature=0")
    game = make_setup("bitblossom", {"num_players": 3, "board_size": 9}).new_game(np.random.default_rng(0))
    action = agent.act(game, 0, np.random.default_rng(0))
    assert game.legal_mask()[action]
    assert len(agent.identity) == 64
