"""Whole runs on tiny settings: learning, repeating, resuming, stopping."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file

import tests.training.toy  # noqa: F401 - registers the game
from agents.neural.checkpoint_file import read_checkpoint
from agents.neural.layout import MODEL_FILE
from agents.neural.symmetry import Symmetries
from tests.training.tiny import TINY
from training.checkpoint import CheckpointStore
from training.config import BudgetConfig, CheckpointConfig, GumbelConfig, OpponentConfig, PpoConfig, RolloutConfig
from training.opponents import LATEST, Planner, copy_weights, hash_weights
from training.ppo import Schedule, Shaping, learnable
from training.records import Job
from training.train import Trainer, run
from training.workers import Workers

ROOT = Path(__file__).parents[2]
TOY = dataclasses.replace(
    TINY,
    game="toy",
    rules={},
    rollout=RolloutConfig(32, 16, 1, random_start_share=0.0),
    ppo=PpoConfig(learning_rate=0.01, final_learning_rate=0.01, minibatch=32),
)


def make_trainer(config, out):
    return Trainer(config, out)


def rows_of(out):
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


def play(config, plans, past=None):
    weights = copy_weights(make_trainer(config, Path()).learner.network)
    with Workers(config) as workers:
        return workers.play([Job(0, plans, weights, past or {}, (1, 2, 3))])


def test_the_ledger_books_every_seat_whoever_moved_last():
    """Seat 0 decides everything and never moves last: its return must reach its decision, in its column."""
    planner = Planner(OpponentConfig(self_play_share=1.0), TOY.rollout, 3, 8)
    rollout = play(TOY, planner.plan([], 64, np.random.default_rng(0)))
    decisions, results = rollout.decisions, rollout.results
    assert decisions.movers.tolist() == [0, 1, 2] * 64
    assert decisions.games.tolist() == [game for game in range(64) for _ in range(3)]
    assert rollout.env_steps == 3 * 64
    data = learnable(
        decisions, results, Symmetries.of_grid(3, 3), PpoConfig(value_lambda=1.0, policy_lambda=1.0), Shaping(0.0)
    )
    won = results.returns[:, 0] > 0
    assert 0 < won.sum() < 64
    targets = data.value_targets.numpy().reshape(64, 3, 3)
    # Seen by seat 0 its own return is column 0; by seat 1 column 2; by seat 2 column 1.
    for mover, column in ((0, 0), (1, 2), (2, 1)):
        np.testing.assert_allclose(targets[:, mover, column], results.returns[:, 0], atol=1e-6)
    advantages = data.advantages.numpy().reshape(64, 3)
    assert (advantages[won, 0] > advantages[~won, 0].max()).all()
    assert (advantages[won, 1] < advantages[~won, 1].min()).all()
    assert np.ptp(advantages[:, 2]) == 0.0
    # The winning stone, under the symmetry of each game, is where the home base is seen.
    base = decisions.planes[::3, 7].reshape(64, 9).argmax(1)
    np.testing.assert_array_equal(decisions.actions[::3] == base, won)
    # Final owners: the cell of the mover's own stone is its own, index 0; six cells are nobody's, index P.
    owners = data.owners.numpy().reshape(64, 3, 9)
    for mover in range(3):
        chosen = decisions.actions[mover::3]
        assert (owners[np.arange(64), mover, chosen] == 0).all()
    assert ((owners == 3).sum(2) == 6).all()


def test_a_reward_for_those_who_do_not_move_last_is_learnt(tmp_path):
    trainer = make_trainer(TOY, tmp_path)
    with Workers(TOY) as workers:
        for _ in range(40):
            trainer.update(workers)
        planner = Planner(OpponentConfig(self_play_share=1.0), TOY.rollout, 3, 8)
        plans = planner.plan([], 200, np.random.default_rng(9))
        weights = copy_weights(trainer.learner.network)
        rollout = workers.play([Job(0, plans, weights, {}, (5,))])
    assert rollout.results.win_shares[:, 0].mean() > 0.8  # by chance 1/9


def test_learner_sits_in_every_seat_equally_often_and_opponents_are_drawn_by_weight():
    opponents = OpponentConfig(self_play_share=0.4, past_weight=0.0, scripted_weights={"greedy": 3.0, "random": 1.0})
    plans = Planner(opponents, RolloutConfig(), 4, 8).plan([], 4000, np.random.default_rng(0))
    mixed = [plan for plan in plans if plan.opponents]
    assert abs(len(mixed) - 2400) < 100
    seats = np.bincount([plan.players.index(LATEST) for plan in mixed], minlength=4)
    expected = len(mixed) / 4
    assert ((seats - expected) ** 2 / expected).sum() < 16.3  # chi-square, 3 degrees of freedom, 0.1 %
    drawn = [player for plan in mixed for player in plan.opponents]
    assert len(drawn) == 3 * len(mixed)
    assert abs(drawn.count("greedy") / len(drawn) - 0.75) < 0.03
    assert {plan.symmetry for plan in plans} == set(range(8))


def test_only_the_learners_decisions_are_kept_in_mixed_games():
    opponents = OpponentConfig(self_play_share=0.0, past_weight=0.0, scripted_weights={"random": 1.0})
    plans = Planner(opponents, TINY.rollout, 2, 8).plan([], 12, np.random.default_rng(0))
    rollout = play(TINY, plans)
    learner = np.array([plan.players.index(LATEST) for plan in plans])
    np.testing.assert_array_equal(rollout.decisions.movers, learner[rollout.decisions.games])
    np.testing.assert_array_equal(rollout.results.learner.argmax(1), learner)
    assert (rollout.decisions.masks.sum(1) > 1).all()  # where only one action is left, nothing is decided
    np.testing.assert_allclose(rollout.results.returns.sum(1), 0.0)


def test_the_same_seed_gives_the_same_run_and_past_selves_stay_as_they_were(tmp_path):
    hashes = []
    for _ in range(2):
        trainer = make_trainer(TINY, tmp_path)
        frozen = {}
        with Workers(TINY) as workers:
            for _ in range(3):
                trainer.update(workers)
                frozen |= {member.name: member.sha256 for member in trainer.pool.members}
        for member in trainer.pool.members:
            assert hash_weights(member.weights) == frozen[member.name]
        assert len(set(frozen.values())) == 3  # it did learn in between
        hashes.append(hash_weights(copy_weights(trainer.learner.network)))
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize(
    ("half", "num_workers", "gumbel"),
    [
        (2, 1, None),
        (2, 2, None),
        (2, 2, GumbelConfig(num_simulations=8, fast_simulations=2)),
        pytest.param(10, 2, None, marks=pytest.mark.slow),  # half a minute: 20 updates = 10 + 10
        pytest.param(10, 2, GumbelConfig(num_simulations=8, fast_simulations=2), marks=pytest.mark.slow),
    ],
)
def test_some_updates_a_checkpoint_and_as_many_more_are_all_of_them_at_once(tmp_path, half, num_workers, gumbel):
    config = dataclasses.replace(TINY, rollout=dataclasses.replace(TINY.rollout, workers=num_workers), gumbel=gumbel)
    with Workers(config) as workers:
        straight = make_trainer(config, tmp_path)
        rows = [straight.update(workers) for _ in range(2 * half)]
        first = make_trainer(config, tmp_path)
        for _ in range(half):
            first.update(workers)
        first.save(CheckpointStore(tmp_path, 2))
        second = make_trainer(config, tmp_path)
        second.restore(tmp_path)
        resumed = [second.update(workers) for _ in range(half)]
    assert hash_weights(copy_weights(second.learner.network)) == hash_weights(copy_weights(straight.learner.network))
    assert [m.sha256 for m in second.pool.members] == [m.sha256 for m in straight.pool.members]
    for a, b in zip(rows[half:], resumed, strict=True):
        for name in ("update", "env_steps", "losses", "win_rates", "end_reasons", "schedule"):
            assert a[name] == b[name], name
    moments = [trainer.learner.optimizer.state_dict()["state"] for trainer in (straight, second)]
    for index, state in moments[0].items():
        for name, value in state.items():
            assert torch.equal(value, moments[1][index][name])


def test_a_run_leaves_its_files_and_can_be_prolonged(tmp_path):
    config = dataclasses.replace(TINY, budget=BudgetConfig(total_env_steps=900), checkpoint=CheckpointConfig(0.0, 2))
    run(config, tmp_path)
    rows = rows_of(tmp_path)
    assert rows[-1]["env_steps"] >= 900 > rows[-2]["env_steps"]
    assert yaml.safe_load((tmp_path / "config.yaml").read_text()) == config.as_dict()
    assert list((tmp_path / "tensorboard").iterdir())
    checkpoint = read_checkpoint(tmp_path)
    assert checkpoint.meta["env_steps"] == rows[-1]["env_steps"] == int(checkpoint.folder.name)
    with pytest.raises(ValueError, match="holds a run already"):
        run(config, tmp_path)
    # A crash after a metrics line and before its checkpoint: the line is from a future that did not happen.
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write(json.dumps({**rows[-1], "env_steps": 10**7}) + '\n{"env_ste')
    longer = dataclasses.replace(config, budget=BudgetConfig(total_env_steps=1800))
    run(longer, tmp_path, resume=True)
    after = rows_of(tmp_path)
    assert after[: len(rows)] == rows
    assert [row["update"] for row in after] == list(range(1, len(after) + 1))
    assert after[-1]["seconds"] > rows[-1]["seconds"]


@pytest.mark.parametrize(("num_players", "board_size"), [(3, 6), (8, 9)])
def test_every_number_of_seats_trains_and_goes_on(tmp_path, num_players, board_size):
    rules = {"num_players": num_players, "board_size": board_size, "max_turns": 24}
    config = dataclasses.replace(TINY, rules=rules, budget=BudgetConfig(total_env_steps=1))
    run(config, tmp_path)
    run(dataclasses.replace(config, budget=BudgetConfig(total_env_steps=2000)), tmp_path, resume=True)
    rows = rows_of(tmp_path)
    assert len(rows) > 1
    assert all(len(row["learner_seats"]) == num_players for row in rows)
    assert all(np.isfinite(list(row["losses"].values())).all() for row in rows)
    assert set(rows[-1]["win_rates"]) == {"past", "random"}


def test_resuming_nothing_is_refused(tmp_path):
    with pytest.raises(ValueError, match="holds no meta"):
        run(TINY, tmp_path, resume=True)


def test_numbers_that_break_stop_the_run_and_leave_the_batch(tmp_path):
    trainer = make_trainer(TINY, tmp_path)
    before = hash_weights(copy_weights(trainer.learner.network))
    planner = Planner(OpponentConfig(self_play_share=1.0), TINY.rollout, 2, 8)
    with Workers(TINY) as workers:
        weights = copy_weights(trainer.learner.network)
        rollout = workers.play([Job(0, planner.plan([], 8, np.random.default_rng(0)), weights, {}, (1,))])
        rollout.results.returns[3, 0] = np.nan
        data = learnable(rollout.decisions, rollout.results, Symmetries.of_grid(5, 5), TINY.ppo, Shaping(0.0))
        with pytest.raises(FloatingPointError, match=r"policy=nan.*not_finite\.safetensors") as caught:
            trainer.learner.update(data, 0, Schedule(1e-3, 0.0, 0.0), workers, np.random.default_rng(0))
    assert "\n" not in str(caught.value)
    assert torch.isnan(load_file(tmp_path / "not_finite.safetensors")["value_targets"]).any()
    assert hash_weights(copy_weights(trainer.learner.network)) == before


def test_a_fault_in_another_process_is_told(tmp_path):
    config = dataclasses.replace(TINY, rollout=dataclasses.replace(TINY.rollout, workers=2))
    planner = Planner(OpponentConfig(self_play_share=1.0), config.rollout, 2, 8)
    plans = planner.plan([], 4, np.random.default_rng(0))
    good = Job(0, plans, copy_weights(make_trainer(config, tmp_path).learner.network), {}, (1,))
    with Workers(config) as workers, pytest.raises(RuntimeError, match=r"worker-1 failed:(.|\n)*stem"):
        workers.play([good, dataclasses.replace(good, weights={})])


@pytest.mark.parametrize("numbers", [{}, {"total_env_steps": 0}, {"max_seconds": -1.0}])
def test_a_run_without_an_end_is_refused(numbers):
    with pytest.raises(ValueError, match="budget"):
        BudgetConfig(**numbers)


def test_schedules_run_with_the_budget():
    assert BudgetConfig(total_env_steps=100).progress(25, 1e9) == 0.25
    assert BudgetConfig(total_env_steps=100, max_seconds=10).progress(25, 5) == 0.5
    ppo = PpoConfig(learning_rate=1.0, final_learning_rate=0.5, area_reward=0.4, area_reward_until=0.5)
    assert Schedule.at(ppo, 0.0).area_reward == 0.4
    assert Schedule.at(ppo, 0.25).area_reward == pytest.approx(0.2)
    assert Schedule.at(ppo, 0.75).area_reward == 0.0
    assert Schedule.at(ppo, 0.5).learning_rate == 0.75


def smoke_command(out, *more):
    return [sys.executable, "-m", "training.cli", "train", "configs/smoke.yaml", "--out", str(out), *more]


def test_the_smoke_config_runs_from_the_command_line_twice_alike(tmp_path):
    hashes = set()
    for seed in ("1", "2"):
        out = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            smoke_command(out), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        hashes.add(read_checkpoint(out).meta["sha256"][MODEL_FILE])
    assert len(hashes) == 1


def test_ctrl_c_saves_says_how_to_go_on_and_going_on_is_exact(tmp_path):
    out = tmp_path / "run"
    process = subprocess.Popen(
        smoke_command(out, "--budget.total_env_steps", "4000"), cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 120
    while not (out / "metrics.jsonl").exists() or not (out / "metrics.jsonl").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "--resume" in said
    stopped_at = read_checkpoint(out).meta["env_steps"]
    assert stopped_at < 4000
    for more, folder in ((("--resume",), out), ((), tmp_path / "straight")):
        subprocess.run(
            smoke_command(folder, "--budget.total_env_steps", "4000", *more), cwd=ROOT, timeout=300, check=True
        )
    ends = [read_checkpoint(folder) for folder in (out, tmp_path / "straight")]
    assert ends[0].meta["sha256"][MODEL_FILE] == ends[1].meta["sha256"][MODEL_FILE]
    assert ends[0].meta["env_steps"] == ends[1].meta["env_steps"]
