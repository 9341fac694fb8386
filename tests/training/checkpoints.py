"""Small checkpoints on disk for tests."""

from pathlib import Path

import numpy as np
import torch

from agents.neural.config import NetworkConfig
from agents.neural.network import BlossomNetwork
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


def save(out, env_steps=7, keep=3, seed=0):
    """Writes a checkpoint of an untrained network and returns its folder."""
    learner, pool = make_learner(seed), Pool(4)
    pool.freeze(learner.network, 0, np.random.default_rng(0))
    counters = Counters(update=1, env_steps=env_steps, seconds=2.0)
    store = CheckpointStore(out, keep)
    return store.save(checkpoint_files(learner, pool, counters, {}), checkpoint_meta(CONFIG, counters), env_steps)
