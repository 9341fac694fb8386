"""The rules of one game as a validated value: every **chosen** rule of RULES.md is a field here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ..core.arguments import not_allowed, plain, whole_number
from ..core.game import ArgumentError
from .bases import Cell, checked_bases

MIN_SIDE, MAX_SIDE = 3, 32  # R1
MIN_SEATS, MAX_SEATS = 2, 8  # R1
OPENING_RULES = ("base-neighbourhood", "none")  # R2.7
REWARDS = ("win", "rank", "area")
SWITCHES = ("end_on_all_pass", "ring_orthogonal", "ring_diagonal", "cuts", "territory")
OPTIONAL_PLANES = ("sea", "placeable")  # see observation.py
_LARGEST = 2**30  # counters are 32 bits wide


@dataclass(frozen=True)
class Config:
    """Arguments of one game in their final form; made by `make_config`, which checks them."""

    num_players: int  # 2..8, R1
    rows: int  # 3..32, R1
    cols: int  # 3..32, R1
    home_bases: tuple[Cell, ...] | None  # one cell per seat, None: drawn at each reset, R1
    placements_per_turn: int  # 1.., R2.1
    first_turn_placements: int | None  # 0.., None: the usual budget, R2.8
    max_retractions_per_turn: int | None  # 0.., None: no cap, R2.6
    bonus_cap: int | None  # 0.., None: no cap, R2.1
    opening_rule: str  # one of OPENING_RULES, R2.7
    max_turns: int | str | None  # 1.., "auto": 2 x rows x cols, None: no limit, R4.3
    end_on_all_pass: bool  # R4.3
    ring_orthogonal: bool  # R3.1
    ring_diagonal: bool  # R3.1
    cuts: bool  # R3.2
    territory: bool  # R3.3, whether territory captures; it counts for area and elimination in any case
    reward: str  # one of REWARDS
    extra_planes: tuple[str, ...]  # subset of OPTIONAL_PLANES, in the given order

    @property
    def num_cells(self) -> int:
        """N = rows x cols."""
        return self.rows * self.cols

    @property
    def turn_limit(self) -> int | None:
        """`max_turns` as a number, None for no limit."""
        return 2 * self.num_cells if isinstance(self.max_turns, str) else self.max_turns


def _optional(name: str, value: Any, low: int) -> int | None:
    """Returns None or `value` as an int of at least `low`."""
    return None if value is None else whole_number(name, value, low, _LARGEST)


def _choice(name: str, value: Any, allowed: Sequence[str]) -> str:
    """Returns `value` if it is one of `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise not_allowed(name, value, ", ".join(map(repr, allowed)))
    return value


def _board_size(value: Any) -> tuple[int, int]:
    """Returns (rows, cols) for an int or a pair."""
    pair = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    allowed = f"a side, or (rows, cols), of {MIN_SIDE}..{MAX_SIDE}"
    if len(pair) != 2 or any(isinstance(side, (list, tuple)) for side in pair):
        raise not_allowed("board_size", value, allowed)
    rows, cols = (whole_number("board_size", side, MIN_SIDE, MAX_SIDE) for side in pair)
    return rows, cols


def _max_turns(value: Any) -> int | str | None:
    """Returns "auto", None or a number of turns."""
    if value is None or (isinstance(value, str) and value == "auto"):
        return value
    if isinstance(value, (str, list, tuple)):
        raise not_allowed("max_turns", value, "'auto', None or a whole number of at least 1")
    return whole_number("max_turns", value, 1, _LARGEST)


def _switch(name: str, value: Any) -> bool:
    """Returns a true or false argument as a bool."""
    if not isinstance(value, bool):
        raise not_allowed(name, value, "True or False")
    return value


def _extra_planes(value: Any) -> tuple[str, ...]:
    """Returns the names of the optional planes, checked."""
    names = tuple(_choice("extra_planes", name, OPTIONAL_PLANES) for name in value) if _is_list(value) else ()
    if not _is_list(value) or len(set(names)) != len(names):
        raise not_allowed("extra_planes", value, f"a list of {', '.join(map(repr, OPTIONAL_PLANES))}, each once")
    return names


def _is_list(value: Any) -> bool:
    """Returns whether a value is a list or a tuple."""
    return isinstance(value, (list, tuple))


DEFAULTS: dict[str, Any] = {
    "num_players": 2,
    "board_size": (9, 9),
    "home_bases": "default",
    "placements_per_turn": 3,
    "first_turn_placements": None,
    "max_retractions_per_turn": 3,
    "bonus_cap": None,
    "opening_rule": "base-neighbourhood",
    "max_turns": "auto",
    "end_on_all_pass": True,
    "ring_orthogonal": True,
    "ring_diagonal": True,
    "cuts": True,
    "territory": True,
    "reward": "win",
    "extra_planes": (),
}


def make_config(**arguments: Any) -> Config:
    """Returns the config for the arguments of the environment; raises `ArgumentError` for any that is not allowed."""
    unknown = sorted(set(arguments) - set(DEFAULTS))
    if unknown:
        raise ArgumentError(f"{unknown[0]} is no argument of Bit Blossom; allowed: {', '.join(DEFAULTS)}")
    given = DEFAULTS | {name: plain(value) for name, value in arguments.items()}
    rows, cols = _board_size(given["board_size"])
    num_players = whole_number("num_players", given["num_players"], MIN_SEATS, MAX_SEATS)
    bases = checked_bases(given["home_bases"], num_players, rows, cols)
    return Config(num_players=num_players, rows=rows, cols=cols, home_bases=bases, **_checked_rules(given))


def _checked_rules(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that do not depend on the board, checked."""
    return {
        "placements_per_turn": whole_number("placements_per_turn", given["placements_per_turn"], 1, _LARGEST),
        "first_turn_placements": _optional("first_turn_placements", given["first_turn_placements"], 0),
        "max_retractions_per_turn": _optional("max_retractions_per_turn", given["max_retractions_per_turn"], 0),
        "bonus_cap": _optional("bonus_cap", given["bonus_cap"], 0),
        "opening_rule": _choice("opening_rule", given["opening_rule"], OPENING_RULES),
        "max_turns": _max_turns(given["max_turns"]),
        "reward": _choice("reward", given["reward"], REWARDS),
        "extra_planes": _extra_planes(given["extra_planes"]),
        **{name: _switch(name, given[name]) for name in SWITCHES},
    }


POSITION_RULES = tuple(
    name for name in DEFAULTS if name not in {"num_players", "board_size", "home_bases", "extra_planes"}
)


def position_rules(config: Config) -> dict[str, Any]:
    """Returns the rules that a position carries, as JSON values."""
    return {name: getattr(config, name) for name in POSITION_RULES}


def rule_of(config: Config, name: str) -> Any:
    """Returns the value of a rule, a turn limit as a number however it was given."""
    return config.turn_limit if name == "max_turns" else getattr(config, name)


def config_of_position(
    num_players: int, shape: tuple[int, ...], rules: Mapping[str, Any], bases: tuple[Cell, ...] | None
) -> Config:
    """Returns the config for a position that brings its own bases and rules; fields left out have their defaults."""
    unknown = sorted(map(str, set(rules) - set(POSITION_RULES)))
    if unknown:
        raise ArgumentError(f"rules: {unknown[0]} is unknown; allowed: {', '.join(POSITION_RULES)}")
    rows, cols = _board_size(shape)
    seats = whole_number("players", num_players, MIN_SEATS, MAX_SEATS)
    checked = _checked_rules({**DEFAULTS, **{name: plain(value) for name, value in rules.items()}})
    return Config(num_players=seats, rows=rows, cols=cols, home_bases=bases, **checked)


def config_arguments(config: Config) -> dict[str, Any]:
    """Returns the arguments, as JSON values, from which `make_config` makes an equal config."""
    values: dict[str, Any] = {field.name: getattr(config, field.name) for field in fields(config)}
    rows, cols = values.pop("rows"), values.pop("cols")
    bases = values["home_bases"]
    values["home_bases"] = "random" if bases is None else [list(cell) for cell in bases]
    values["extra_planes"] = list(values["extra_planes"])
    return {"num_players": values.pop("num_players"), "board_size": [rows, cols], **values}
