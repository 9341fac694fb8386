"""Intervals: they cover the truth as often as they say, over whatever line-ups and however skewed."""

import numpy as np
import pytest

from training.evaluation.resampling import draw_weights, number_strata, ratio_interval, wilson_interval

NUM_BLOCKS = 200
SLACK = 2.6  # standard deviations: each case fails by chance once in a hundred, and the seeds are fixed


def one_line_up(num_seats, share, correlation=0.0):
    """Blocks of P games, each won with chance `share`; correlated games of a block share a chance of their own."""

    def draw(rng):
        chance = share
        if correlation:
            total = (1 - correlation) / correlation
            chance = rng.beta(share * total, (1 - share) * total, size=NUM_BLOCKS)
        wins = rng.binomial(num_seats, chance, size=NUM_BLOCKS).astype(float)
        return wins, np.full(NUM_BLOCKS, float(num_seats)), np.zeros(NUM_BLOCKS, np.int64)

    return draw, share


def one_against_three_and_the_reverse(share):
    """A alone wins with chance `share`; alone against three of A, the other wins as each of three others would."""
    other = (1 - share) / 3
    half = NUM_BLOCKS // 2

    def draw(rng):
        parts = np.concatenate([rng.binomial(4, share, size=half), 4 - rng.binomial(4, other, size=half)])
        return parts.astype(float), np.repeat([4.0, 12.0], half), np.repeat([0, 1], half)

    return draw, (share + 1 - other) / 4


def many_line_ups(num_line_ups, num_blocks):
    """An agent that meets opponents of all strengths, a few blocks each."""
    shares = np.linspace(0.2, 0.9, num_line_ups)

    def draw(rng):
        parts = rng.binomial(2, np.repeat(shares, num_blocks)).astype(float)
        return parts, np.full(len(parts), 2.0), np.repeat(np.arange(num_line_ups), num_blocks)

    return draw, shares.mean()


CASES = {
    **{f"2 seats, {share}": one_line_up(2, share) for share in (0.5, 0.7, 0.95)},
    **{f"2 seats, {share}, correlated": one_line_up(2, share, 0.3) for share in (0.5, 0.7, 0.95)},
    **{f"4 seats, {share}": one_line_up(4, share) for share in (0.5, 0.7, 0.95)},
    **{f"4 seats, two agents, {share}": one_against_three_and_the_reverse(share) for share in (0.5, 0.7, 0.95)},
}


def coverage(case, num_tournaments):
    """The share of made-up tournaments whose interval holds the truth."""
    draw, truth = case
    rng = np.random.default_rng(0)
    covered = 0
    for tournament in range(num_tournaments):
        low, high = ratio_interval(*draw(rng), np.random.default_rng(tournament))
        covered += low <= truth <= high
    return covered / num_tournaments


@pytest.mark.slow  # half a minute for all
@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_the_truth_in_93_to_97_of_100_tournaments(case):
    share = coverage(CASES[case], 2000)
    print(f"{case}: {share:.2%} of 2000 tournaments")
    assert 0.93 <= share <= 0.97


@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_the_truth_about_as_often_as_they_say(case):
    spread = SLACK * np.sqrt(0.95 * 0.05 / 300)
    assert 0.94 - spread <= coverage(CASES[case], 300) <= min(0.96 + spread, 0.999)


def test_few_blocks_of_many_line_ups_are_no_worse():
    spread = SLACK * np.sqrt(0.95 * 0.05 / 600)
    assert 0.94 - spread <= coverage(many_line_ups(9, 4), 600) <= 0.96 + spread


def test_how_much_line_ups_differ_is_no_chance():
    # All blocks of a line-up end alike, but one: only that one line-up has a spread.
    parts = np.array([2.0] * 50 + [0.0] * 49 + [1.0])
    strata = np.repeat([0, 1], 50)
    low, high = ratio_interval(parts, np.full(100, 2.0), strata, np.random.default_rng(0))
    assert 0.5 <= low <= parts.sum() / 200 <= high <= 0.53


def test_weights_are_one_on_average_and_each_line_up_keeps_its_number_of_blocks():
    strata = np.array([0, 0, 0, 1, 1, 2])
    weights = draw_weights(strata, np.random.default_rng(0), 20_000)
    np.testing.assert_allclose(weights.mean(axis=0), 1.0, atol=0.05)
    for stratum, size in enumerate((3, 2, 1)):
        np.testing.assert_allclose(weights[:, strata == stratum].sum(axis=1), size)
    # The variance of a mean of n blocks is that of the blocks, counted with n - 1, over n.
    values = np.array([1.0, 2.0, 6.0])
    assert (weights[:, :3] @ values / 3).var() == pytest.approx(values.var(ddof=1) / 3, rel=0.05)


def test_equal_blocks_may_be_counted_instead_of_listed():
    listed = draw_weights(np.zeros(6, np.int64), np.random.default_rng(0), 40_000)
    listed = np.stack([listed[:, :4].sum(axis=1), listed[:, 4:].sum(axis=1)], axis=1)
    counted = draw_weights(np.zeros(2, np.int64), np.random.default_rng(1), 40_000, np.array([4, 2]))
    np.testing.assert_allclose(listed.mean(axis=0), counted.mean(axis=0), atol=0.02)
    np.testing.assert_allclose(np.cov(listed.T), np.cov(counted.T), atol=0.05)


@pytest.mark.parametrize(
    ("labels", "strata"),
    [
        (["a", "b", "a", "b"], [0, 1, 0, 1]),
        (["a", "b", "a", "c"], [0, 1, 0, 1]),
        (["a", "b", "a", "a"], [0, 0, 0, 0]),
        (["a", "b", "b"], [0, 0, 0]),
        (["a"], [0]),
        ([], []),
    ],
)
def test_line_ups_with_one_block_are_put_together(labels, strata):
    assert number_strata(labels).tolist() == strata


def test_share_interval_knows_that_games_of_a_block_are_not_independent():
    rng = np.random.default_rng(1)
    wins = rng.integers(0, 2, size=40).astype(float)
    # All eight games of a block end alike; the same games as if they were independent.
    whole = ratio_interval(wins * 8, np.full(40, 8.0), np.zeros(40, np.int64), rng)
    single = ratio_interval(np.repeat(wins, 8), np.ones(320), np.zeros(320, np.int64), rng)
    assert whole[1] - whole[0] > 2 * (single[1] - single[0])


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_equal_blocks_still_leave_doubt(share):
    few, many = (
        ratio_interval(np.full(n, 2 * share), np.full(n, 2.0), np.zeros(n, np.int64), np.random.default_rng(0))
        for n in (3, 300)
    )
    assert few[0] <= share <= few[1]
    assert few[1] - few[0] > 0.3
    assert many[1] - many[0] < few[1] - few[0]


def test_wilson_interval_of_a_known_case():
    # 8 of 10: 0.4902 and 0.9433 in the usual tables.
    assert wilson_interval(0.8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
