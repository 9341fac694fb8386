"""Bit Blossom as a PettingZoo AEC environment: `bitblossom_v0.env(...)`.

| | |
| --- | --- |
| Import | `from bitblossom_env import bitblossom_v0` |
| Agents | `player_0` .. `player_{P-1}`, 2..8, all in `agents` until the game ends; an eliminated one is skipped |
| Actions | `Discrete(2N + 1)`, N = rows x cols: `r*cols + c` places, `N + r*cols + c` retracts, `2N` ends the turn |
| Observation | `{"observation": uint8 [8P + 9, rows, cols], "action_mask": int8 [2N + 1]}`, the observer's view |
| Rewards | only at the end, zero-sum over the seats, see `reward` |
| Ends | one survivor, none, full board, all passed (terminated); `max_turns` (truncated); never both |

The planes and their names are in `env.unwrapped.plane_names`; the rules in `bitblossom_env/bitblossom/RULES.md`.

Version history: v0, the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from .core.game import make_setup
from .envs.aec import GameAECEnv

NAME = "bitblossom_v0"


def env(  # noqa: PLR0913, PLR0917  # the arguments of the game are the arguments of its environment
    num_players: int = 2,
    board_size: int | Sequence[int] = (9, 9),
    home_bases: str | Sequence[Sequence[int]] = "default",
    placements_per_turn: int = 3,
    first_turn_placements: int | None = None,
    max_retractions_per_turn: int | None = 3,
    bonus_cap: int | None = None,
    opening_rule: str = "base-neighbourhood",
    max_turns: int | str | None = "auto",
    end_on_all_pass: bool = True,
    ring_orthogonal: bool = True,
    ring_diagonal: bool = True,
    cuts: bool = True,
    territory: bool = True,
    reward: str = "win",
    extra_planes: Sequence[str] = (),
    render_mode: str | None = None,
) -> GameAECEnv:
    """Returns the environment; loads the compiled kernels on first use.

    Args:
        num_players: seats, 2..8.
        board_size: a side or (rows, cols), 3..32 each.
        home_bases: "default", "random" (drawn at each reset), or one (row, column) per seat (R1).
        placements_per_turn: stones a turn before bonus, at least 1 (R2.1).
        first_turn_placements: the same for turn 0 only, None for the usual budget (R2.8).
        max_retractions_per_turn: at least 0, None for no cap (R2.6).
        bonus_cap: most placements that pending cuts refund, None for no cap (R2.1).
        opening_rule: "base-neighbourhood" or "none" (R2.7).
        max_turns: "auto" (2 x rows x cols), a number of turns, or None for no limit (R4.3).
        end_on_all_pass: whether the game ends when every player not eliminated has passed in a row (R4.3).
        ring_orthogonal: whether orthogonal rings capture (R3.1).
        ring_diagonal: whether diagonal rings capture (R3.1).
        cuts: whether cuts capture (R3.2).
        territory: whether territory captures (R3.3); it counts for area and elimination in any case.
        reward: "win" (winners share +1, the others -1), "rank" or "area".
        extra_planes: optional planes to append: "sea", "placeable".
        render_mode: None or "ansi".

    Raises:
        ArgumentError: an argument is not allowed; names it, its value and what is allowed.
    """
    arguments = dict(locals())
    del arguments["render_mode"]
    return GameAECEnv(make_setup("bitblossom", arguments), NAME, render_mode)


raw_env = env
