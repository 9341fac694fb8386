"""Whole turns of an agent in the middle of games, timed one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from bitblossom_env.core.game import Game, make_setup

MILLISECONDS = 1e3


def middle_games(
    board_size: int, num_players: int, player: str, turns: tuple[int, int], num_games: int
) -> Iterator[Game]:
    """Yields the positions at the beginning of some turns, first to last, of games of an agent against itself."""
    setup = make_setup("bitblossom", {"board_size": board_size, "num_players": num_players})
    agent = make(player)
    first, last = turns
    for seed in range(num_games):
        rng = np.random.default_rng(seed)
        game = setup.new_game(rng, seed % num_players)
        turn = -1
        while not game.is_over and game.turn <= last:
            if turn != game.turn >= first:
                yield game.clone()
            turn = game.turn
            game.apply(agent.act(game, game.to_move, rng))


class Turns:
    """An agent and the positions in which it is asked for a turn."""

    def __init__(self, agent: str, positions: list[Game]) -> None:
        self._agent, self._positions = make(agent), positions
        self.facts: dict[str, Any] = {"positions": len(positions)}
        self._play(positions[0])

    def measure(self, seconds: float) -> dict[str, Any]:
        """Plays one turn in every position, all of them again until the CPU time is over; times in milliseconds."""
        began, began_cpu = time.perf_counter(), time.process_time()
        times: list[float] = []
        while not times or time.process_time() - began_cpu < seconds:
            times += [self._play(position) for position in self._positions]
        return {
            "median": MILLISECONDS * median(times),
            "most": MILLISECONDS * max(times),
            "seconds": time.process_time() - began_cpu,
            "elapsed": time.perf_counter() - began,
        }

    def _play(self, position: Game) -> float:
        """Returns the CPU seconds in which the agent chose the actions of a turn."""
        game, rng, turn, spent = position.clone(), np.random.default_rng(0), position.turn, 0.0
        while not game.is_over and game.turn == turn:
            began = time.process_time()
            action = self._agent.act(game, game.to_move, rng)
            spent += time.process_time() - began
            game.apply(action)
        return spent


def prepare(
    agent: str, board_size: int, num_players: int, player: str, turns: tuple[int, int], num_games: int
) -> Turns:
    """Returns the agent before the turns `turns`, first and last, of games of `player`."""
    return Turns(agent, list(middle_games(board_size, num_players, player, turns, num_games)))
