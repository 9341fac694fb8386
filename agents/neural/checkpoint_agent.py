"""Plays with the network of a checkpoint: `checkpoint:PATH[?temperature=T][&views=V]`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from agents.base import check_options
from agents.neural.checkpoint_file import read_checkpoint
from agents.neural.encode import Encoded, Encoder
from agents.neural.network import BlossomNetwork, Judgement
from agents.neural.policy import ActionMap, choose, judge
from agents.neural.symmetry import Symmetries
from bitblossom_env.core.game import Game, Setup

DEFAULT_TEMPERATURE = 0.5
MAX_TEMPERATURE = 10.0


class CheckpointAgent:
    """Draws actions from a network's policy; plays every grid game whose planes the encoder knows.

    At temperature 1 the network plays as it trained, with all its exploration; below, it prefers what it
    thinks best; 0 always takes the likeliest action. The policy is averaged over the board's symmetries
    (`views=1` looks only once).
    """

    def __init__(self, name: str, network: BlossomNetwork, temperature: float, num_views: int) -> None:
        self.name = name
        self._network = network
        self._temperature = temperature
        self._num_views = num_views
        self._eyes: dict[Setup, _Eyes] = {}

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal placement or the end of the turn; never retracts."""
        setup = game.setup
        if setup not in self._eyes:
            self._eyes[setup] = _Eyes(setup)
        eyes = self._eyes[setup]
        mask = eyes.actions.mask(game.legal_mask()[None])  # bool [1, N + 1]
        choice = mask.argmax(1)
        if mask.sum() > 1:
            judgement = eyes.judge(self._network, game.observe(seat), mask, self._num_views)
            choice = choose(judgement, rng, self._temperature).actions
        return int(eyes.actions.game_actions(choice)[0])


class _Eyes:
    """What depends on the setup: built once per setup, since tables cost more than a decision."""

    def __init__(self, setup: Setup) -> None:
        self.encoder = Encoder(setup)
        self.actions = ActionMap(setup)
        rows, cols = setup.board_shape
        self.symmetries = Symmetries(rows, cols)

    def judge(
        self, network: BlossomNetwork, observation: NDArray[np.uint8], mask: NDArray[np.bool_], num_views: int
    ) -> Judgement:
        """Returns the judgement of one position, log-probabilities averaged over `num_views` symmetries."""
        encoded = self.encoder.encode(observation[None])
        which = np.arange(min(num_views, len(self.symmetries)))
        views = Encoded(
            self.symmetries.planes(encoded.planes.repeat(len(which), axis=0), which),
            encoded.constants.repeat(len(which), axis=0),
        )
        seen = judge(network, views, self.symmetries.mask(mask.repeat(len(which), axis=0), which))
        # Column a of the board is column inverse[s, a] of view s; end turn stays last.
        back = np.column_stack((self.symmetries.inverse[which], np.full(len(which), mask.shape[1] - 1)))
        logits = seen.logits.log_softmax(1).gather(1, torch.from_numpy(back)).mean(0, keepdim=True)  # [1, N + 1]
        return Judgement(logits, seen.values.mean(0, keepdim=True))


def make(argument: str, options: Mapping[str, str]) -> CheckpointAgent:
    """Returns the agent for the path `argument`: a checkpoint, a `checkpoints` folder or a run folder."""
    if not argument:
        raise ValueError("agent 'checkpoint' needs a path; allowed: checkpoint:PATH of a checkpoint or run folder")
    check_options("checkpoint", options, ("temperature", "views"))
    temperature = _number("temperature", options.get("temperature", str(DEFAULT_TEMPERATURE)), 0, MAX_TEMPERATURE)
    num_views = _number("views", options.get("views", "8"), 1, 8)
    if num_views != int(num_views):
        raise ValueError(f"views={options['views']!r} is not allowed; allowed: an integer 1..8")
    # One position at a time is too small to share between threads; many agents may run side by side.
    torch.set_num_threads(1)
    tail = "&".join(f"{key}={value}" for key, value in options.items())
    name = f"checkpoint:{argument}" + (f"?{tail}" if tail else "")
    return CheckpointAgent(name, read_checkpoint(Path(argument)).network(), temperature, int(num_views))


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise ValueError(f"{name}={text!r} is not allowed; allowed: a number {low:g}..{high:g}")
    return value
