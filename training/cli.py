"""The console script `bitblossom`: finds the command, turns errors into one line and an exit code.

A command is a module of `training.commands` with `main(arguments) -> exit code`; it is imported only
when it is asked for, so that `bitblossom evaluate random greedy` never waits for a neural network library.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from argparse import ArgumentError
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from bitblossom_env.core.game import GameOverError
from training.commands import FAULT, INTERRUPTED, OK, USAGE

_EXPECTED = (ArgumentError, ValueError, OSError, ImportError, GameOverError)


@dataclass(frozen=True)
class Command:
    """One subcommand."""

    entry: str  # "module:function"
    summary: str


COMMANDS = {
    "train": Command("training.commands.train:main", "train a network by self-play"),
    "evaluate": Command("training.commands.evaluate:main", "let agents play each other and rate them"),
    "tournament": Command(
        "training.commands.tournament:main", "let every two agents meet and keep the results for those to come"
    ),
    "export": Command("training.commands.export:main", "write a trained network as an ONNX file"),
    "replay": Command("training.commands.replay:main", "show a recorded game in the terminal"),
    "first-look": Command(
        "training.commands.first_look:main", "measure seat advantage, game length and captures of one agent"
    ),
    "bench": Command(
        "training.commands.bench:main", "measure speed, memory and start-up, alone or beside other libraries"
    ),
}


def usage() -> str:
    """Returns the help text of the script itself."""
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name:<{width}}  {command.summary}" for name, command in COMMANDS.items()]
    return "\n".join(
        [
            "usage: bitblossom COMMAND [ARGUMENTS] [--debug]",
            "",
            "Bit Blossom: self-play training and evaluation.",
            "",
            "commands:",
            *lines,
            "",
            "`bitblossom COMMAND --help` explains a command; --debug shows the traceback of an error.",
            "",
        ]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns the exit code: 0 done, 1 fault, 2 refused, 130 interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help"):
        (sys.stdout if words else sys.stderr).write(usage())
        return OK if words else USAGE
    if words[0] not in COMMANDS:
        return complain(f"command {words[0]!r} is unknown; allowed: {', '.join(COMMANDS)}", USAGE)
    rest = [word for word in words[1:] if word != "--debug"]
    return run(COMMANDS[words[0]], rest, debug="--debug" in words)


def run(command: Command, arguments: Sequence[str], debug: bool) -> int:
    """Runs a command; whatever stops it becomes one line and an exit code, with `debug` a traceback before it."""
    try:
        return load(command)(arguments)
    except KeyboardInterrupt:
        return complain("interrupted", INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the promise is one line; --debug shows where it came from
        if debug:
            traceback.print_exc()
        if isinstance(error, ModuleNotFoundError):
            return complain(f"{error}; the commands need more libraries: pip install 'bitblossom[train]'", USAGE)
        if isinstance(error, _EXPECTED):
            return complain(str(error), USAGE)
        return complain(f"fault in this program (--debug shows where): {error!r}", FAULT)


def load(command: Command) -> Callable[[Sequence[str]], int]:
    """Imports and returns the function behind a command."""
    module_name, attribute = command.entry.split(":")
    return cast(Callable[[Sequence[str]], int], getattr(importlib.import_module(module_name), attribute))


def complain(message: str, exit_code: int) -> int:
    """Writes `message` as one line on standard error and returns `exit_code`."""
    sys.stderr.write(f"bitblossom: {' '.join(message.split())}\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
