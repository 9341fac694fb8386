"""How the scripted agents play: `python -m tests.agents.make_play` writes `tests/golden/agents.json` anew.

For each agent its version and, for each game that it plays, a checksum of a few games. An agent that plays differently
gets a new version in `agents/registry.py`, so that tables of results never mix two players under one name, and the
changelog a line. Of `blossom` it is the weights that are watched, since what a network plays hangs on the machine's
rounding. A rule that changes may change how agents play as well; then all of them are new.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path

import numpy as np

from agents import blossom, make
from agents.registry import version_of
from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start
from training.files import write_bytes

FILE = Path(__file__).resolve().parents[1] / "golden" / "agents.json"
SETUPS = {
    "bitblossom": [
        {"num_players": 2, "board_size": 7},
        {"num_players": 3, "board_size": 6},
        {"num_players": 4, "board_size": 7},
    ],
    "aronda": [{}],
}
MAX_TURNS = {"bitblossom": 24, "aronda": 1000}  # the latter to their end, which `solver` sees coming
GAMES = {  # that an agent plays
    "random": ("bitblossom", "aronda"),
    "random:any": ("bitblossom", "aronda"),
    "greedy": ("bitblossom", "aronda"),
    "cutter": ("bitblossom",),
    "closer": ("bitblossom",),
    "planner": ("bitblossom",),
    "mcts:6": ("bitblossom", "aronda"),
    "solver:1000": ("aronda",),
}
SPECS = tuple(GAMES)
NUM_SEEDS = 3


def play(spec: str) -> dict[str, str]:
    """Returns by game a checksum of games of an agent against itself, some of them from random starts."""
    return {game_name: play_game(spec, game_name) for game_name in GAMES[spec]}


def play_game(spec: str, game_name: str) -> str:
    """Returns the checksum for one game."""
    agent, checksum = make(spec), 0
    for arguments in SETUPS[game_name]:
        setup = make_setup(game_name, arguments)
        for seed in range(NUM_SEEDS):
            rng = np.random.default_rng(seed)
            game = random_start(setup, rng, 2 * seed)
            while not game.is_over and game.turn < MAX_TURNS[game_name]:
                action = agent.act(game, game.to_move, rng)
                checksum = zlib.crc32(f"{action} ".encode(), checksum)
                game.apply(action)
    return f"{checksum:08x}"


def hash_of_blossom() -> str:
    """Returns what tells the weights that ship from any others."""
    return hashlib.sha256((blossom.FOLDER / "model.safetensors").read_bytes()).hexdigest()


def main() -> None:
    """Writes the file."""
    played: dict[str, list[object]] = {spec: [version_of(spec), play(spec)] for spec in SPECS}
    played["blossom"] = [version_of("blossom"), hash_of_blossom()]
    write_bytes(FILE, (json.dumps(played, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
