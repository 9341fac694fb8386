"""Agents that play any game of `bitblossom_env` through one call, and the registry that makes them by name.

Importing this package loads no neural network library; only asking for a `checkpoint` agent does.
"""

from agents.base import Agent
from agents.registry import make, register

__all__ = ["Agent", "make", "register"]
