"""Random play in pgx's Go on the CPU: compiled, vectorised, finished games replaced inside the compiled code."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

STEPS_PER_CALL = 16  # inside one compiled call, which spares the way through Python and copies of the state
TRIAL_SECONDS = 0.5
Carry = tuple[Any, Any]  # states of all games, random key


class VectorPlay:
    """Plays `num_envs` games in lockstep; masks and observations of every step are part of the state."""

    def __init__(self, board_size: int, num_envs: int) -> None:
        self.num_envs = num_envs
        env = pgx.make(f"go_{board_size}x{board_size}")
        self._advance = compile_steps(env, num_envs)
        keys = jax.random.split(jax.random.PRNGKey(0), num_envs)
        self._carry: Carry = (jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1))
        self._carry = jax.block_until_ready(self._advance(self._carry))  # compiles
        written = {"planes": 17 * board_size**2, "mask": board_size**2 + 1}
        self.facts: dict[str, Any] = {"written": written, "num_envs": num_envs}

    def measure(self, seconds: float) -> dict[str, Any]:
        """Plays for `seconds` of the CPU and returns a `Sample`; the choice is inside the compiled code."""
        clock, began = time.process_time, time.perf_counter()
        start, num_steps = clock(), 0
        while (spent := clock() - start) < seconds:
            self._carry = jax.block_until_ready(self._advance(self._carry))
            num_steps += STEPS_PER_CALL * self.num_envs
        return {"steps": num_steps, "seconds": spent, "choosing": 0.0, "elapsed": time.perf_counter() - began}


def compile_steps(env: Any, num_envs: int) -> Callable[[Carry], Carry]:
    """Returns the compiled function that plays `STEPS_PER_CALL` random steps in every game."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def play_one(carry: Carry, _: None) -> tuple[Carry, None]:
        states, key = carry
        key, choice_key, reset_key = jax.random.split(key, 3)
        numbers = jax.random.uniform(choice_key, (num_envs, 1))
        ranks = jnp.cumsum(states.legal_action_mask.astype(jnp.int32), axis=1)  # [B, A] ones up to each action
        actions = jnp.argmax(ranks > jnp.floor(numbers * ranks[:, -1:]), axis=1)
        return (step(states, actions, jax.random.split(reset_key, num_envs)), key), None

    def play_some(carry: Carry) -> Carry:
        played: Carry = jax.lax.scan(play_one, carry, None, length=STEPS_PER_CALL)[0]
        return played

    compiled: Callable[[Carry], Carry] = jax.jit(play_some)
    return compiled


def prepare(board_size: int, batch_sizes: Sequence[int]) -> VectorPlay:
    """Returns the quickest of several batch sizes, compiled and in play."""
    plays = [VectorPlay(board_size, num_envs) for num_envs in batch_sizes]
    return max(plays, key=trial_rate)


def trial_rate(play: VectorPlay) -> float:
    """Returns the steps a CPU second of a short trial."""
    trial = play.measure(TRIAL_SECONDS)
    return float(trial["steps"] / trial["seconds"])
