"""Positions as JSON: from a dict to a state, checked, and back.

    {"fields": {"c1": "0", "m2": "2.1", ...}, "turn": 7, "to_move": 0, "stones_left": 2, "starter": 0,
     "last_turn": ["m2"], "begun": false, "rules": {"blockade": true, "stop_at_majority": false}}

A field that is owned holds the seat's number, one with stones how many of seat 0 and 1; others are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.arguments import shown
from ..core.game import Position, PositionError
from .board import NAMES, NEIGHBOURS, NUM_FIELDS, THRESHOLDS
from .captures import count_stones
from .config import Config
from .reach import find_places
from .state import (
    END_REASON,
    HAS_BEGUN,
    LAST_TURN,
    NUM_SEATS,
    ONES,
    OWNED,
    RUNNING,
    STARTER,
    STONES_LEFT,
    TO_MOVE,
    TURN,
    TURN_STONES,
    TWOS,
    ArondaState,
    new_state,
)
from .turn import find_end

RULES = ("blockade", "stop_at_majority")
COUNTERS = {  # entry of a position -> counter and greatest value
    "turn": (TURN, 2**30),
    "to_move": (TO_MOVE, 1),
    "stones_left": (STONES_LEFT, 2),
    "starter": (STARTER, 1),
}
ENTRIES = {"fields", "last_turn", "begun", "rules", *COUNTERS}


def position_of(state: ArondaState) -> Position:
    """Returns the position of a state (B = 1)."""
    masks, counters = state.masks[0], state.counters[0]
    fields = {name: _field_text(state, number) for number, name in enumerate(NAMES)}
    return {
        "fields": {name: text for name, text in fields.items() if text},
        **{name: int(counters[counter]) for name, (counter, _) in COUNTERS.items()},
        "last_turn": [name for number, name in enumerate(NAMES) if int(masks[LAST_TURN]) >> number & 1],
        "begun": bool(counters[HAS_BEGUN]),
        "rules": {name: bool(counters[k]) for k, name in enumerate(RULES)},
    }


def rules_of(position: Any) -> dict[str, Any]:
    """Returns the rules that a position brings, as arguments; raises `PositionError` if there are others."""
    rules = position.get("rules", {}) if isinstance(position, Mapping) else {}
    if not isinstance(rules, Mapping) or not set(rules) <= set(RULES):
        raise PositionError(f"position: rules={shown(rules)} is not allowed; allowed: {', '.join(RULES)}")
    return dict(rules)


def _field_text(state: ArondaState, number: int) -> str:
    """Returns what a position says of a field, "" for an empty one."""
    masks = state.masks[0]
    for seat in range(NUM_SEATS):
        if int(masks[OWNED + seat]) >> number & 1:
            return str(seat)
    counts = [count_stones(masks, seat, number) for seat in range(NUM_SEATS)]
    return ".".join(map(str, counts)) if any(counts) else ""


def state_of(position: Position, config: Config) -> ArondaState:
    """Returns the state (B = 1, LEGAL not filled) of a position under the rules of `config`.

    Raises:
        PositionError: the form is wrong, the rules are others, or no game can come to it; names what is wrong.
    """
    _check_form(position)
    for name, brought in rules_of(position).items():
        if brought != getattr(config, name):
            raise PositionError(
                f"position: rules: {name}={shown(brought)} is not allowed here; allowed: {getattr(config, name)!r}"
            )
    state = new_state(1, config.blockade, config.stop_at_majority)
    counters = state.counters[0]
    for name, (counter, _) in COUNTERS.items():
        counters[counter] = position[name]
    counters[HAS_BEGUN] = position["begun"]
    for name, text in position["fields"].items():
        _put_field(state, name, text)
    for name in position["last_turn"]:
        state.masks[0, LAST_TURN] |= np.uint64(1 << NAMES.index(name))
    _check_rules(state)
    return state


def _check_form(position: Any) -> None:
    """Raises `PositionError` unless all entries are there, of the right types and ranges."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a JSON object; got {type(position).__name__}")
    missing, unknown = ENTRIES - {"rules"} - set(position), set(position) - ENTRIES
    for name in sorted(map(str, missing | unknown)):
        raise PositionError(f"position: field {name!r} is {'missing' if name in missing else 'unknown'}")
    for name, (_, most) in COUNTERS.items():
        low = 1 if name == "stones_left" else 0
        if type(position[name]) is not int or not low <= position[name] <= most:
            raise PositionError(
                f"position: {name}={shown(position[name])} is not allowed; allowed: a whole number in {low}..{most}"
            )
    if not isinstance(position["begun"], bool):
        raise PositionError(f"position: begun={shown(position['begun'])} is not allowed; allowed: true or false")
    last = position["last_turn"]
    if not isinstance(last, (list, tuple)) or not all(name in NAMES for name in last):
        raise PositionError(f"position: last_turn={shown(last)} is not allowed; allowed: a list of fields")
    if not isinstance(position["fields"], Mapping) or not all(name in NAMES for name in position["fields"]):
        raise PositionError("position: fields is not allowed; allowed: an object whose names are fields")


def _put_field(state: ArondaState, name: str, text: Any) -> None:
    """Writes a field into a state."""
    masks, number = state.masks[0], NAMES.index(name)
    bit = np.uint64(1 << number)
    if text in ("0", "1"):
        masks[OWNED + int(text)] |= bit
        return
    counts = text.split(".") if isinstance(text, str) else []
    allowed = [str(count) for count in range(int(THRESHOLDS[number]))]
    if len(counts) != NUM_SEATS or not all(count in allowed for count in counts):
        raise PositionError(
            f"position: field {name}={shown(text)} is not allowed; allowed: '0', '1' (owned), or stones as '2.1', "
            f"each below {THRESHOLDS[number]}"
        )
    for seat, count in enumerate(map(int, counts)):
        masks[ONES + seat] |= bit if count & 1 else np.uint64(0)
        masks[TWOS + seat] |= bit if count & 2 else np.uint64(0)


def _check_rules(state: ArondaState) -> None:
    """Fills in whether the game is over; raises `PositionError` where no game comes to the position."""
    masks, counters = state.masks[0], state.counters[0]
    owned = [int(masks[OWNED + seat]) for seat in range(NUM_SEATS)]
    for number in range(NUM_FIELDS):
        for seat in range(NUM_SEATS):
            near = (int(NEIGHBOURS[number]) & owned[seat]).bit_count()
            if not (owned[0] | owned[1]) >> number & 1 and near >= THRESHOLDS[number]:
                raise PositionError(f"position: field {NAMES[number]} would have been taken from outside")
    if counters[HAS_BEGUN]:  # the seat to move placed last: where that has ended the game, nothing is counted any more
        counters[END_REASON] = find_end(masks, counters)
        if counters[END_REASON] != RUNNING:
            return
    if counters[STONES_LEFT] != (1 if counters[HAS_BEGUN] or counters[TURN] == 0 else TURN_STONES):
        raise PositionError(f"position: stones_left={counters[STONES_LEFT]} is not that of this moment of a turn")
    before = counters.copy()
    before[TO_MOVE] = 1 - counters[TO_MOVE]
    if counters[TURN] > 0 and not counters[HAS_BEGUN] and find_end(masks, before) != RUNNING:
        raise PositionError("position: the game would have ended before this turn")
    if find_places(masks, int(counters[TO_MOVE])) == 0:
        raise PositionError("position: the seat to move would have been passed over")
