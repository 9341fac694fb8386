"""What the tests of `BatchEnv` share: the same games one by one, and ways to play and to look at both."""

import numpy as np

from bitblossom_env.core.game import make_setup
from bitblossom_env.core.rollout import random_start

NUM_ENVS = 7  # no number of threads but 1 divides it
NO_ACTION = 10**9  # the action of a finished game: nobody may look at it
MODES = ("same_step", "next_step", "disabled")
THREADS = (1, 2, 3)
OTHER_GAME = {"game": "aronda", "starting_player": "random"}
SMALL = {"board_size": 3, "home_bases": [(0, 0), (2, 2)]}
RANDOM = {"num_players": 3, "board_size": (4, 6), "home_bases": "random", "max_turns": 5}


class OneByOne:
    """B single games and what `BatchEnv` promises of them, written from its contract without arrays."""

    def __init__(self, mode, arguments, seed=0, random_turns=None):
        arguments = dict(arguments)
        self.setup = make_setup(arguments.pop("game", "bitblossom"), arguments)
        self.mode, self.seed, self.random_turns = mode, seed, random_turns
        self.num_begun = [0] * NUM_ENVS
        self.games = [self.next_game(row) for row in range(NUM_ENVS)]
        self.flags = [(False, False)] * NUM_ENVS
        self.num_ends = {"terminated": 0, "truncated": 0, "replaced": 0}

    def next_game(self, row):
        """The n-th game of a row depends on the seed, the row and n alone."""
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(row, self.num_begun[row])))
        self.num_begun[row] += 1
        low, high = self.random_turns or (0, 0)
        return random_start(self.setup, rng, int(rng.integers(low, high + 1)) if self.random_turns else 0)

    def step(self, actions):
        """Plays one action in every row; returns rewards, flags, last observations and outcomes of the games ended."""
        rewards = np.zeros((NUM_ENVS, self.setup.num_seats), np.float32)
        seen, outcomes = [None] * NUM_ENVS, [None] * NUM_ENVS
        for row, game in enumerate(self.games):
            if game.is_over:
                self.pass_over(row)
                continue
            mover = game.to_move
            game.apply(int(actions[row]))
            self.flags[row] = (False, False)
            if game.is_over:
                rewards[row], seen[row], outcomes[row] = game.returns(), game.observe(mover), game.outcome
                self.flags[row] = (not game.outcome.truncated, game.outcome.truncated)
                self.num_ends["truncated" if game.outcome.truncated else "terminated"] += 1
                if self.mode == "same_step":
                    self.replace(row)
        return rewards, list(self.flags), seen, outcomes

    def pass_over(self, row):
        if self.mode != "disabled":
            self.flags[row] = (False, False)
            self.replace(row)

    def replace(self, row):
        self.games[row] = self.next_game(row)
        self.num_ends["replaced"] += 1


def choose(env, rng):
    """A legal action for every running game, no action at all for the others; ends a turn now and then."""
    actions = np.full(env.num_envs, NO_ACTION, np.int64)
    for row, mask in enumerate(env.action_masks):
        legal = np.flatnonzero(mask)
        if legal.size:
            actions[row] = legal[-1] if rng.random() < 0.25 else rng.choice(legal)
    return actions


def hashes(env):
    return [env.game(row).hash() for row in range(env.num_envs)]


def contents(env):
    """All that must stay the same where nothing may change: every game, every array that a step hands out."""
    arrays = (env.observations, env.action_masks, env.to_move, env._rewards, env._terminated, env._truncated)
    return hashes(env), [array is not None and array.tobytes() for array in arrays]


def comparable(value):
    """What a step or a reset returns, in a form that can be compared."""
    if isinstance(value, np.ndarray):
        return [comparable(item) for item in value] if value.dtype == object else (value.dtype, value.tolist())
    if isinstance(value, dict):
        return {name: comparable(item) for name, item in value.items()}
    return [comparable(item) for item in value] if isinstance(value, tuple) else value


def play(env, seed, num_steps):
    """Plays on and returns all that was seen; begins games anew where the environment does not."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(num_steps):
        out = env.step(choose(env, rng))
        seen.append((comparable(out), hashes(env)))
        done = out[2] | out[3]
        if env.metadata["autoreset_mode"].name == "DISABLED" and done.any():
            env.reset(options={"reset_mask": done})
    return seen
