"""A trained network as one ONNX file that reads what the environment shows, for programs without PyTorch.

The file's input is the contract's own: an observation and where the seat to move may place. Number of positions and, on
grids, rows and columns are free; the number of players is not, since it decides which planes there are.
"""

from __future__ import annotations

import json
import logging
import tempfile
import warnings
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

from agents.neural.checkpoint_file import Checkpoint
from agents.neural.kinds import make_encoder
from agents.neural.layout import MODEL_FILE
from bitblossom_env.core.game import Setup

FREE = ("batch", "rows", "cols")
OUTPUTS = ("log_probs", "values")
OPSET = 18


class ExportedNetwork(nn.Module):
    """A network with its encoder in front."""

    def __init__(self, checkpoint: Checkpoint, setup: Setup) -> None:
        super().__init__()
        self.network = checkpoint.network(setup)
        self._planes, self._constants = make_encoder(setup).sources
        self._can_end = setup.end_turn is not None

    def forward(self, observation: torch.Tensor, placeable: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns what the network thinks of B positions.

        Args:
            observation: uint8 [B, F, *board shape], as the seat to move sees it.
            placeable: int8 [B, *board shape], 1 where it may place: the first N entries of its action mask.

        Returns:
            float32 [B, N + 1], the logarithm of the probability of each placement in reading order, then of ending
            the turn (very low where turns end by themselves); and float32 [B, P], the expected return of each seat,
            counted from the seat to move.
        """
        known = torch.cat((observation, torch.ones_like(observation[:, :1])), dim=1)  # [B, F + 1, *board shape]
        planes = known[:, self._planes]
        constants = known.flatten(2)[:, self._constants, 0]  # [B, G]
        mask = functional.pad(placeable.flatten(1), (0, 1), value=int(self._can_end)) != 0  # [B, N + 1]
        logits, values = self.network.judge(planes, constants, mask)
        return logits.log_softmax(1), values


def export_onnx(checkpoint: Checkpoint, setup: Setup) -> bytes:
    """Returns the content of an ONNX file for the games of `setup`; its properties name game, rules and planes in JSON.

    Raises:
        ImportError: the libraries of the extra `export` are missing.
    """
    import onnx  # noqa: PLC0415 - missing is told before the exporter complains in many lines
    import onnxscript  # noqa: F401, PLC0415

    shape = setup.board_shape
    observation = torch.ones((2, len(setup.plane_names), *shape), dtype=torch.uint8)
    placeable = torch.ones((2, *shape), dtype=torch.int8)
    # Only a network for grids fits other boards of its kind.
    free = FREE if len(shape) == 2 else FREE[:1]
    names = {
        "observation": dict(zip((0, 2, 3), free, strict=False)),
        "placeable": dict(zip((0, 1, 2), free, strict=False)),
    }
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter about its own insides
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        path = Path(folder) / "network.onnx"
        torch.onnx.export(
            ExportedNetwork(checkpoint, setup).eval(),
            (observation, placeable),
            path,
            input_names=list(names),
            output_names=list(OUTPUTS),
            dynamic_shapes=names,
            opset_version=OPSET,
            dynamo=True,
            external_data=False,
            verbose=False,
        )
        model = onnx.load_model(path)
    facts = {
        "game": setup.game_name,
        "rules": setup.rules(),
        "num_players": setup.num_seats,
        "planes": setup.plane_names,
        "weights_sha256": checkpoint.meta["sha256"][MODEL_FILE],
    }
    onnx.helper.set_model_props(model, {name: json.dumps(value) for name, value in facts.items()})
    content: bytes = model.SerializeToString()
    return content
