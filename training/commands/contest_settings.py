"""Settings that `evaluate` and `tournament` share: the game, the agents, the starts."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jsonargparse import ArgumentParser, Namespace

import bitblossom_env  # noqa: F401 - registers the games
from agents.registry import usages
from bitblossom_env.core.game import make_setup
from training.commands import INTERRUPTED, OK
from training.commands.parser import new_parser
from training.evaluation.contest import Plan
from training.evaluation.playing import Played
from training.evaluation.schedule import Pairing, gauntlet, pairs, round_robin


@dataclass
class ContestConfig:
    """Settings.

    Args:
        agents: agents to use when no SPEC stands on the command line
        game: game to play
        board: side of a square board, or ROWSxCOLS; default: the game's own
        players: seats at a table; default: the game's own
        seed: fixes every start, every agent's chance and every interval
        rules: any other argument of the environment, as --rules.NAME VALUE
        processes: processes to play in, one thread each; changes no result; default: one a core, fewer for few games
        ray: play in `processes` actors of a Ray cluster: its address, auto for the one that this machine belongs to, or
            local to start one here
        json: file for the report as JSON
    """

    agents: list[str] = field(default_factory=list)
    game: str = "bitblossom"
    board: int | str | None = None
    players: int | None = None
    seed: int = 0
    rules: dict[str, Any] = field(default_factory=dict)
    processes: int | None = None
    ray: str | None = None
    json: str | None = None


def new_contest_parser(command: str, description: str, spec: str) -> ArgumentParser:
    """Returns a parser that knows the shared settings; `spec` names its positional arguments."""
    parser = new_parser(command, description)
    parser.add_argument("--config", action="config", help="YAML file with any of these settings")
    parser.add_argument("specs", nargs="*", type=str, metavar=spec, help="agents to rate")
    parser.add_class_arguments(ContestConfig)
    parser.add_argument(
        "--random_turns",
        nargs=2,
        type=int,
        default=[1, 4],
        metavar=("LO", "HI"),
        help="random turns that open each start, drawn anew for each block",
    )
    return parser


def find_pairing(name: str, allowed: Sequence[str], heroes: Collection[int]) -> Pairing:
    """Returns the pairing called `name`, one of `allowed`; `heroes` are the agents that a gauntlet is about."""
    if name not in allowed:
        raise ValueError(f"pairing={name!r} is unknown; allowed: {', '.join(allowed)}")
    return {"round_robin": round_robin, "pairs": pairs, "gauntlet": gauntlet(heroes)}[name]


def spec_help() -> str:
    """Returns what a SPEC may be, as a sentence or two."""
    return f"SPEC is one of: {', '.join(usages())}; options follow as ?key=value&key=value."


def make_plan(settings: Namespace, agents: dict[str, str], keep_records: bool = False) -> Plan:
    """Returns what the settings ask to be played by `agents`, spec by name."""
    if settings.seed < 0:
        raise ValueError(f"seed={settings.seed} is out of range; allowed: 0 or more")
    plan = Plan(
        setup=make_setup(settings.game, game_arguments(settings)),
        names=(),
        specs=(),
        seed=settings.seed,
        random_turns=check_random_turns(settings.random_turns),
        keep_records=keep_records,
    )
    return with_agents(plan, agents)


def with_agents(plan: Plan, agents: Mapping[str, str]) -> Plan:
    """Returns `plan` to be played by `agents`, spec by name."""
    names = tuple(sorted(agents))
    return replace(plan, names=names, specs=tuple(agents[name] for name in names))


def game_arguments(settings: Namespace) -> dict[str, Any]:
    """Returns the environment arguments that the settings ask for; what was not given is left to the game."""
    wrong = next((name for name in settings.rules if not isinstance(name, str)), None)
    if wrong is not None:
        raise ValueError(f"rules name {wrong!r}; allowed: names of environment arguments")
    arguments = dict(settings.rules)
    given = {"num_players": settings.players}
    if settings.board is not None:
        given["board_size"] = parse_board(settings.board)
    for name, value in given.items():
        if value is None:
            continue
        if name in arguments:
            raise ValueError(f"{name} is given twice, in rules too; allowed: once")
        arguments[name] = value
    return arguments


def parse_board(text: int | str) -> int | tuple[int, int]:
    """Returns the board size that `7` or `7x9` names."""
    sides = str(text).lower().split("x")
    if len(sides) > 2 or not all(side.isdecimal() for side in sides):
        raise ValueError(f"board={text!r} is no board size; allowed: a number such as 7, or ROWSxCOLS such as 7x9")
    return int(sides[0]) if len(sides) == 1 else (int(sides[0]), int(sides[1]))


def check_random_turns(value: Any) -> tuple[int, int]:
    """Returns the range of random turns, checked."""
    if not is_pair(value, int) or not 0 <= value[0] <= value[1]:
        raise ValueError(f"random_turns={shown(value)} is no range; allowed: LO HI with 0 <= LO <= HI")
    return value[0], value[1]


def is_pair(value: Any, *kinds: type) -> bool:
    """Returns whether `value`, which a YAML file may hold, is a list of two numbers of `kinds`."""
    return isinstance(value, list | tuple) and len(value) == 2 and all(type(number) in kinds for number in value)


def shown(value: Any) -> str:
    """Returns a list as it stands on the command line, anything else as Python shows it."""
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else repr(value)


def exit_code(played: Played) -> int:
    """Returns the exit code of a contest whose results are safe; raises the fault that ended it early."""
    if played.fault is not None:
        raise played.fault
    return INTERRUPTED if played.is_interrupted else OK


def unique_names(specs: Sequence[str], taken: Mapping[str, str] | None = None) -> list[str]:
    """Returns one name per spec: the spec itself; from its second occurrence on followed by `#2`, `#3`, ...

    A name that is already `taken` by another spec, or is a spec itself, is passed over.
    """
    names: list[str] = []
    reserved = dict(zip(specs, specs, strict=True)) | dict(taken or {})
    for index, spec in enumerate(specs):
        occurrence = specs[:index].count(spec) + 1
        candidates = (spec if number == 1 else f"{spec}#{number}" for number in itertools.count(occurrence))
        names.append(next(name for name in candidates if name not in names and reserved.get(name, spec) == spec))
    return names
