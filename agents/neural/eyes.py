"""How a network sees the games of one setup: from observations and masks to probabilities and values."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from agents.neural.compute import Judge
from agents.neural.kinds import make_encoder, make_symmetries
from agents.neural.network import Encoded
from agents.neural.policy import ActionMap
from bitblossom_env.core.game import Setup

MAX_BATCH = 64  # positions a call: more at once are no quicker on one core


class Eyes:
    """What depends on the setup: built once per setup, since tables cost more than a decision."""

    def __init__(self, setup: Setup, judge: Judge) -> None:
        self._judge = judge
        self._encoder = make_encoder(setup)
        self.actions = ActionMap(setup)
        self._symmetries = make_symmetries(setup)
        self.num_actions = len(setup.placements) + 1  # of the network

    def judge(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], num_views: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns log-probabilities float32 [G, N + 1] and values float32 [G, P], averaged over some symmetries.

        Args:
            observations: uint8 [G, F, *board shape], each as the seat to move sees it.
            masks: bool [G, N + 1].
            num_views: how many; at most all of the board's are used.
        """
        num_views = min(num_views, len(self._symmetries))
        per_call = max(1, MAX_BATCH // num_views)
        parts = [
            self._judge_some(observations[rows], masks[rows], num_views)
            for rows in np.split(np.arange(len(masks)), range(per_call, len(masks), per_call))
        ]
        log_probs, values = (np.concatenate(column) for column in zip(*parts, strict=True))
        return log_probs, values

    def _judge_some(
        self, observations: NDArray[np.uint8], masks: NDArray[np.bool_], num_views: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        encoded = self._encoder.encode(observations)
        which = np.tile(np.arange(num_views), len(masks))  # [G * V], the views of a game side by side
        views = Encoded(
            self._symmetries.planes(encoded.planes.repeat(num_views, axis=0), which),
            encoded.constants.repeat(num_views, axis=0),
        )
        seen = self._judge(views, self._symmetries.mask(masks.repeat(num_views, axis=0), which))
        # Column a of the board is column inverse[s, a] of view s; end turn stays last.
        back = np.column_stack((self._symmetries.inverse[which], np.full(len(which), masks.shape[1] - 1)))
        logits = seen.logits.log_softmax(1).gather(1, torch.from_numpy(back))  # [G * V, N + 1]
        averaged = logits.reshape(len(masks), num_views, -1).mean(1)  # [G, N + 1]
        return averaged.numpy(), seen.values.reshape(len(masks), num_views, -1).mean(1).numpy()
