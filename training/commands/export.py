"""`bitblossom export PATH --out FILE`: a trained network as an ONNX file."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from jsonargparse import ArgumentParser

import bitblossom_env  # noqa: F401 - registers the games
from bitblossom_env.core.game import make_setup
from training.commands import OK
from training.commands.contest_settings import parse_board
from training.commands.parser import new_parser, output_path
from training.files import write_bytes

DESCRIPTION = """Writes the network of a checkpoint as an ONNX file that takes the environment's own observations, for
programs without PyTorch. On grids it plays every board; the number of players is the file's."""


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_parser("export", DESCRIPTION)
    parser.add_argument("checkpoint", type=str, metavar="PATH", help="a checkpoint, or the run that it is of")
    parser.add_argument("--out", type=str, required=True, metavar="FILE", help="the file, such as bot.onnx")
    parser.add_argument("--players", type=int | None, metavar="P", help="number of players; default: as trained")
    parser.add_argument("--board", type=int | str | None, metavar="SIZE", help="board it is traced on")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    settings = make_parser().parse_args(list(arguments))
    # Imported here: a mistake in the settings is told at once, not after loading the network library.
    from agents.neural.checkpoint_file import read_checkpoint  # noqa: PLC0415
    from agents.neural.export import export_onnx  # noqa: PLC0415

    checkpoint = read_checkpoint(Path(settings.checkpoint))
    rules = dict(checkpoint.meta.get("rules") or {})
    if settings.players is not None:
        rules["num_players"] = settings.players
    if settings.board is not None:
        rules["board_size"] = parse_board(settings.board)
    setup = make_setup(str(checkpoint.meta.get("game")), rules)
    path = output_path(settings.out)
    if path is None:
        raise ValueError("out=None is no file; allowed: the path of a file")
    try:
        content = export_onnx(checkpoint, setup)
    except ModuleNotFoundError as error:
        raise ValueError(f"{error}; allowed: pip install 'bitblossom[export]' first") from error
    write_bytes(path, content)
    shape = "x".join(map(str, setup.board_shape))
    sys.stdout.write(
        f"{path}: {len(content):,} bytes, {setup.game_name}, {setup.num_seats} players, traced on {shape}\n"
    )
    return OK
