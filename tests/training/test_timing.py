"""How a run settles what its config leaves open about computing, and that it keeps to it."""

import dataclasses

import numpy as np
import pytest
import torch
import yaml

from agents.neural.checkpoint_file import read_checkpoint
from agents.neural.compute import Judge, can_compile
from agents.neural.config import ComputeConfig
from agents.neural.kinds import make_encoder, make_network
from agents.neural.policy import ActionMap
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from tests.training.tiny import TINY
from training.cli import main
from training.config import BudgetConfig
from training.timing import settle
from training.train import run

SHORT = dataclasses.replace(TINY, budget=BudgetConfig(total_env_steps=300))


def with_compute(**settings):
    return dataclasses.replace(SHORT, compute=ComputeConfig(**settings))


def test_a_closed_choice_is_kept():
    config = with_compute(precision="bfloat16", compile=False)
    assert settle(config) is config


def test_an_open_precision_is_settled_by_timing():
    settled = settle(with_compute(precision=None)).compute
    assert settled.precision in {"float32", "bfloat16"}
    assert settled.compile is False


def test_where_a_run_must_be_repeatable_nothing_is_timed(monkeypatch):
    monkeypatch.setattr("training.timing._Trial", None)
    settled = settle(with_compute(precision=None, compile=None, deterministic=True)).compute
    assert (settled.precision, settled.compile) == ("float32", False)


def test_without_a_compiler_nothing_is_compiled(monkeypatch):
    monkeypatch.setattr("training.timing.can_compile", lambda: False)
    monkeypatch.setattr("agents.neural.compute.can_compile", lambda: False)
    assert settle(with_compute(compile=None)).compute.compile is False
    with pytest.raises(ValueError, match="no C\\+\\+ compiler or no Python headers here; allowed: false"):
        settle(with_compute(compile=True))


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_missing_gpu_is_told_in_one_line(tmp_path, capsys):
    words = ["train", "configs/smoke.yaml", "--out", str(tmp_path / "run"), "--compute.deterministic", "false"]
    assert main([*words, "--compute.device", "cuda"]) == 2
    assert capsys.readouterr().err == "bitblossom: compute.device='cuda': PyTorch finds no GPU here; allowed: cpu\n"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "settings",
    [
        {"device": "tpu"},
        {"precision": "float16"},
        {"deterministic": True, "precision": "bfloat16"},
        {"deterministic": True, "compile": True},
        {"deterministic": True, "device": "cuda"},
    ],
)
def test_contradictions_are_refused(settings):
    with pytest.raises(ValueError, match=r"compute\..* is not allowed.*; allowed: "):
        ComputeConfig(**settings)


def test_a_run_stores_what_it_settled_and_goes_on_with_it(tmp_path, monkeypatch):
    run(with_compute(precision=None), tmp_path)
    chosen = yaml.safe_load((tmp_path / "config.yaml").read_text())["compute"]["precision"]
    assert read_checkpoint(tmp_path).meta["config"]["compute"]["precision"] == chosen
    other = "float32" if chosen == "bfloat16" else "bfloat16"
    monkeypatch.setattr("training.timing._Trial", None)  # nothing is timed again
    longer = dataclasses.replace(with_compute(precision=None), budget=BudgetConfig(total_env_steps=600))
    run(longer, tmp_path, resume=True)
    assert yaml.safe_load((tmp_path / "config.yaml").read_text())["compute"]["precision"] == chosen != other


def judgements(compute):
    """What one network says of some positions, computed as asked."""
    setup = make_setup("bitblossom", {"num_players": 2, "board_size": 7})
    games = [random_start(setup, np.random.default_rng(seed), 1 + seed) for seed in range(8)]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network = make_network(TINY.network, setup)
        for parameter in network.parameters():  # a fresh network finds all placements alike
            torch.nn.init.normal_(parameter, std=0.3)
    encoded = make_encoder(setup).encode(np.stack([game.observe(game.to_move) for game in games]))
    masks = ActionMap(setup).mask(np.stack([game.legal_mask() for game in games]))
    said = Judge(network, compute)(encoded, masks)
    return said.logits.log_softmax(1).exp().numpy(), said.values.numpy()


def assert_alike(compute):
    (policies, values), (other_policies, other_values) = judgements(ComputeConfig()), judgements(compute)
    assert policies.dtype == other_policies.dtype == np.float32
    assert np.abs(policies - other_policies).sum(1).max() < 0.1
    np.testing.assert_allclose(values, other_values, atol=0.15)
    assert not np.array_equal(values, other_values)


def test_half_the_bits_say_nearly_the_same():
    assert_alike(ComputeConfig(precision="bfloat16"))


@pytest.mark.slow
@pytest.mark.skipif(not can_compile(), reason="no C++ compiler")
def test_machine_code_says_the_same_and_trains(tmp_path):
    (policies, values), (others, other_values) = judgements(ComputeConfig()), judgements(ComputeConfig(compile=True))
    np.testing.assert_allclose(policies, others, atol=1e-5)
    np.testing.assert_allclose(values, other_values, atol=1e-5)
    assert_alike(ComputeConfig(compile=True, precision="bfloat16"))
    run(with_compute(compile=True, precision="bfloat16"), tmp_path)
    assert read_checkpoint(tmp_path).meta["env_steps"] >= 300
