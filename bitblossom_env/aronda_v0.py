"""Aronda as a PettingZoo AEC environment: `aronda_v0.env(...)`.

| | |
| --- | --- |
| Import | `from bitblossom_env import aronda_v0` |
| Agents | `player_0`, `player_1`, both in `agents` until the game ends |
| Actions | `Discrete(25)`: a stone in field c1, i1..i8, m1..m8, o1..o8, in this order |
| Observation | `{"observation": uint8 [9, 25], "action_mask": int8 [25]}`, the observer's view |
| Rewards | only at the end, zero-sum, see `reward` |
| Ends | full board, blockade, with `stop_at_majority` 13 fields (all terminated) |

A turn has two stones, the first turn one, so the same agent is often selected twice in a row; it ends by itself. The
planes and their names are in `env.unwrapped.plane_names`; the rules in `bitblossom_env/aronda/RULES.md`.

Version history: v0, the first.
"""

from __future__ import annotations

from .core.game import make_setup
from .envs.aec import GameAECEnv

NAME = "aronda_v0"


def env(
    blockade: bool = True,
    stop_at_majority: bool = False,
    starting_player: str = "player_0",
    reward: str = "win",
    render_mode: str | None = None,
) -> GameAECEnv:
    """Returns the environment; loads the compiled kernels on first use.

    Args:
        blockade: whether a player without a legal field loses (A4.3).
        stop_at_majority: whether 13 fields win at once (A4.2).
        starting_player: "player_0", "player_1" or "random" (drawn at each reset).
        reward: "win" (1 and -1) or "area" (fields more than the other, as a share of all).
        render_mode: None or "ansi".

    Raises:
        ArgumentError: an argument is not allowed; names it, its value and what is allowed.
    """
    arguments = dict(locals())
    del arguments["render_mode"]
    return GameAECEnv(make_setup("aronda", arguments), NAME, render_mode)


raw_env = env
