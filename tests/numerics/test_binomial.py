"""Exact confidence intervals of shares, and exact probabilities of counts."""

from math import comb

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from sfumato.numerics.binomial import binomial_interval, binomial_tail, error_of_mean


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (0, 50), (50, 50), (7, 50), (540, 1080)])
def test_is_the_interval_of_clopper_and_pearson(right: int, n: int) -> None:
    expected = binomtest(right, n).proportion_ci(method="exact")
    assert binomial_interval(right, n) == pytest.approx((100 * expected.low, 100 * expected.high))


def test_holds_the_truth_in_at_least_95_of_100_files() -> None:
    for share in (0.01, 0.2, 0.5, 0.93):
        caught = 0.0
        for right in range(41):
            low, high = binomial_interval(right, 40)
            caught += float(binom.pmf(right, 40, share)) * (low <= 100 * share <= high)
        assert caught >= 0.95


def test_shared_links_lie_between_those_of_whole_records() -> None:
    assert binomial_interval(3, 20) < binomial_interval(3.5, 20) < binomial_interval(4, 20)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.93, 1.0])
@pytest.mark.parametrize(("right", "n"), [(1, 1), (1, 30), (7, 30), (30, 30)])
def test_the_tail_is_the_sum_of_all_larger_counts(right: int, n: int, share: float) -> None:
    expected = sum(comb(n, count) * share**count * (1 - share) ** (n - count) for count in range(right, n + 1))
    assert binomial_tail(right, n, share) == pytest.approx(expected, rel=1e-9)


def test_the_standard_error_is_how_much_the_means_of_samples_differ() -> None:
    found = 100.0 * (np.arange(4_000) % 4 == 0)
    rng = np.random.default_rng(7)
    samples = [found[rng.permutation(4_000)[:1_000]] for _ in range(400)]
    spread = np.std([sample.mean() for sample in samples])
    assert np.mean([error_of_mean(sample, 0.25) for sample in samples]) == pytest.approx(spread, rel=0.15)


def test_a_sample_in_which_nobody_is_found_does_not_seem_sure() -> None:
    assert 0.05 < error_of_mean(np.zeros(1_000), 0.0) < 0.2
