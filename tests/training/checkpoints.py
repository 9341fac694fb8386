"""Small checkpoints on disk for tests, whole and damaged."""

import json
import pickle
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from agents.neural.checkpoint_file import SCHEMA_VERSION
from agents.neural.config import NetworkConfig
from agents.neural.grid.network import BlossomNetwork
from training.checkpoint import CheckpointStore, Counters, checkpoint_files, checkpoint_meta
from training.config import BudgetConfig, PpoConfig, TrainConfig
from training.opponents import Pool
from training.ppo import Learner

SMALL = NetworkConfig(channels=8, blocks=1, hidden=8)
CONFIG = TrainConfig(budget=BudgetConfig(total_env_steps=10), network=SMALL)


def make_learner(seed=0):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return Learner(BlossomNetwork(SMALL), PpoConfig(), Path())


def save(out, env_steps=7, keep=3, seed=0, score=None):
    """Writes a checkpoint of an untrained network and returns its folder."""
    learner, pool = make_learner(seed), Pool(4)
    pool.freeze(learner.network, 0, np.random.default_rng(0))
    counters = Counters(update=1, env_steps=env_steps, seconds=2.0)
    store = CheckpointStore(out, keep)
    return store.save(
        checkpoint_files(learner, pool, counters, {}), checkpoint_meta(CONFIG, counters, score), env_steps
    )


def change_meta(folder, **changes):
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps({**meta, **changes}))


class Bomb:
    """Leaves a trace if anything unpickles it."""

    def __init__(self, trace):
        self.trace = str(trace)

    def __reduce__(self):
        return open, (self.trace, "w")


def truncate(folder):
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[: len(content) // 2])


def other_weights(folder):
    weights = load_file(folder / "model.safetensors")
    save_file({name: tensor + 1 for name, tensor in weights.items()}, folder / "model.safetensors")


def flip_byte(folder):
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-5] ^= 64
    (folder / "model.safetensors").write_bytes(content)


def pickled(folder):
    with (folder / "model.safetensors").open("wb") as file:
        pickle.dump(Bomb(folder / "exploded"), file)


def torch_pickled(folder):
    torch.save({"weights": Bomb(folder / "exploded")}, folder / "model.safetensors")


FAULTS = {
    "truncated": (truncate, r"model\.safetensors: is truncated"),
    "mixed up": (other_weights, r"model\.safetensors: does not belong"),
    "bit rot": (flip_byte, r"model\.safetensors: does not belong"),
    "empty": (lambda f: (f / "model.safetensors").write_bytes(b""), r"model\.safetensors: is truncated"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), r"model\.safetensors: is not readable"),
    "pickle": (pickled, r"model\.safetensors: is truncated or no safetensors"),
    "torch pickle": (torch_pickled, r"model\.safetensors: is truncated or no safetensors"),
    "foreign json": (lambda f: (f / "meta.json").write_text('{"name": "left-pad"}'), r"meta\.json: format=None"),
    "no object": (lambda f: (f / "meta.json").write_text("[1]"), r"meta\.json: holds a JSON list"),
    "no json": (lambda f: (f / "meta.json").write_bytes(b"\xff\x00"), r"meta\.json: is not readable JSON"),
    "deep json": (lambda f: (f / "meta.json").write_text("[" * 100_000), r"meta\.json: is not readable JSON"),
    "newer": (lambda f: change_meta(f, schema_version=SCHEMA_VERSION + 1), r"schema_version=2 \(newer"),
    "no version": (lambda f: change_meta(f, schema_version="1"), r"meta\.json: schema_version='1'"),
    "true version": (lambda f: change_meta(f, schema_version=True), r"meta\.json: schema_version=True"),
    "no network": (lambda f: change_meta(f, network=3), r"meta\.json: field 'network'"),
    "more network": (lambda f: change_meta(f, network={"channels": 8, "x": 1}), r"meta\.json: field 'network'"),
    "huge": (
        lambda f: change_meta(f, network={"channels": 10**12, "blocks": 1, "hidden": 8}),
        r"network\.channels=1000000000000 is not allowed",
    ),
    "other size": (
        lambda f: change_meta(f, network={"channels": 512, "blocks": 64, "hidden": 8}),
        r"model\.safetensors: tensor '.*' is",
    ),
    "no hashes": (lambda f: change_meta(f, sha256=None), r"meta\.json: field 'sha256'"),
}
