"""Plays with the network of a checkpoint: `checkpoint:PATH[?temperature=T][&views=V]`."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from agents.base import announcement, check_options
from agents.neural.checkpoint_file import Checkpoint, read_checkpoint
from agents.neural.compute import Judge
from agents.neural.kinds import make_encoder, make_symmetries
from agents.neural.layout import MODEL_FILE
from agents.neural.network import Encoded
from agents.neural.policy import ActionMap, draw_actions
from bitblossom_env.core.game import Game, Setup

DEFAULT_TEMPERATURE = 0.5
MAX_TEMPERATURE = 10.0
NUM_EXPLAINED = 5  # actions
MAX_BATCH = 64  # positions a call: more at once are no quicker on one core


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
        self._eyes: dict[Setup, _Eyes] = {}

    def act(self, game: Game, seat: int, rng: np.random.Generator) -> int:
        """Returns a legal placement or the end of the turn; never retracts."""
        return self.act_many([game], [seat], [rng])[0]

    def act_many(self, games: Sequence[Game], seats: Sequence[int], rngs: Sequence[np.random.Generator]) -> list[int]:
        """Returns a legal placement or the end of the turn for each of one or more games of one setup.

        Raises:
            ValueError: the network has learned another game.
        """
        eyes = self._eyes_for(games[0].setup)
        masks = eyes.actions.mask(np.stack([game.legal_mask() for game in games]))  # bool [G, N + 1]
        choices = masks.argmax(1)
        asked = np.flatnonzero(masks.sum(1) > 1)
        per_call = max(1, MAX_BATCH // self._num_views)
        for rows in np.split(asked, range(per_call, len(asked), per_call)):
            if not len(rows):
                continue
            planes = np.stack([games[row].observe(seats[row]) for row in rows])
            logits = eyes.judge(planes, masks[rows], self._num_views)
            for row, judged in zip(rows, logits.numpy(), strict=True):
                choices[row] = draw_actions(judged, rngs[row], self._temperature)
        return [int(action) for action in eyes.actions.game_actions(choices)]

    def explain(self, game: Game, seat: int, rng: np.random.Generator) -> str:
        """Returns what `act` would play, and what the network finds likeliest (at temperature 1)."""
        said = announcement(self.name, game.describe_action(self.act(game, seat, copy.deepcopy(rng))))
        eyes = self._eyes_for(game.setup)
        mask = eyes.actions.mask(game.legal_mask()[None])
        if mask.sum() == 1:
            return f"{said}\nNothing else is legal."
        logits = eyes.judge(game.observe(seat)[None], mask, self._num_views)
        chances = logits.softmax(1).numpy()[0]
        likeliest = np.argsort(-chances, kind="stable")[: min(NUM_EXPLAINED, int(mask.sum()))]
        names = [game.describe_action(int(action)) for action in eyes.actions.game_actions(likeliest)]
        shares = ", ".join(f"{name} {chances[k]:.1%}" for name, k in zip(names, likeliest, strict=True))
        return f"{said}\nThe network finds likeliest: {shares}."

    def _eyes_for(self, setup: Setup) -> _Eyes:
        if self._game_name != setup.game_name:
            raise ValueError(
                f"agent {self.name!r} plays game={self._game_name!r}, not {setup.game_name!r}; allowed: a checkpoint "
                "of the game that is played"
            )
        if setup not in self._eyes:
            self._eyes[setup] = _Eyes(setup, self._checkpoint)
        return self._eyes[setup]


class _Eyes:
    """What depends on the setup: built once per setup, since tables cost more than a decision."""

    def __init__(self, setup: Setup, checkpoint: Checkpoint) -> None:
        self._judge = Judge(checkpoint.network(setup))
        self.encoder = make_encoder(setup)
        self.actions = ActionMap(setup)
        self.symmetries = make_symmetries(setup)

    def judge(self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], num_views: int) -> torch.Tensor:
        """Returns log-probabilities float32 [G, N + 1] of G positions, averaged over `num_views` symmetries."""
        encoded = self.encoder.encode(observations)
        num_games, num_views = len(masks), min(num_views, len(self.symmetries))
        which = np.tile(np.arange(num_views), num_games)  # [G * V], the views of a game side by side
        views = Encoded(
            self.symmetries.planes(encoded.planes.repeat(num_views, axis=0), which),
            encoded.constants.repeat(num_views, axis=0),
        )
        seen = self._judge(views, self.symmetries.mask(masks.repeat(num_views, axis=0), which))
        # Column a of the board is column inverse[s, a] of view s; end turn stays last.
        back = np.column_stack((self.symmetries.inverse[which], np.full(len(which), masks.shape[1] - 1)))
        logits = seen.logits.log_softmax(1).gather(1, torch.from_numpy(back))  # [G * V, N + 1]
        return logits.reshape(num_games, num_views, -1).mean(1)  # [G, N + 1]


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
    return CheckpointAgent(name, read_checkpoint(Path(argument)), temperature, int(num_views))


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise ValueError(f"{name}={text!r} is not allowed; allowed: a number {low:g}..{high:g}")
    return value
