"""Bit Blossom for reinforcement learning: importing this package registers every game and environment id."""

from . import aronda_v0, bitblossom_v0
from .registration import register_all

__version__ = "0.1.0"
__all__ = ["__version__", "aronda_v0", "bitblossom_v0"]

register_all()
