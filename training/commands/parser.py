"""The form that all commands share: how they parse, and where their files go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args, get_type_hints

from jsonargparse import ArgumentParser, Namespace

from training.files import temporary_for


def output_path(name: str | None) -> Path | None:
    """Returns the path of a file to be written in the end, its folder made; None for None.

    Called before the work begins, so that nobody waits for a result that cannot be stored. A link stands for the file
    that it leads to.
    """
    if name is None:
        return None
    path = Path(name).resolve()
    if path.is_dir():
        raise ValueError(f"file {name!r} is a folder; allowed: the path of a file")
    if path.exists() and not path.is_file():
        raise ValueError(f"file {name!r} is no regular file; allowed: a regular file, or a path where nothing is yet")
    path.parent.mkdir(parents=True, exist_ok=True)
    probe = temporary_for(path)
    probe.touch()  # an error now says what would go wrong then
    probe.unlink()
    return path


def check_distinct(paths: Iterable[Path | None]) -> None:
    """Raises `ValueError` if two of the files to be written are the same."""
    wanted = [path.resolve() for path in paths if path is not None]
    for path in wanted:
        if wanted.count(path) > 1:
            raise ValueError(f"file {str(path)!r} is asked for twice; allowed: a file of its own for each output")


def output_folder(name: str | None) -> Path | None:
    """Returns the path of a folder to be written into, None for None; made when the first file is."""
    if name is None:
        return None
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"folder {name!r} is a file; allowed: the path of a folder")
    return folder


def parse_settings(parser: ArgumentParser, arguments: Sequence[str], *configs: type) -> Namespace:
    """Returns the settings that `arguments` give; `configs` are the dataclasses that the parser knows.

    Raises:
        ArgumentError, ValueError: a setting is unknown or of the wrong type, or null where that says nothing.
    """
    settings = parser.parse_args(list(arguments))
    for config in configs:
        for name, hint in get_type_hints(config).items():
            if settings[name] is None and type(None) not in get_args(hint):
                raise ValueError(f"{name}=null is no value; allowed: a value, or to leave it out")
    return settings


def new_parser(command: str, description: str, usage: str | None = None) -> ArgumentParser:
    """Returns an empty parser that raises its errors and guesses nothing: a shortened option is unknown."""
    return ArgumentParser(
        prog=f"bitblossom {command}",
        usage=usage,
        description=description,
        exit_on_error=False,
        allow_abbrev=False,
    )
