"""Checkpoints: what is refused and how, what survives a crash, what a past self promises."""

import dataclasses
import itertools
import multiprocessing
import shutil
import time

import numpy as np
import pytest
import torch
from safetensors.torch import save as save_bytes

import agents
from agents.neural.checkpoint_file import find_checkpoint, read_checkpoint
from agents.neural.config import NetworkConfig
from bitblossom_env.core.game import make_setup
from tests.training.checkpoints import CONFIG, FAULTS, make_learner, save
from training.checkpoint import CheckpointStore, Counters, checkpoint_files, checkpoint_meta, restore
from training.opponents import Frozen, Pool, copy_weights, hash_weights


@pytest.fixture
def folder(tmp_path):
    return save(tmp_path)


def test_a_run_a_checkpoints_folder_latest_and_the_folder_itself_all_mean_it(tmp_path, folder):
    for path in (tmp_path, tmp_path / "checkpoints", tmp_path / "checkpoints" / "latest", folder):
        assert find_checkpoint(path) == folder.resolve()
        assert agents.make(f"checkpoint:{path}").name == f"checkpoint:{path}"


def test_a_stored_network_judges_as_before(folder):
    stored, made = read_checkpoint(folder).network(make_setup("bitblossom", {})), make_learner().network
    assert hash_weights(copy_weights(stored)) == hash_weights(copy_weights(made))
    assert not stored.training
    assert not any(parameter.requires_grad for parameter in stored.parameters())


@pytest.mark.parametrize("fault", FAULTS)
def test_broken_and_foreign_checkpoints_are_refused_in_one_line(folder, fault):
    damage, message = FAULTS[fault]
    damage(folder)
    with pytest.raises(ValueError, match=message) as caught:
        agents.make(f"checkpoint:{folder}")
    assert "\n" not in str(caught.value)
    assert not (folder / "exploded").exists()


def test_numbers_that_are_not_finite_are_refused(tmp_path):
    learner, counters = make_learner(), Counters(env_steps=1)
    with torch.no_grad():
        learner.network.stem.bias[0] = float("nan")
    files = checkpoint_files(learner, Pool(1), counters, {})
    folder = CheckpointStore(tmp_path, 1).save(files, checkpoint_meta(CONFIG, counters), 1)
    with pytest.raises(ValueError, match=r"'stem\.bias' holds numbers that are not finite"):
        agents.make(f"checkpoint:{folder}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("checkpoint", "needs a path"),
        ("checkpoint:/nowhere/at/all", "no such folder"),
        ("checkpoint:{}?temperature=hot", "temperature='hot' is not allowed"),
        ("checkpoint:{}?temperature=-1", "temperature='-1' is not allowed"),
        ("checkpoint:{}?temperature=nan", "temperature='nan' is not allowed"),
        ("checkpoint:{}?views=1.5", "views='1.5' is not allowed"),
        ("checkpoint:{}?sims=0", "sims='0' is not allowed"),
    ],
)
def test_wrong_specs_are_refused(folder, spec, message):
    with pytest.raises(ValueError, match=message):
        agents.make(spec.format(folder))


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"holds no meta\.json"):
        agents.make(f"checkpoint:{tmp_path}")


@pytest.mark.parametrize(("num_players", "board_size"), [(2, 7), (3, 9), (2, (5, 8))])
@pytest.mark.parametrize("options", ["", "?temperature=0", "?temperature=1&views=1"])
def test_one_checkpoint_plays_every_board_legally(folder, num_players, board_size, options):
    agent = agents.make(f"checkpoint:{folder}{options}")
    rng = np.random.default_rng(0)
    rules = {"num_players": num_players, "board_size": board_size, "max_turns": 12}
    game = make_setup("bitblossom", rules).new_game(rng)
    while not game.is_over:
        before = game.hash()
        action = agent.act(game, game.to_move, rng)
        assert game.hash() == before
        assert action not in game.setup.retractions
        game.apply(action)
    assert torch.get_num_threads() == 1


def test_only_the_newest_checkpoints_are_kept_and_latest_is_the_last(tmp_path):
    for env_steps in (5, 30, 100, 101):
        save(tmp_path, env_steps, keep=2)
    assert CheckpointStore(tmp_path, 2).steps() == [100, 101]
    assert find_checkpoint(tmp_path).name == "101"


def test_the_best_checkpoint_is_kept_as_well(tmp_path):
    store = CheckpointStore(tmp_path, 1)
    for env_steps, score in ((1, 0.5), (2, 0.9), (3, 0.7), (4, 0.6)):
        save(tmp_path, env_steps, keep=1, score=score)
        assert store.steps()[-1] == env_steps
    assert store.steps() == [2, 4]
    assert find_checkpoint(tmp_path / "checkpoints" / "best").name == "2"
    assert find_checkpoint(tmp_path).name == "4"
    save(tmp_path, 5, keep=1, score=0.95)
    assert store.steps() == [5], "the former best is deleted like any other"


