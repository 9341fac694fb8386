"""Which network, which input and which symmetries a board has: the only place that tells grids from other boards."""

from __future__ import annotations

import math

import numpy as np
import torch

from agents.neural.config import GRAPH, GRID, NetworkConfig
from agents.neural.graph.encode import GraphEncoder
from agents.neural.graph.network import GraphNetwork
from agents.neural.grid.encode import GridEncoder
from agents.neural.grid.network import BlossomNetwork
from agents.neural.network import MAX_SEATS, Encoder, Network
from agents.neural.symmetry import Symmetries
from bitblossom_env.core.game import Setup


def kind_of(setup: Setup) -> str:
    """Returns the kind of network that plays on the board of a setup."""
    return GRID if setup.neighbours is None else GRAPH


def make_network(config: NetworkConfig, setup: Setup) -> Network:
    """Returns a fresh network that plays the games of a setup; raises `ValueError` if it is of the wrong kind."""
    kind = kind_of(setup)
    if config.kind != kind:
        raise ValueError(
            f"network.kind={config.kind!r} does not play on the board of {setup.game_name}; allowed: {kind!r}"
        )
    if setup.neighbours is None:
        return BlossomNetwork(config)
    num_fields = len(setup.neighbours)
    links = np.zeros((num_fields, num_fields), np.bool_)
    for field, others in enumerate(setup.neighbours):
        links[field, list(others)] = True
    return GraphNetwork(config, torch.from_numpy(links), setup.num_seats)


def make_bare_network(config: NetworkConfig) -> Network:
    """Returns a network that has the weights of its kind and size, and no board to play on."""
    if config.kind == GRID:
        return BlossomNetwork(config)
    return GraphNetwork(config, torch.zeros(0, 0), MAX_SEATS)


def make_encoder(setup: Setup) -> Encoder:
    """Returns what makes the network's input; raises `ValueError` for a game that it cannot read."""
    return GridEncoder(setup) if kind_of(setup) == GRID else GraphEncoder(setup)


def make_symmetries(setup: Setup) -> Symmetries:
    """Returns the views of the board that a network is to be shown.

    On a graph there is but one: a network that knows fields by their links alone judges all of them alike.
    """
    if len(setup.board_shape) == 2 and kind_of(setup) == GRID:
        rows, cols = setup.board_shape
        return Symmetries.of_grid(rows, cols)
    return Symmetries(np.arange(math.prod(setup.board_shape))[None])
