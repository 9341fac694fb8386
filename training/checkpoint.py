"""Writes checkpoint folders and reads back what an exact resume needs.

`checkpoints/<env_steps>/` holds, beside the `model.safetensors` and `meta.json` that agents read, the optimiser
(`optimizer.safetensors`), the past selves (`pool.safetensors`) and the counters (`trainer.json`). Generators need no
state: every one is seeded by the run's seed and the number of the update. A folder appears whole or not at all, and
`latest` is moved last; `best` stays with the checkpoint whose win rates against scripted agents were the highest.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from agents.neural.checkpoint_file import (
    FORMAT,
    SCHEMA_VERSION,
    Checkpoint,
    Tensors,
    check_hash,
    check_tensors,
    network_meta,
    read_checkpoint,
    read_json,
    read_tensors,
)
from agents.neural.layout import BEST, CHECKPOINTS_FOLDER, LATEST, META_FILE, MODEL_FILE
from training.config import TrainConfig
from training.files import TEMPORARY, json_bytes, link, write_bytes
from training.opponents import Frozen, Pool, copy_weights, hash_weights
from training.ppo import Learner

OPTIMIZER_FILE = "optimizer.safetensors"
POOL_FILE = "pool.safetensors"
TRAINER_FILE = "trainer.json"
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")  # Adam's state of one parameter


@dataclass
class Counters:
    """How far a run has come."""

    update: int = 0
    env_steps: int = 0
    seconds: float = 0.0


class CheckpointStore:
    """The `checkpoints` folder of one run."""

    def __init__(self, out: Path, keep: int) -> None:
        self.folder = out / CHECKPOINTS_FOLDER
        self._keep = keep

    def sweep(self) -> None:
        """Deletes what a crash left half written."""
        for leftover in (*self.folder.glob(f"{TEMPORARY}*"), *self.folder.parent.glob(f"{TEMPORARY}*")):
            _delete(leftover)

    def steps(self) -> list[int]:
        """Returns the env steps of the checkpoints at hand, ascending."""
        return sorted(int(entry.name) for entry in self.folder.glob("*") if entry.name.isdecimal())

    def save(self, files: dict[str, bytes], meta: dict[str, Any], env_steps: int) -> Path:
        """Writes one checkpoint, points `latest` at it, deletes the oldest beyond those kept; returns its folder.

        `best` points at it as well if no stored `score` is higher; that one is never deleted.
        """
        final = self.folder / str(env_steps)
        if not final.exists():
            beside = self.folder / f"{TEMPORARY}{env_steps}"
            beside.mkdir(parents=True)
            for name, content in files.items():
                write_bytes(beside / name, content)
            hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
            write_bytes(beside / META_FILE, json_bytes({**meta, "sha256": hashes}))
            beside.rename(final)
        link(self.folder / LATEST, final.name)
        best = self.best()
        if best is None or _score(best) <= _score(final):
            link(self.folder / BEST, final.name)
            best = final.resolve()
        for old in self.steps()[: -self._keep]:
            if best.name != str(old):
                _delete(self.folder / str(old))
        return final

    def best(self) -> Path | None:
        """Returns the folder of the best checkpoint, None if there is none."""
        place = self.folder / BEST
        return place.resolve() if (place / META_FILE).is_file() else None

    def drop_after(self, env_steps: int) -> None:
        """Deletes checkpoints later than the one a run resumes from: it will write its own."""
        for later in self.steps():
            if later > env_steps:
                _delete(self.folder / str(later))
        if self.best() is None:
            (self.folder / BEST).unlink(missing_ok=True)  # it was later; the next save finds another


def _score(folder: Path) -> float:
    """Returns what a checkpoint's run thought of it; checkpoints of a run without scripted agents are all alike."""
    return float(read_json(folder / META_FILE).get("score") or 0.0)


def _delete(path: Path) -> None:
    if path.is_symlink() or path.is_file():
        path.unlink()
        return
    # Renamed first: a reader or a crash must not find half a checkpoint under its final name.
    doomed = path if path.name.startswith(TEMPORARY) else path.rename(path.with_name(f"{TEMPORARY}{path.name}"))
    shutil.rmtree(doomed)


