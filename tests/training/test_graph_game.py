"""Training on a board that is no grid, in a game whose turns end by themselves: Aronda."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import agents
from bitblossom_env.core.game import make_setup
from tests.agents.playing import play_game
from training.cli import main
from training.config import BudgetConfig, NetworkConfig, OpponentConfig, PpoConfig, RolloutConfig, TrainConfig
from training.opponents import Planner, copy_weights
from training.records import Job
from training.rollout import SelfPlay
from training.train import Trainer, run

TINY = TrainConfig(
    budget=BudgetConfig(total_env_steps=2000),
    game="aronda",
    rules={},
    network=NetworkConfig(kind="graph", channels=8, blocks=1, hidden=8),
    rollout=RolloutConfig(games_per_update=8, slots=4, workers=1),
    opponents=OpponentConfig(snapshot_every=1, pool_size=2, scripted_weights={"random": 0.5}),
    ppo=PpoConfig(minibatch=128),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("graph") / "run"
    run(TINY, out)
    return out


def test_a_run_trains_and_goes_on(folder):
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert len(rows) > 2
    assert all(row["losses"]["owner"] > 0 for row in rows)
    assert {name for row in rows for name in row["end_reasons"]} <= {"full_board", "blockade"}
    longer = dataclasses.replace(TINY, budget=BudgetConfig(total_env_steps=3000))
    run(longer, folder, resume=True)


def test_what_it_leaves_plays(folder):
    setup, agent = make_setup("aronda"), agents.make(f"checkpoint:{folder}")
    first, again, other = (play_game(setup, [agent, agents.make("random")], seed) for seed in (1, 1, 2))
    assert first == again != other
    game = setup.new_game(np.random.default_rng(0))
    said = agent.explain(game, 0, np.random.default_rng(0)).splitlines()
    assert said[1].startswith("The network finds likeliest: o")


def test_it_is_rated_by_the_command(folder, capsys):
    words = ["evaluate", f"checkpoint:{folder}", "random", "--game", "aronda", "--games", "8"]
    assert main(words) == 0
    assert "8 games in 4 blocks" in capsys.readouterr().out


def test_it_plays_no_other_game(folder, capsys):
    assert main(["evaluate", f"checkpoint:{folder}", "random", "--board", "5", "--games", "4"]) == 2
    assert "plays game='aronda', not 'bitblossom'; allowed" in capsys.readouterr().err


def test_a_network_for_grids_is_refused_before_anything_is_played(tmp_path, capsys):
    words = ["train", "configs/smoke.yaml", "--out", str(tmp_path / "run"), "--game", "aronda", "--rules", "{}"]
    assert main(words) == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    assert complaint == ("bitblossom: network.kind='grid' does not play on the board of aronda; allowed: 'graph'")
    assert not (tmp_path / "run").exists()


def test_decisions_are_the_learners_and_targets_are_what_came_of_them():
    setup = make_setup("aronda")
    plans = Planner(TINY.opponents, TINY.rollout, 2, 1).plan([], 9, np.random.default_rng(0))
    rollout = SelfPlay(setup, TINY).play(Job(0, plans, network_weights(), {}, (1, 2)))
    results, decisions = rollout.results, rollout.decisions
    assert results.survived.all(), "nobody is eliminated in this game"
    assert (results.owners.shape, decisions.planes.shape[1:]) == ((9, 25), (9, 25))
    assert results.learner[decisions.games, decisions.movers].all()
    for game in range(9):
        shares = np.bincount(results.owners[game][results.owners[game] >= 0], minlength=2) / 25
        np.testing.assert_allclose(results.areas[game], shares)
    assert not decisions.masks[:, -1].any()
    assert decisions.masks[np.arange(len(decisions.actions)), decisions.actions].all()


def network_weights():
    """The weights of a fresh network, as a job carries them."""
    return copy_weights(Trainer(TINY, Path()).learner.network)
