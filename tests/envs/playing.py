"""What the tests of the environments share: setups, ways to play, what a game looks like from outside."""

import numpy as np

from bitblossom_env import aronda_v0, bitblossom_v0

SETUPS = [
    {},
    {"num_players": 2, "board_size": 3, "home_bases": [(0, 0), (2, 2)]},
    {"num_players": 3, "board_size": (5, 8), "home_bases": "random"},
    {"num_players": 4, "board_size": 7, "max_retractions_per_turn": None, "opening_rule": "none"},
    {"num_players": 5, "board_size": (11, 9), "bonus_cap": 1, "first_turn_placements": 1},
    {"num_players": 8, "board_size": 11, "reward": "rank", "placements_per_turn": 5},
    {"num_players": 3, "board_size": 6, "reward": "area", "max_turns": 9, "extra_planes": ("sea", "placeable")},
]
OTHER_GAME = {"game": "aronda", "starting_player": "random"}
MAKERS = {"bitblossom": bitblossom_v0.env, "aronda": aronda_v0.env}


def made(arguments, seed=0, **options):
    """A new environment after its first reset."""
    arguments = dict(arguments)
    env = MAKERS[arguments.pop("game", "bitblossom")](**arguments)
    env.reset(seed=seed, options=options or None)
    return env


def has_ended(env):
    return any(env.terminations.values()) or any(env.truncations.values())


def random_action(env, rng):
    mask = env.infos[env.agent_selection]["action_mask"]
    end_turn = env.game.setup.end_turn
    # Ending the turn as often as any cell makes games long; one action in four does.
    return int(end_turn if end_turn is not None and rng.random() < 0.25 else rng.choice(np.flatnonzero(mask)))


def play(env, rng, num_actions=10**9):
    """Plays up to the end of the game, or `num_actions` actions."""
    for _ in range(num_actions):
        if has_ended(env):
            return
        env.step(random_action(env, rng))


def drain(env):
    """Takes the terminal step of every seat; returns the rewards that `last` told each."""
    paid = {}
    while env.agents:
        agent = env.agent_selection
        assert agent not in paid, "exactly one terminal last() per seat"
        _, paid[agent], terminated, truncated, info = env.last()
        assert terminated != truncated
        assert set(info["outcome"]) == {"reason", "winners", "areas", "ranks", "owner", "truncated"}
        env.step(None)
    return paid


def fingerprint(env):
    """What must stay the same where nothing may change."""
    facts = (env.rewards, env.terminations, env.truncations)
    return env.game.hash(), env.agent_selection, list(env.agents), *map(dict, facts)


def trace(env, seed, num_actions):
    """Plays on and returns all that a learner would have seen; restarts games that end."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(num_actions):
        if has_ended(env):
            env.reset()
        env.step(random_action(env, rng))
        observation, reward, terminated, truncated, _ = env.last()
        planes, mask = observation["observation"].tobytes(), observation["action_mask"].tobytes()
        seen.append((env.agent_selection, env.game.hash(), planes, mask, reward, terminated, truncated))
    return seen


def learner_trace(env, seed, num_actions):
    """The same for the environment of one learner."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(num_actions):
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        observation, reward, terminated, truncated, _ = env.step(action)
        planes, mask = observation["observation"].tobytes(), observation["action_mask"].tobytes()
        seen.append((env.game.hash(), planes, mask, reward, terminated, truncated))
        if terminated or truncated:
            env.reset()
    return seen