def checkpoint_meta(config: TrainConfig, counters: Counters, score: float | None = None) -> dict[str, Any]:
    """Returns `meta.json` without the hashes; `score` tells which of a run's checkpoints is the best."""
    return {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "game": config.game,
        "rules": json.loads(json.dumps(config.rules)),  # tuples become lists, as they will when read back
        "network": network_meta(config.network),
        "env_steps": counters.env_steps,
        "update": counters.update,
        "score": score,
        "config": config.as_dict(),
        "versions": {name: version(name) for name in ("torch", "numpy", "safetensors")},
    }


def checkpoint_files(learner: Learner, pool: Pool, counters: Counters, report: dict[str, Any]) -> dict[str, bytes]:
    """Returns the files of a checkpoint by name; `report` is JSON that metrics want back."""
    members = [{"env_steps": frozen.env_steps, "sha256": frozen.sha256} for frozen in pool.members]
    past = {
        f"{index}/{name}": torch.from_numpy(array)
        for index, frozen in enumerate(pool.members)
        for name, array in frozen.checked().items()
    }
    state = {"counters": vars(counters), "pool": members, "report": report}
    return {
        MODEL_FILE: save({name: torch.from_numpy(a) for name, a in copy_weights(learner.network).items()}),
        OPTIMIZER_FILE: save(_optimizer_tensors(learner)),
        POOL_FILE: save(past),
        TRAINER_FILE: json_bytes(state),
    }


def _optimizer_tensors(learner: Learner) -> Tensors:
    states = learner.optimizer.state
    return {
        f"{name}/{moment}": states[parameter][moment].contiguous()
        for name, parameter in learner.network.named_parameters()
        for moment in _MOMENTS
        if parameter in states
    }


def restore(path: Path, config: TrainConfig, learner: Learner) -> tuple[Pool, Counters, dict[str, Any]]:
    """Loads the checkpoint that `path` means into `learner`; returns pool, counters and what metrics stored."""
    checkpoint = read_checkpoint(path)
    # Anything else may change when a run goes on; these would make its counters and its optimiser nonsense.
    now = checkpoint_meta(config, Counters())
    for name in ("game", "rules", "network"):
        if checkpoint.meta.get(name) != now[name]:
            stored = checkpoint.meta.get(name)
            raise ValueError(f"{name}={now[name]!r} differs from the run to resume; allowed: {stored!r}")
    learner.network.load_state_dict(checkpoint.weights)
    _restore_optimizer(checkpoint, learner)
    trainer_file = checkpoint.folder / TRAINER_FILE
    state = read_json(trainer_file)
    check_hash(trainer_file, trainer_file.read_bytes(), checkpoint.meta)
    pool = Pool(config.opponents.pool_size, _read_pool(checkpoint, state["pool"]))
    return pool, Counters(**state["counters"]), state["report"]


def _restore_optimizer(checkpoint: Checkpoint, learner: Learner) -> None:
    path = checkpoint.folder / OPTIMIZER_FILE
    stored = read_tensors(path, checkpoint.meta)
    expected = {
        f"{name}/{moment}": torch.zeros(()) if moment == "step" else parameter.detach()
        for name, parameter in learner.network.named_parameters()
        for moment in _MOMENTS
    }
    if not stored:
        return  # saved before the first update
    check_tensors(path, stored, expected)
    for name, parameter in learner.network.named_parameters():
        learner.optimizer.state[parameter] = {moment: stored[f"{name}/{moment}"] for moment in _MOMENTS}


def _read_pool(checkpoint: Checkpoint, members: list[dict[str, Any]]) -> list[Frozen]:
    path = checkpoint.folder / POOL_FILE
    stored = read_tensors(path, checkpoint.meta)
    expected = {f"{i}/{name}": t for i in range(len(members)) for name, t in checkpoint.weights.items()}
    check_tensors(path, stored, expected)
    pool = []
    for index, member in enumerate(members):
        weights = {name: stored[f"{index}/{name}"].numpy() for name in checkpoint.weights}
        if hash_weights(weights) != member["sha256"]:
            raise ValueError(f"{path}: past self {index} does not match its sha256 in {TRAINER_FILE}")
        pool.append(Frozen(int(member["env_steps"]), weights, str(member["sha256"])))
    return pool