def test_a_best_checkpoint_that_a_resumed_run_has_not_reached_is_dropped(tmp_path):
    for env_steps, score in ((1, 0.5), (2, 0.9)):
        save(tmp_path, env_steps, score=score)
    store = CheckpointStore(tmp_path, 3)
    store.drop_after(1)
    assert store.best() is None
    save(tmp_path, 3, score=0.1)
    assert store.best().name == "3"


def test_what_a_crash_left_is_swept(tmp_path, folder):
    leftover = folder.parent / ".tmp-99"
    shutil.copytree(folder, leftover)
    (tmp_path / ".tmp-config.yaml").write_text("half")
    store = CheckpointStore(tmp_path, 3)
    assert store.steps() == [7]
    store.sweep()
    assert not leftover.exists()
    assert not (tmp_path / ".tmp-config.yaml").exists()
    assert read_checkpoint(tmp_path).folder == folder.resolve()


def test_a_past_self_is_a_copy_and_says_when_it_changes():
    learner, pool = make_learner(), Pool(2)
    pool.freeze(learner.network, 5, np.random.default_rng(0))
    before = hash_weights(copy_weights(learner.network))
    with torch.no_grad():
        learner.network.stem.weight += 1
    assert pool.members[0].sha256 == before == hash_weights(pool.members[0].checked())
    pool.members[0].weights["stem.weight"][0] += 1
    with pytest.raises(RuntimeError, match="past@5 has changed"):
        pool.members[0].checked()


def test_a_full_pool_keeps_its_size_and_its_newest():
    learner, pool = make_learner(), Pool(3)
    for env_steps in range(10):
        pool.freeze(learner.network, env_steps, np.random.default_rng(env_steps))
    assert len(pool.members) == 3
    assert pool.members[-1].env_steps == 9
    drawn = pool.draw(5, np.random.default_rng(0))
    assert drawn == pool.members


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("network", NetworkConfig(channels=16, blocks=1, hidden=8)),
        ("rules", {"num_players": 3, "board_size": 7}),
        ("game", "aronda"),
    ],
)
def test_another_network_or_game_is_no_run_to_resume(folder, name, value):
    with pytest.raises(ValueError, match=f"{name}=.* differs from the run to resume; allowed: "):
        restore(folder, dataclasses.replace(CONFIG, **{name: value}), make_learner())


@pytest.mark.parametrize("name", ["optimizer.safetensors", "pool.safetensors", "trainer.json"])
def test_a_run_is_not_resumed_from_mixed_files(tmp_path, folder, name):
    other = tmp_path / "other"
    learner, counters = make_learner(seed=3), Counters(update=2, env_steps=9, seconds=3.0)
    pool = Pool(1)
    pool.freeze(learner.network, 1, np.random.default_rng(0))
    files = {**checkpoint_files(learner, pool, counters, {}), "optimizer.safetensors": save_bytes({"a": torch.ones(1)})}
    foreign = CheckpointStore(other, 1).save(files, checkpoint_meta(CONFIG, counters), 9)
    shutil.copy(foreign / name, folder / name)
    with pytest.raises(ValueError, match=rf"{name}: does not belong to its meta\.json"):
        restore(folder, CONFIG, make_learner())


def save_for_ever(out):
    for env_steps in itertools.count(1):
        save(out, env_steps, keep=2)


def test_killing_a_run_while_it_saves_leaves_a_checkpoint_that_loads(tmp_path):
    save(tmp_path, 0)
    for attempt in range(12):
        process = multiprocessing.get_context("fork").Process(target=save_for_ever, args=(tmp_path,), daemon=True)
        process.start()
        time.sleep(0.02 + 0.013 * attempt)
        process.kill()
        process.join()
        pool, counters, _ = restore(tmp_path, CONFIG, make_learner())
        assert counters.env_steps == int(find_checkpoint(tmp_path).name)
        assert len(pool.members) == 1
        CheckpointStore(tmp_path, 2).sweep()
        CheckpointStore(tmp_path, 2).drop_after(0)
        if counters.env_steps:
            save(tmp_path, 0)


def test_a_changed_past_self_is_never_saved():
    learner, pool = make_learner(), Pool(1)
    pool.members = [Frozen(0, copy_weights(learner.network), "0" * 64)]
    with pytest.raises(RuntimeError, match="past@0 has changed"):
        checkpoint_files(learner, pool, Counters(), {})
