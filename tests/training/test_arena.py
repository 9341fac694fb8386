"""Games between agents: neutrality, forfeits, independence of order, and agents that meddle."""

import itertools

import numpy as np
import pytest

import bitblossom_env  # noqa: F401 - registers the games
from agents import make
from bitblossom_env.core.game import make_setup
from training.evaluation.arena import Contest, play_block, play_game
from training.evaluation.report import make_report
from training.evaluation.schedule import agent_rng, draw_start, make_blocks, make_lineups


class Offender:
    """Plays `action` as its n-th action of a game, random before."""

    name = "offender"

    def __init__(self, action, num_good):
        self.action = action
        self.num_good = num_good

    def act(self, game, seat, rng):
        if self.num_good == 0:
            return self.action
        self.num_good -= 1
        return make("random").act(game, seat, rng)


class Meddler:
    """Changes the game that it is given, which no agent may."""

    name = "meddler"

    def act(self, game, seat, rng):
        action = make("random").act(game, seat, rng)
        game.apply(action)
        return action


def contest(num_players, agents, board_size=5, seed=0):
    setup = make_setup("bitblossom", {"num_players": num_players, "board_size": board_size})
    return Contest(setup=setup, agents=tuple(agents), seed=seed, random_turns=(1, 2))


def play(arena, num_games):
    lineups = make_lineups(len(arena.agents), arena.setup.num_seats)
    return [play_block(arena, block) for block in make_blocks(lineups, num_games)]


def without_times(results):
    return [(game.seating, game.winners, game.ranks, game.areas, game.fingerprint) for game in results]


@pytest.mark.parametrize(("num_players", "num_agents"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_one_agent_under_several_names_comes_out_neutral(num_players, num_agents):
    arena = contest(num_players, [make("random")] * num_agents)
    names = [f"copy {index}" for index in range(num_agents)]
    report = make_report(arena.setup, names, play(arena, 150), 0)
    for row in report.agents:
        low, high = row.win_share_ci
        assert low <= 1 / num_players <= high
        assert row.rating_ci[0] <= 0 <= row.rating_ci[1]
        assert high - low < 0.4
    seat_games = sum(row.games for row in report.agents)
    assert sum(row.win_share * row.games for row in report.agents) == pytest.approx(seat_games / num_players, abs=1e-3)


def test_a_better_agent_is_told_from_a_worse_one():
    # Retracting and passing at random wastes stones.
    arena = contest(2, [make("random"), make("random:any")])
    better, worse = make_report(arena.setup, ["random", "random:any"], play(arena, 60), 0).agents
    assert better.win_share_ci[0] > 0.5
    assert worse.rating_ci[1] < 0


def test_the_result_of_a_block_depends_on_that_block_alone():
    arena = contest(3, [make("random")] * 3)
    blocks = make_blocks(make_lineups(3, 3), 12)
    forward = [without_times(play_block(arena, block)) for block in blocks]
    backward = [without_times(play_block(arena, block)) for block in reversed(blocks)]
    assert forward == backward[::-1]
    other_seed = contest(3, [make("random")] * 3, seed=1)
    assert [without_times(play_block(other_seed, block)) for block in blocks] != forward


def test_all_rotations_of_a_block_share_its_start():
    arena = contest(2, [make("random")] * 2)
    starts = []
    play_block(arena, make_blocks(make_lineups(2, 2), 2)[0], lambda played, _: starts.append(played.start.hash()))
    assert len(starts) == 2
    assert len(set(starts)) == 1


@pytest.mark.parametrize(("offending", "num_good"), list(itertools.product([-1, 10**6, None, "end"], [0, 5])))
def test_an_illegal_action_forfeits_the_game_and_is_counted(offending, num_good):
    arena = contest(3, [make("random"), Offender(offending, num_good)])
    block = make_blocks(make_lineups(2, 3), 1)[0]  # one random agent against two offenders
    results = play_block(arena, block)
    for game in results:
        assert game.illegal_seat is not None
        assert game.seating[game.illegal_seat] == 1
        assert game.illegal_seat not in game.winners
        assert game.ranks[game.illegal_seat] == 3
        assert sum(game.ranks) == 6
        assert game.areas is None
    honest, offender = make_report(arena.setup, ["random", "offender"], [results], 0).agents
    assert (honest.illegal_actions, offender.illegal_actions) == (0, 3)
    assert honest.win_share > offender.win_share


def test_an_agent_that_changes_its_game_changes_only_its_copy():
    start = draw_start(make_setup("bitblossom", {"num_players": 2, "board_size": 5}), 0, 0, (1, 1))
    before = start.hash()
    games = [
        play_game(start, agents, [agent_rng(0, 0, 0, seat) for seat in range(2)])
        for agents in ([make("random")] * 2, [Meddler()] * 2)
    ]
    assert games[0].actions == games[1].actions
    assert start.hash() == before


def test_turns_are_counted_per_seat_and_add_up():
    start = draw_start(make_setup("bitblossom", {"num_players": 3, "board_size": 5}), 0, 0, (1, 1))
    played = play_game(start, [make("random")] * 3, [agent_rng(0, 0, 0, seat) for seat in range(3)])
    assert sum(played.turns) == played.game.turn - start.turn
    assert all(seconds > 0 for seconds in played.seconds)
    assert np.sum(played.turns) <= len(played.actions)
