"""Reads checkpoint folders: weights as safetensors, the rest as JSON; nothing in them is ever executed.

A checkpoint folder holds `meta.json` and `model.safetensors` (a trainer adds files of its own). Every
fault raises `ValueError` in one line that names the file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load

from agents.neural.config import GRID, NetworkConfig
from agents.neural.kinds import make_bare_network, make_network
from agents.neural.layout import CHECKPOINTS_FOLDER, LATEST, META_FILE, MODEL_FILE
from agents.neural.network import Network
from bitblossom_env.core.game import Setup

FORMAT = "bitblossom-checkpoint"
SCHEMA_VERSION = 1  # rises when an older reader could not understand a newer folder

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint that was read and checked."""

    folder: Path
    meta: dict[str, Any]
    network_config: NetworkConfig
    weights: Tensors

    def network(self, setup: Setup) -> Network:
        """Returns a network for the games of `setup` with the stored weights, in evaluation mode, without gradients."""
        network = make_network(self.network_config, setup)
        network.load_state_dict(self.weights)
        return network.eval().requires_grad_(False)


def find_checkpoint(path: Path) -> Path:
    """Returns the folder that `path` means: itself, the latest of a `checkpoints` folder, or of a run."""
    for candidate in (path, path / LATEST, path / CHECKPOINTS_FOLDER / LATEST):
        if (candidate / META_FILE).is_file():
            return candidate.resolve()
    if not path.exists():
        raise ValueError(f"{path}: no such folder; allowed: a checkpoint, a {CHECKPOINTS_FOLDER} or a run folder")
    if not path.is_dir():
        raise ValueError(f"{path}: is a file; allowed: a folder that training wrote")
    raise ValueError(f"{path}: holds no {META_FILE} and no {LATEST} checkpoint; allowed: a folder that training wrote")


def read_checkpoint(path: Path) -> Checkpoint:
    """Returns the checkpoint that `path` means, see `find_checkpoint`."""
    folder = find_checkpoint(path)
    meta = read_meta(folder)
    try:
        config = NetworkConfig(**_network_fields(meta))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{folder / META_FILE}: field 'network' is not usable: {error}") from error
    weights = read_tensors(folder / MODEL_FILE, meta)
    # Built without memory: a hostile size must not be allocated before the file has shown that it fits.
    with torch.device("meta"):
        expected = make_bare_network(config).state_dict()
    check_tensors(folder / MODEL_FILE, weights, expected)
    return Checkpoint(folder, meta, config, weights)


def read_meta(folder: Path) -> dict[str, Any]:
    """Returns the checked `meta.json` of a checkpoint folder."""
    path = folder / META_FILE
    meta = read_json(path)
    if meta.get("format") != FORMAT:
        raise ValueError(f"{path}: format={meta.get('format')!r} is foreign; allowed: {FORMAT!r}")
    version = meta.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        hint = " (newer than this program: update it)" if isinstance(version, int) and version > 1 else ""
        raise ValueError(f"{path}: schema_version={version!r}{hint}; allowed: {SCHEMA_VERSION}")
    hashes = meta.get("sha256")
    if not isinstance(hashes, dict):
        raise ValueError(f"{path}: field 'sha256' is missing; allowed: an object, file name to hash")
    return meta


def read_json(path: Path) -> dict[str, Any]:
    """Returns the JSON object in `path`."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: is not readable JSON ({error})") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: holds a JSON {type(content).__name__}; allowed: an object")
    return content


def read_tensors(path: Path, meta: dict[str, Any]) -> Tensors:
    """Returns the tensors of a safetensors file whose hash `meta` knows."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: is not readable ({error.strerror})") from error
    try:
        tensors = load(content)
    except (SafetensorError, ValueError) as error:
        raise ValueError(f"{path}: is truncated or no safetensors file ({error})") from error
    check_hash(path, content, meta)
    return tensors


def check_hash(path: Path, content: bytes, meta: dict[str, Any]) -> None:
    """Raises unless `content` of the file `path` is what `meta` was written for."""
    if hashlib.sha256(content).hexdigest() != meta["sha256"].get(path.name):
        raise ValueError(f"{path}: does not belong to its {META_FILE} (another sha256): it was changed or mixed up")


def check_tensors(path: Path, tensors: Tensors, expected: Tensors) -> None:
    """Raises unless `tensors` have the names, shapes and types of `expected` and are finite."""
    wrong = sorted(set(tensors) ^ set(expected))
    if wrong:
        state = "is missing" if wrong[0] in expected else "is unknown"
        raise ValueError(f"{path}: tensor {wrong[0]!r} {state}; allowed: those of the network in {META_FILE}")
    for name, tensor in tensors.items():
        want = expected[name]
        if tensor.shape != want.shape or tensor.dtype != want.dtype:
            got, allowed = ((tuple(t.shape), t.dtype) for t in (tensor, want))
            raise ValueError(f"{path}: tensor {name!r} is {got}; allowed: {allowed}")
        if not bool(torch.isfinite(tensor).all()):
            raise ValueError(f"{path}: tensor {name!r} holds numbers that are not finite")


def network_meta(config: NetworkConfig) -> dict[str, Any]:
    """Returns what `meta.json` stores about the network's form."""
    return asdict(config)


def _network_fields(meta: dict[str, Any]) -> dict[str, Any]:
    stored = meta.get("network")
    if isinstance(stored, dict):
        stored = {"kind": GRID, **stored}  # written before there were others
    names = [field.name for field in fields(NetworkConfig)]
    if not isinstance(stored, dict) or sorted(stored) != sorted(names):
        raise ValueError(f"it must be an object with exactly {', '.join(names)}")
    return stored
