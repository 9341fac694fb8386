"""The sequential test: it errs as seldom as it says, never on a few blocks, and never changes its mind."""

import numpy as np
import pytest

from training.evaluation.sequential import BETTER, NO_BETTER, UNDECIDED, SequentialTest, expected_score

GAPS = [(0, 50), (-20, 20), (0, 200), (300, 400), (-400, -300), (500, 700)]


def independent(mean, rng, size):
    return rng.binomial(2, mean, size=size) / 2


def correlated(mean, rng, size):
    return rng.binomial(1, mean, size=size).astype(float)


def drawish(mean, rng, size):
    draws = min(mean, 1 - mean)
    games = rng.choice([1.0, 0.5, 0.0], p=[mean - draws / 2, draws, 1 - mean - draws / 2], size=(2, size))
    return games.mean(axis=0)


def many_valued(mean, rng, size):
    return rng.beta(6 * mean, 6 - 6 * mean, size=size).round(2)


KINDS = [independent, correlated, drawish, many_valued]


def run(test, kind, gap, num_runs, num_blocks=4000):
    """The verdicts of `num_runs` tests where the first agent is `gap` points better."""
    rng = np.random.default_rng(0)
    return [test.judge(kind(expected_score(gap), rng, num_blocks)) for _ in range(num_runs)]


def error_rates(gaps, kind, num_runs):
    test = SequentialTest(*gaps)
    wrongly_better, wrongly_no_better = (
        sum(verdict.decision == wrong for verdict in run(test, kind, gap, num_runs)) / num_runs
        for gap, wrong in ((test.lo, BETTER), (test.hi, NO_BETTER))
    )
    return wrongly_better, wrongly_no_better


@pytest.mark.slow  # two minutes for all
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gaps", GAPS)
def test_error_rates_of_many_runs(gaps, kind):
    rates = error_rates(gaps, kind, 2000)
    print(f"{gaps} {kind.__name__}: H1 wrongly {rates[0]:.2%}, H0 wrongly {rates[1]:.2%} of 2000")
    assert max(rates) <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("gaps", GAPS)
def test_error_rates(gaps, kind):
    # 2.6 standard deviations of a share of 5 % seen in 300 runs: one case in 200 would fail by chance.
    assert max(error_rates(gaps, kind, 300)) <= 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize("kind", KINDS)
def test_a_clear_case_is_decided_rightly_and_early(kind):
    test = SequentialTest(0, 50)
    for gap, right in ((-50, NO_BETTER), (100, BETTER)):
        verdicts = run(test, kind, gap, 100)
        assert sum(verdict.decision == right for verdict in verdicts) >= 98
        # A test of fixed size that errs as seldom needs about (2 * 1.645)^2 * variance / gap^2 blocks: 260 to 520 here.
        assert np.mean([verdict.blocks for verdict in verdicts]) < 130


def test_it_takes_fewer_blocks_than_a_test_of_fixed_size_even_at_its_own_hypotheses():
    test = SequentialTest(0, 50)
    gap = expected_score(50) - 0.5
    fixed = (2 * 1.645) ** 2 * 0.125 / gap**2  # variance of a block of two independent games: 1/8
    for truth in (0, 50):
        assert np.mean([verdict.blocks for verdict in run(test, independent, truth, 300)]) < 0.8 * fixed


def test_exchanging_the_agents_mirrors_the_verdict():
    rng = np.random.default_rng(3)
    mirror = {BETTER: NO_BETTER, NO_BETTER: BETTER, UNDECIDED: UNDECIDED}
    seen = set()
    for _ in range(50):
        scores = independent(0.52, rng, 400)
        verdict, other = SequentialTest(-10, 40).judge(scores), SequentialTest(-40, 10).judge(1 - scores)
        assert other.decision == mirror[verdict.decision]
        assert other.blocks == verdict.blocks
        assert other.log_likelihood_ratio == pytest.approx(-verdict.log_likelihood_ratio, abs=1e-5)
        seen.add(verdict.decision)
    assert seen == {BETTER, NO_BETTER, UNDECIDED}


def test_more_blocks_never_change_a_decision():
    test = SequentialTest(0, 50)
    scores = independent(0.5, np.random.default_rng(5), 2000)
    whole = test.judge(scores)
    assert whole.is_decided
    for num_blocks in range(0, 2000, 7):
        part = test.judge(scores[:num_blocks])
        if num_blocks >= whole.blocks:
            assert part == whole
        else:
            assert (part.decision, part.blocks) == (UNDECIDED, num_blocks)


@pytest.mark.parametrize("gaps", [*GAPS, (-200, 200), (-600, 600), (0, 400)])
@pytest.mark.parametrize("score", [0.0, 0.25, 0.5, 1.0])
def test_four_equal_blocks_decide_nothing(gaps, score):
    assert not SequentialTest(*gaps).judge(np.full(4, score)).is_decided
    assert SequentialTest(-600, 600, 0.01, 0.3).judge(np.full(9, 1.0)).blocks == 7


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_few_equal_blocks_decide_nothing(gaps, score):
    test = SequentialTest(*gaps)
    # Of single games each won or lost, so many alike would have to happen by chance less often than alpha.
    enough = {
        1.0: np.log(0.05) / np.log(expected_score(test.lo)),
        0.0: np.log(0.05) / np.log(1 - expected_score(test.hi)),
    }
    num_blocks = int(enough[score])
    assert not test.judge(np.full(num_blocks, score)).is_decided


def test_nothing_but_draws_between_equals_stays_undecided():
    verdict = SequentialTest(-20, 20).judge(np.full(100_000, 0.5))
    assert verdict.decision == UNDECIDED
    assert verdict.log_likelihood_ratio == pytest.approx(0.0, abs=1e-6)


def test_no_blocks_say_nothing():
    verdict = SequentialTest(0, 10).judge(np.empty(0))
    assert (verdict.decision, verdict.blocks, verdict.log_likelihood_ratio) == (UNDECIDED, 0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((20, 0), "sprt=20 0 is no test; allowed: LO below HI"),
        ((5, 5), "sprt=5 5 is no test"),
        ((float("nan"), 5), "sprt=nan 5 is no test"),
        ((0, float("inf")), "sprt=0 inf is no test"),
        ((-1e9, 0), r"sprt=-1e\+09 0 is no test; allowed: LO below HI, in -2000..2000"),
        ((0, 5, 0.0), "alpha=0.0 is out of range; allowed: "),
        ((0, 5, 0.05, 0.5), "beta=0.5 is out of range"),
    ],
)
def test_what_is_no_test_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        SequentialTest(*arguments)
