"""Runs over several boards and numbers of players, and runs that begin with the weights of another."""

import dataclasses
import json

import numpy as np
import pytest

from agents.neural.checkpoint_file import read_checkpoint
from tests.training.tiny import TINY
from training.checkpoint import CheckpointStore
from training.cli import main
from training.config import BudgetConfig, VariantConfig
from training.course import Course
from training.opponents import copy_weights, hash_weights
from training.train import Trainer, run
from training.workers import Workers

SMALL = VariantConfig({"board_size": 5}, ends=0.5)
LARGE = VariantConfig({"board_size": (6, 5), "num_players": 3}, begins=0.5)
LARGE_ALONE = dataclasses.replace(LARGE, begins=0.0)
ALWAYS = VariantConfig({"board_size": 6}, weight=3.0)
RUN = dataclasses.replace(
    TINY,
    budget=BudgetConfig(total_env_steps=4000),
    rules={"num_players": 2, "max_turns": 12},
    variants=[SMALL, LARGE],
)


def rows_of(out):
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


def hash_of(trainer):
    return hash_weights(copy_weights(trainer.learner.network))


def test_one_season_follows_the_other(tmp_path):
    run(RUN, tmp_path)
    rows = rows_of(tmp_path)
    played = [row["variant"] for row in rows]
    assert played == sorted(played)
    assert set(played) == {0, 1}
    for before, row in zip([None, *rows], rows, strict=False):
        begun_at = before["env_steps"] if before else 0
        assert row["variant"] == (begun_at >= 2000)
        assert len(row["learner_seats"]) == 2 + row["variant"]
    rates = rows[-1]["win_rates"]
    assert set(rates) <= {f"{kind} ({variant})" for kind in ("random", "past") for variant in (0, 1)}
    scripted = [share for name, share in rates.items() if name.startswith("random")]
    assert read_checkpoint(tmp_path).meta["score"] == pytest.approx(sum(scripted) / len(scripted))


def test_variants_in_season_are_drawn_by_weight():
    course = Course(dataclasses.replace(RUN, variants=[SMALL, LARGE, ALWAYS]))
    rng = np.random.default_rng(0)
    for progress, names in ((0.2, (0, 2)), (0.5, (1, 2)), (1.0, (1, 2))):
        drawn = np.bincount([course.draw(progress, rng) for _ in range(2000)], minlength=3) / 2000
        assert drawn[names[1]] == pytest.approx(0.75, abs=0.04)
        assert drawn[list(names)].sum() == 1


def test_two_updates_and_two_more_are_four_updates(tmp_path):
    config = dataclasses.replace(RUN, variants=[LARGE_ALONE, dataclasses.replace(ALWAYS, weight=1.0)])
    drawn = []
    with Workers(config) as workers:
        straight, first = Trainer(config, tmp_path), Trainer(config, tmp_path)
        drawn += [straight.update(workers)["variant"] for _ in range(4)]
        for _ in range(2):
            first.update(workers)
        first.save(CheckpointStore(tmp_path, 3))
        second = Trainer(config, tmp_path)
        second.restore(tmp_path)
        for _ in range(2):
            second.update(workers)
    assert set(drawn) == {0, 1}
    assert hash_of(second) == hash_of(straight) != hash_of(first)


def test_a_run_begins_with_the_weights_of_another_and_nothing_else(tmp_path):
    run(dataclasses.replace(RUN, budget=BudgetConfig(total_env_steps=500)), tmp_path / "first")
    config = dataclasses.replace(RUN, start_from=str(tmp_path / "first"), variants=[LARGE_ALONE])
    trainer = Trainer(config, tmp_path / "second")
    fresh = hash_of(trainer)
    trainer.start_from(tmp_path / "first")
    stored = read_checkpoint(tmp_path / "first")
    assert hash_of(trainer) == hash_weights(copy_weights(stored.network(Course(RUN).setups[0]))) != fresh
    assert (trainer.counters.env_steps, trainer.pool.members) == (0, [])


def test_it_does_so_from_the_command_line(tmp_path):
    words = ["train", "configs/smoke.yaml", "--budget.total_env_steps", "300", "--rollout.workers", "1"]
    assert main([*words, "--out", str(tmp_path / "a")]) == 0
    more = ["--start_from", str(tmp_path / "a"), "--rules", "{num_players: 3, board_size: 6}"]
    assert main([*words, "--out", str(tmp_path / "b"), *more]) == 0
    assert rows_of(tmp_path / "b")[0]["env_steps"] < 1000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--network.channels", "16"], "holds a network of"),
        (["--start_from", "nowhere"], "nowhere: no such folder"),
        (["--variants", "[{rules: {board_size: 5}, begins: 0.5}]"], "nothing at 0 of the budget"),
        (["--variants", "[{rules: {board_size: 5}, ends: 0.5}]"], "nothing at 0.5 of the budget"),
        (["--variants", "[{rules: {board_size: 5}, weight: 0}]"], "variants.weight=0"),
        (["--variants", "[{rules: {}, begins: 0.7, ends: 0.2}]"], "variants.begins, ends=(0.7, 0.2)"),
        (["--variants", "[{rules: {board_size: 2}}]"], "board_size=2"),
        (["--variants", "[{rules: {}, wieght: 1}]"], "wieght"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(tmp_path, capsys, change, words):
    begin = ["train", "configs/smoke.yaml", "--budget.total_env_steps", "300", "--rollout.workers", "1"]
    assert main([*begin, "--out", str(tmp_path / "a")]) == 0
    capsys.readouterr()
    start = [] if "--start_from" in change else ["--start_from", str(tmp_path / "a")]
    assert main([*begin, "--out", str(tmp_path / "b"), *start, *change]) == 2
    assert words in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "b" / "metrics.jsonl").exists()
