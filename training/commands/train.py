"""`bitblossom train CONFIG --out DIR`: trains a network by self-play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from jsonargparse import ArgumentParser

import bitblossom_env  # noqa: F401 - registers the games
from training.commands import OK
from training.commands.parser import new_parser
from training.config import TrainConfig

USAGE = "bitblossom train CONFIG --out DIR [--resume] [--SETTING VALUE ...]"
DESCRIPTION = """Trains a network by self-play as the YAML file CONFIG says. DIR gets config.yaml,
metrics.jsonl, TensorBoard events and checkpoints. Any setting of the file can be overridden by an option."""


def make_parser() -> ArgumentParser:
    """Returns the parser of this command."""
    parser = new_parser("train", DESCRIPTION, USAGE)
    parser.add_argument("--config", action="config", help="the same as CONFIG")
    parser.add_argument("--out", type=str, metavar="DIR", help="folder of the run")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on from the latest checkpoint in DIR; without CONFIG, with the settings stored there",
    )
    parser.add_class_arguments(TrainConfig)
    return parser


def name_config(arguments: Sequence[str]) -> list[str]:
    """Returns the words with a leading CONFIG turned into an option, the only form the parser knows."""
    words = list(arguments)
    return ["--config", *words] if words and not words[0].startswith("-") else words


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    parser = make_parser()
    words = name_config(arguments)
    settings = parser.parse_args(words)
    if settings.out is None:
        raise ValueError("--out is missing; allowed: --out DIR, the folder of the run")
    out = Path(settings.out)
    if not settings.config:
        stored = out / "config.yaml"
        if not settings.resume or not stored.is_file():
            raise ValueError("CONFIG is missing; allowed: a YAML file such as configs/demo.yaml")
        settings = parser.parse_args(["--config", str(stored), *words])
    made = parser.instantiate(settings)
    config = TrainConfig(**{field.name: made[field.name] for field in fields(TrainConfig)})

    # Imported last: a mistake in the settings is told at once, not after loading the network library.
    from training.train import run  # noqa: PLC0415

    run(config, out=out, resume=settings.resume)
    return OK
