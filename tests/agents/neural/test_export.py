"""What `bitblossom export` writes gives the same numbers as the network, on every board."""

import json

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from agents.neural.checkpoint_file import read_checkpoint
from agents.neural.compute import Judge
from agents.neural.kinds import make_encoder
from agents.neural.policy import ActionMap
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from training.checkpoint import CheckpointStore
from training.cli import main
from training.config import BudgetConfig, NetworkConfig, TrainConfig
from training.train import Trainer

GRID = NetworkConfig(channels=8, blocks=2, hidden=16)
GRAPH = NetworkConfig(kind="graph", channels=8, blocks=2, hidden=16)


def stored(out, game, rules, network):
    """A checkpoint of a network whose every weight counts."""
    config = TrainConfig(BudgetConfig(total_env_steps=1), game=game, rules=rules, network=network)
    trainer = Trainer(config, out)
    for parameter in trainer.learner.network.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    trainer.save(CheckpointStore(out, 1))
    return out


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A run of each game and what was exported from it."""
    found = {}
    for game, rules, network in (("bitblossom", {"board_size": 7}, GRID), ("aronda", {}, GRAPH)):
        out = stored(tmp_path_factory.mktemp(game), game, rules, network)
        assert main(["export", str(out), "--out", str(out / "network.onnx")]) == 0
        found[game] = out
    return found


def compare(out, file, setup, num_turns):
    """Positions of a setup as the file and as the network see them: the greatest difference."""
    games = [random_start(setup, np.random.default_rng(seed), num_turns) for seed in range(5)]
    observations = np.stack([game.observe(game.to_move) for game in games])
    legal = np.stack([game.legal_mask() for game in games])
    mask = ActionMap(setup).mask(legal)
    placeable = legal[:, setup.placements.start : setup.placements.stop].reshape(len(games), *setup.board_shape)
    session = onnxruntime.InferenceSession(file.read_bytes())
    log_probs, values = session.run(None, {"observation": observations, "placeable": placeable})
    seen = Judge(read_checkpoint(out).network(setup))(make_encoder(setup).encode(observations), mask)
    expected = seen.logits.log_softmax(1).numpy()
    assert log_probs.shape == mask.shape
    np.testing.assert_allclose(log_probs[mask], expected[mask], atol=1e-4)
    assert (np.exp(log_probs[~mask]) == 0).all()
    np.testing.assert_allclose(values, seen.values.numpy(), atol=1e-5)
    assert np.ptp(values) > 1e-3, "weights that count give values that differ"


@pytest.mark.parametrize("board_size", [7, 5, (6, 11)], ids=str)
def test_a_file_for_grids_plays_every_board(files, board_size):
    out = files["bitblossom"]
    compare(out, out / "network.onnx", make_setup("bitblossom", {"board_size": board_size}), 6)


def test_a_graph_is_exported_too(files):
    compare(files["aronda"], files["aronda"] / "network.onnx", make_setup("aronda", {}), 6)


def test_the_number_of_players_is_the_files(files, tmp_path):
    file = tmp_path / "three.onnx"
    assert main(["export", str(files["bitblossom"]), "--out", str(file), "--players", "3", "--board", "6"]) == 0
    compare(files["bitblossom"], file, make_setup("bitblossom", {"num_players": 3, "board_size": 8}), 6)
    with pytest.raises(Exception, match="Got: 25 Expected: 33"):
        compare(files["bitblossom"], file, make_setup("bitblossom", {"board_size": 7}), 6)


def test_the_file_names_its_planes(files):
    model = onnx.load_model(files["bitblossom"] / "network.onnx")
    facts = {prop.key: json.loads(prop.value) for prop in model.metadata_props}
    assert tuple(facts["planes"]) == make_setup("bitblossom", {"board_size": 7}).plane_names
    assert facts["game"] == "bitblossom"
    assert facts["rules"]["board_size"] == [7, 7]
    onnx.checker.check_model(model)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nowhere", "--out", "x.onnx"], "nowhere: no such folder"),
        (["RUN", "--out", "x.onnx", "--players", "9"], "num_players=9"),
        (["RUN", "--out", "x.onnx", "--board", "2"], "board_size=2"),
        (["RUN", "--out", "."], "is a folder"),
        (["RUN"], "out"),
    ],
)
def test_what_cannot_be_exported_is_told_in_one_line(files, capsys, words, complaint):
    assert main(["export", *(str(files["bitblossom"]) if word == "RUN" else word for word in words)]) == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]
