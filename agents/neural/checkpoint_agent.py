"""Plays with the network of a checkpoint: `checkpoint:PATH[?temperature=T][&views=V]`, or `?sims=N`."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch

from agents.base import Agent, announcement, check_options
from agents.neural.checkpoint_file import Checkpoint, read_checkpoint
from agents.neural.compute import Judge
from agents.neural.eyes import Eyes
from agents.neural.layout import MODEL_FILE
from agents.neural.policy import draw_actions
from agents.neural.searching import SearchingAgent
from agents.search.gumbel.search import GumbelSettings
from bitblossom_env.core.game import Game, Setup

DEFAULT_TEMPERATURE = 0.5
MAX_TEMPERATURE = 10.0
NUM_EXPLAINED = 5  # actions
MAX_SIMULATIONS = 4096


class CheckpointAgent:
    """Draws actions from a network's policy; plays on every board, with any number of players.

    At temperature 1 the network plays as it trained, with all its exploration; below, it prefers what it
    thinks best; 0 always takes the likeliest action. The policy is averaged over the board's symmetries
    (`views=1` looks only once).
    """

    def __init__(self, name: str, checkpoint: Checkpoint, temperature: float, num_views: int) -> None:
        self.name = name
        self.identity = str(checkpoint.meta["sha256"][MODEL_FILE])  # of the weights: the same name may get others
        self._game_name = checkpoint.meta.get("game")
        self._checkpoint = checkpoint
        self._temperature = temperature
        self._num_views = num_views
        self._eyes: dict[Setup, Eyes] = {}

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal placement or the end of the turn; never retracts."""
        return self.act_many([game], [seat], [rng])[0]

    def act_many(self, games: Sequence[Game], seats: Sequence[int], rngs: Sequence[np.random.Generator]) -> list[int]:
        """Returns a legal placement or the end of the turn for each of one or more games of one setup.

        Raises:
            ValueError: the network has learned another game.
        """
        eyes = self.eyes_for(games[0].setup)
        masks = eyes.actions.mask(np.stack([game.legal_mask() for game in games]))  # bool [G, N + 1]
        choices = masks.argmax(1)
        asked = np.flatnonzero(masks.sum(1) > 1).tolist()
        if asked:
            planes = np.stack([games[row].observe(seats[row]) for row in asked])
            log_probs, _ = eyes.judge(planes, masks[asked], self._num_views)
            for row, judged in zip(asked, log_probs, strict=True):
                choices[row] = draw_actions(judged, rngs[row], self._temperature)
        return [int(action) for action in eyes.actions.game_actions(choices)]

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, and what the network finds likeliest (at temperature 1)."""
        said = announcement(self.name, game.describe_action(self.act(game, seat, copy.deepcopy(rng))))
        eyes = self.eyes_for(game.setup)
        mask = eyes.actions.mask(game.legal_mask()[None])
        if mask.sum() == 1:
            return f"{said}\nNothing else is legal."
        log_probs, _ = eyes.judge(game.observe(seat)[None], mask, self._num_views)
        chances = torch.from_numpy(log_probs).softmax(1).numpy()[0]
        likeliest = np.argsort(-chances, kind="stable")[: min(NUM_EXPLAINED, int(mask.sum()))]
        names = [game.describe_action(int(action)) for action in eyes.actions.game_actions(likeliest)]
        shares = ", ".join(f"{name} {chances[k]:.1%}" for name, k in zip(names, likeliest, strict=True))
        return f"{said}\nThe network finds likeliest: {shares}."

    def eyes_for(self, setup: Setup) -> Eyes:
        """Returns what the network sees games of a setup with; raises `ValueError` for another game."""
        if self._game_name != setup.game_name:
            raise ValueError(
                f"agent {self.name!r} plays game={self._game_name!r}, not {setup.game_name!r}; allowed: a checkpoint "
                "of the game that is played"
            )
        if setup not in self._eyes:
            self._eyes[setup] = Eyes(setup, Judge(self._checkpoint.network(setup)))
        return self._eyes[setup]


def make(argument: str, options: Mapping[str, str]) -> Agent:
    """Returns the agent for the path `argument`: a checkpoint, a `checkpoints` folder or a run folder."""
    if not argument:
        raise ValueError("agent 'checkpoint' needs a path; allowed: checkpoint:PATH of a checkpoint or run folder")
    # One position at a time is too small to share between threads; many agents may run side by side.
    torch.set_num_threads(1)
    tail = "&".join(f"{key}={value}" for key, value in options.items())
    name = f"checkpoint:{argument}" + (f"?{tail}" if tail else "")
    return make_agent(name, read_checkpoint(Path(argument)), options)


def make_agent(name: str, checkpoint: Checkpoint, options: Mapping[str, str]) -> Agent:
    """Returns the agent that plays with a checkpoint: by its policy, or by a search where `sims` is given."""
    kind = name.partition(":")[0].partition("?")[0]
    if "sims" in options:
        check_options(kind, options, ("sims",))
        sims = _whole("sims", options["sims"], MAX_SIMULATIONS)
        drawing = CheckpointAgent(name, checkpoint, 0, 1)
        return SearchingAgent(name, drawing.identity, drawing.eyes_for, GumbelSettings(num_simulations=sims))
    check_options(kind, options, ("temperature", "views", "sims"))
    temperature = _number("temperature", options.get("temperature", str(DEFAULT_TEMPERATURE)), 0, MAX_TEMPERATURE)
    return CheckpointAgent(name, checkpoint, temperature, _whole("views", options.get("views", "8"), 8))


def _whole(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise ValueError(f"{name}={text!r} is not allowed; allowed: an integer 1..{most}")
    return int(text)


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise ValueError(f"{name}={text!r} is not allowed; allowed: a number {low:g}..{high:g}")
    return value
