"""The form that all commands share: how they parse, and where their files go."""

from __future__ import annotations

from pathlib import Path

from jsonargparse import ArgumentParser


def output_path(name: str | None) -> Path | None:
    """Returns the path of a file to be written in the end, its folder made; None for None.

    Called before the work begins, so that nobody waits for a result that cannot be stored.
    """
    if name is None:
        return None
    path = Path(name)
    if path.is_dir():
        raise ValueError(f"file {name!r} is a folder; allowed: the path of a file")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def output_folder(name: str | None) -> Path | None:
    """Returns the path of a folder to be written into, None for None; made when the first file is."""
    if name is None:
        return None
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"folder {name!r} is a file; allowed: the path of a folder")
    return folder


def new_parser(command: str, description: str, usage: str | None = None) -> ArgumentParser:
    """Returns an empty parser that raises its errors and guesses nothing: a shortened option is unknown."""
    return ArgumentParser(
        prog=f"bitblossom {command}",
        usage=usage,
        description=description,
        exit_on_error=False,
        allow_abbrev=False,
    )
