"""Random play in PettingZoo's Go, with or without its stock wrappers."""

from __future__ import annotations

from pettingzoo.classic.go import go

from training.benchmarks.loads.single import SinglePlay


def prepare(board_size: int, is_wrapped: bool = True) -> SinglePlay:
    """Returns games in play; its observation is bool [N, N, 17] and a mask int8 [N*N + 1]."""
    play = SinglePlay((go.env if is_wrapped else go.raw_env)(board_size=board_size))
    play.facts["written"] = {"planes": 17 * board_size**2, "mask": board_size**2 + 1}
    return play
