"""Many games of one setup in lockstep: `BatchEnv`."""

from .env import BatchEnv

__all__ = ["BatchEnv"]
