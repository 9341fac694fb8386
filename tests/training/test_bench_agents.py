"""What the part of the benchmark on agents measures and tells."""

import pytest

from training.benchmarks.contest import Pace, Run
from training.benchmarks.loads import gumbel, simulations, turns
from training.benchmarks.parts import agents as part
from training.benchmarks.parts import gumbel as gumbel_part
from training.benchmarks.parts.agents import MOST, PEER_SEARCHES, SEARCHES, searches_table, turns_table, verdict


def test_turns_are_those_of_the_middle_of_the_game():
    positions = list(turns.middle_games(7, 3, "greedy", (5, 8), 2))
    assert [game.turn for game in positions] == [5, 6, 7, 8] * 2
    assert all(game.remaining > 0 for game in positions)


def test_every_position_gets_its_turn_however_short_the_time():
    load = turns.prepare("greedy", 7, 2, "greedy", (4, 6), 1)
    assert load.facts == {"positions": 3}
    answer = load.measure(0.0)
    assert 0 < answer["median"] <= answer["most"]
    assert 3e-3 * answer["median"] / 2 < answer["seconds"] <= answer["elapsed"] * 1.01


@pytest.mark.parametrize("game", ["bitblossom", "aronda"])
def test_simulations_with_no_network_are_counted(game):
    answer = gumbel.prepare(game, {"board_size": 5} if game == "bitblossom" else {}, 2, 8).measure(0.05)
    assert answer["simulations"] > 0
    assert answer["simulations"] % 16 == 0
    assert answer["seconds"] >= 0.05


def test_the_tree_alone_has_a_target():
    part = gumbel_part.measure(Pace(2, 0.02))
    assert [row[0] for row in part.tables[0].rows[1:]] == list(gumbel_part.SEARCHES)
    assert [verdict.target for verdict in part.verdicts] == ["100,000"]


def test_simulations_are_counted_for_as_long_as_asked():
    answer = simulations.prepare(5, 2, 2).measure(0.05)
    assert answer["simulations"] > 10
    assert 0.05 <= answer["seconds"] < 5


def runs(median):
    """Made-up runs of two rounds."""
    times = [{"median": median, "most": 9.0}, {"median": median + 0.5, "most": 10.0}]
    found = {name: Run({"positions": 7}, times) for name in MOST}
    counts = [{"simulations": 300, "seconds": 1.0}, {"simulations": 800, "seconds": 2.0}]
    found |= {name: Run({}, counts) for name in SEARCHES}
    return found | {name: Run({}, [{"simulations": 100, "seconds": 1.0}] * 2) for name in PEER_SEARCHES}


def test_the_tables_hold_medians_and_ratios_round_by_round():
    found = runs(0.5)
    assert turns_table(found).rows[1] == ["greedy", "0.75 ms (0.50..1.00)", "9.50 ms (9.00..10.00)", "7"]
    searches = {name: found[name] for name in (*SEARCHES, *PEER_SEARCHES)}
    assert searches_table(searches).rows[1][1:] == ["350 (300..400)", "3.50x (3.00..4.00)"]
    alone = {name: found[name] for name in SEARCHES}
    assert searches_table(alone).rows[1][2] == ""


@pytest.mark.parametrize(("median", "is_met"), [(0.5, True), (0.75, True), (0.76, False)])
def test_the_median_turn_is_judged(median, is_met):
    found = verdict("closer", 1.0, runs(median)["closer"])
    assert (found.is_met, found.target) == (is_met, "at most 1 ms")


def test_without_openspiel_a_word_says_so(monkeypatch):
    monkeypatch.setattr(part, "find_spec", lambda _: None)
    monkeypatch.setattr(part, "run_rounds", lambda *_: runs(0.5))
    report = part.measure(Pace(2, 1.0))
    assert "OpenSpiel is not installed" in report.notes[1]
    assert len(report.tables[1].rows) == 1 + len(SEARCHES)
    assert [found.is_met for found in report.verdicts] == [True, True]
