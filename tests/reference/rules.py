"""The rules config of the twin: the choosable fields of the rules; and the reasons to refuse an action."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

# Why an action is refused
NO_ACTION = "no action of this game"
GAME_OVER = "the game is over"
NO_PLACEMENT_LEFT = "no placement left (R2.1)"
OCCUPIED = "the cell holds a piece that is not doomed, or two pieces (R2.2)"
OPENING = "beside another player's home base in the own first turn (R2.7)"
NOT_FRESH = "the topmost piece is no fresh stone of the active player (R2.3)"
NO_RETRACTION_LEFT = "no retraction left (R2.6)"
BUDGET = "the budget would be overdrawn (R2.4)"
ORPHANED_OVERLAY = "an overlay would lie on a piece that is not doomed (R2.4)"


@dataclass(frozen=True)
class TwinRules:
    """Field by field what the rules mark as chosen; see R2.1, R2.6, R2.7, R2.8, R4.3."""

    placements_per_turn: int = 3
    first_turn_placements: int | None = None  # None: the usual budget in turn 0 too (R2.8)
    max_retractions_per_turn: int | None = 3  # None: no cap (R2.6)
    bonus_cap: int | None = None  # None: no cap (R2.1)
    opening_rule: str = "base-neighbourhood"  # or "none" (R2.7)
    max_turns: int | None = None  # None: no limit (R4.3)
    end_on_all_pass: bool = True
    ring_orthogonal: bool = True  # each False switches off that capture, and nothing else
    ring_diagonal: bool = True
    cuts: bool = True
    territory: bool = True
    reward: str = "win"  # or "rank", "area"

    @classmethod
    def from_json(cls, given: dict[str, Any], rows: int, cols: int) -> TwinRules:
        """Fields left out take their defaults; `max_turns` "auto", the default here, is 2 x rows x cols."""
        known = {entry.name for entry in fields(cls)}
        for name in given:
            if name not in known:
                raise ValueError(f"rules field {name!r} is unknown; allowed: {', '.join(sorted(known))}")
        chosen = {"max_turns": "auto"} | given
        if chosen["max_turns"] == "auto":
            chosen["max_turns"] = 2 * rows * cols
        return cls(**chosen)

    def budget(self, turn: int) -> int:
        """R2.1 and R2.8: placements of a turn before any bonus."""
        if turn == 0 and self.first_turn_placements is not None:
            return self.first_turn_placements
        return self.placements_per_turn
