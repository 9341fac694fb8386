"""Gymnasium spaces of a game; made once per environment, the same for every seat."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from ..core.game import Setup


def planes_space(setup: Setup) -> spaces.Box:
    """The planes: uint8 [F, rows, cols] in 0..255."""
    return spaces.Box(0, 255, (len(setup.plane_names), *setup.board_shape), np.uint8)


def observation_space(setup: Setup) -> spaces.Dict:
    """The planes, and int8 [A] of 0 and 1: the legal actions."""
    mask = spaces.Box(0, 1, (setup.num_actions,), np.int8)
    return spaces.Dict({"observation": planes_space(setup), "action_mask": mask})


def action_space(setup: Setup) -> spaces.Discrete:
    """0..A-1."""
    return spaces.Discrete(setup.num_actions)
