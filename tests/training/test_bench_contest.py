"""Workers in processes of their own, and the figures that come of their rounds."""

import os

import pytest

from training.benchmarks.contest import Contestant, Pace, Run, Sample, Spread, Worker, last_error, ratio_of, run_rounds
from training.benchmarks.parts import cores, start
from training.benchmarks.parts.common import BOARDS
from training.benchmarks.processor import quiet_core


def run_of(*rates):
    """A run whose rounds have these rates, half of the time spent on choosing."""
    answers = [
        {"steps": rate, "seconds": 1.0, "elapsed": 2.0, "choosing": 0.5, "turns": rate // 10, "games": 1}
        for rate in rates
    ]
    return Run({}, answers)


def test_spreads_are_medians_with_their_range():
    assert Spread.of([3, 1, 2]) == Spread(2, 1, 3)
    assert Spread.of(iter([5])) == Spread(5, 5, 5)


def test_rates_count_the_choice_or_leave_it_out():
    run = run_of(100, 300, 200)
    assert run.rate == Spread(200, 100, 300)
    assert run.rate_alone == Spread(400, 200, 600)
    assert run.turns_rate == Spread(20, 10, 30)
    assert run.core_share == 0.5
    assert Sample(steps=1, seconds=0.5, elapsed=1, choosing=0.0).rate == 2


def test_ratios_are_taken_within_a_round():
    assert ratio_of(run_of(100, 400), run_of(50, 400)) == Spread(1.5, 1, 2)
    with pytest.raises(ValueError, match="shorter"):
        ratio_of(run_of(1, 2), run_of(1))


def test_the_last_error_is_the_one_that_is_named():
    assert last_error(["Traceback:", "numba.core.errors.TypingError: no", "  During: a pass", ""]).endswith("Error: no")
    assert last_error(["something", "went wrong"]) == "went wrong"
    assert last_error([]) == "no message"


def test_a_worker_is_pinned_and_answers_again_and_again():
    with Worker(Contestant("spin", {})) as worker:
        assert os.sched_getaffinity(worker.process_id) == {quiet_core()}
        assert worker.facts == {}
        assert all(worker.measure(0.01)["rate"] > 0 for _ in range(2))
    worker.close()  # a second time does nothing


def test_a_worker_tells_why_it_ended():
    with pytest.raises(ChildProcessError, match=r"load 'nothing' ended with: ModuleNotFoundError: .*loads\.nothing"):
        Worker(Contestant("nothing", {}))
    with pytest.raises(ChildProcessError, match=r"load 'spin' ended with: TypeError: .*depth"):
        Worker(Contestant("spin", {"depth": 1}))


def test_contestants_are_measured_in_turn(capsys):
    names = {"first": Contestant("spin", {}), "second": Contestant("spin", {})}
    runs = run_rounds(names, Pace(num_rounds=3, seconds=0.01), "trial")
    assert {name: len(run.answers) for name, run in runs.items()} == {"first": 3, "second": 3}
    assert "trial: measured: 6/6" in capsys.readouterr().err


def test_two_cores_are_idle_or_not_by_what_was_kept():
    fine, poor = Spread(0.99, 0.96, 1.0), Spread(0.99, 0.8, 1.0)
    assert cores.IdleCheck(fine, fine).is_idle
    assert not cores.IdleCheck(fine, poor).is_idle
    assert not cores.IdleCheck(poor, fine).is_idle
    assert not cores.IdleCheck(None, None).is_idle
    assert "99 % (80..100)" in cores.IdleCheck(poor, fine).text
    assert "one core only" in cores.IdleCheck(None, None).text


def threaded_run(*rates):
    """A run by the clock on the wall, with one CPU second and a half a second."""
    return Run({}, [{"steps": rate, "elapsed": 1.0, "cpu": 1.5} for rate in rates])


def test_the_gain_of_a_second_core_is_judged_where_cores_are_idle_before_and_after():
    fine, poor = (cores.IdleCheck(spread, spread) for spread in (Spread(1, 1, 1), Spread(1, 0.5, 1)))
    runs = {}
    for board, rate in zip(BOARDS, (190, 150, 200), strict=True):
        runs |= {cores.label(board, 1): threaded_run(100, 100), cores.label(board, 2): threaded_run(rate, rate + 10)}
    part = cores.report([fine, fine], runs)
    assert [verdict.word for verdict in part.verdicts] == ["met", "missed", "met"]
    assert part.verdicts[1].figure == "1.55x (1.50..1.60)"
    assert part.tables[0].rows[1][4] == "1.50"
    unsure = cores.report([fine, poor], runs)
    assert [verdict.is_met for verdict in unsure.verdicts] == [None] * 3
    assert unsure.tables == part.tables
    assert [verdict.word for verdict in cores.report([poor], {}).verdicts] == ["not measurable"] * 3


def test_fresh_interpreters_tell_what_they_took():
    began, (seconds,) = start.run_script(start.IMPORT)
    assert began > 0
    assert seconds > 0
    _, (_, mebibytes) = start.run_script(start.RESET)
    assert 50 < mebibytes < 2000
    with pytest.raises(ChildProcessError, match="ended with: ZeroDivisionError"):
        start.run_script("1 / 0")
