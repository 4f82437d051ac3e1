"""The density of noise that is seen through other steps is the sum over all components of the mixture."""

from itertools import product

import numpy as np
from scipy.stats import multivariate_normal, norm

from sfumato.kernels.linkage.composed_noise import NoiseElements, Seen, composed_log_densities
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

VARIANCE = 0.025
CENTRES = np.array([-1.0, 1.0]) * np.sqrt(1 - VARIANCE)


def elements_of(loads: FloatMatrix, normal: FloatMatrix) -> NoiseElements:
    count = loads.shape[1]
    weights = np.tile(np.log([0.3, 0.7]), (count, 1))
    return NoiseElements(normal[None], loads[None], np.tile(CENTRES, (count, 1)), weights, np.full(count, VARIANCE))


def oracle(
    original: FloatColumn, low: FloatColumn, high: FloatColumn, spread: FloatColumn, noise: NoiseElements
) -> float:
    """Return the log density by scipy: the normal density of what is seen, times what it leaves to one wide value."""
    loads = noise.loads[0]
    covariance = noise.normal[0] + VARIANCE * loads @ loads.T + np.diag(spread)
    seen, wide = np.flatnonzero(low == high), np.flatnonzero(low < high)
    total = 0.0
    for chosen in product((0, 1), repeat=loads.shape[1]):
        mean = original + loads @ CENTRES[list(chosen)]
        weight = np.exp(noise.log_weights[np.arange(len(chosen)), list(chosen)].sum())
        inside = covariance[np.ix_(seen, seen)]
        found = weight * multivariate_normal(mean[seen], inside).pdf(low[seen])
        for one in wide:
            gains = covariance[one, seen] @ np.linalg.inv(inside)
            middle = mean[one] + gains @ (low[seen] - mean[seen])
            deviation = np.sqrt(covariance[one, one] - gains @ covariance[seen, one])
            found *= norm.cdf((high[one] - middle) / deviation) - norm.cdf((low[one] - middle) / deviation)
        total += found
    return float(np.log(total))


def test_it_is_the_sum_over_all_components_with_what_is_seen_what_is_blurred_and_one_interval() -> None:
    rng = np.random.default_rng(0)
    loads, half = 0.5 * rng.normal(size=(3, 4)), 0.2 * rng.normal(size=(3, 3))
    noise = elements_of(loads, half @ half.T)
    originals = 0.3 * rng.normal(size=(6, 3))
    low = originals[:4] + 0.2 * rng.normal(size=(4, 3))
    high, spread = low.copy(), np.zeros((4, 3))
    high[1, 0], low[2, 2], high[3, 1] = np.inf, -np.inf, low[3, 1] + 2.0
    spread[0, 1] = 0.05
    seen = Seen(low, high, spread, np.zeros(4, dtype=np.int64))
    found = composed_log_densities(originals, seen, noise, np.tile(np.arange(6), (4, 1)))
    expected = np.array([[oracle(x, low[j], high[j], spread[j], noise) for x in originals] for j in range(4)])
    np.testing.assert_allclose(found - found[:, :1], expected - expected[:, :1], atol=1e-6)


def test_two_wide_intervals_are_about_as_probable_as_draws_say() -> None:
    rng = np.random.default_rng(1)
    loads = np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.5, 0.4, 0.77]])
    noise = elements_of(loads, np.zeros((3, 3)))
    originals = np.array([[0.0, 0.0, 0.0], [0.2, 0.5, -0.3], [-0.1, 0.9, 0.4]])
    low, high = np.array([[1.0, 0.6, 0.5]]), np.array([[1.0, np.inf, np.inf]])
    seen = Seen(low, high, np.zeros((1, 3)), np.zeros(1, dtype=np.int64))
    found = composed_log_densities(originals, seen, noise, np.arange(3)[None])[0]
    drawn = CENTRES[(rng.random((400_000, 3)) < 0.7).astype(np.int64)] + np.sqrt(VARIANCE) * rng.normal(
        size=(400_000, 3)
    )
    near = [
        np.log(((np.abs(z[:, 0] - 1.0) < 0.03) & (z[:, 1] > 0.6) & (z[:, 2] > 0.5)).mean())
        for z in (original + drawn @ loads.T for original in originals)
    ]
    np.testing.assert_allclose(found - found[0], np.array(near) - near[0], atol=0.1)


def test_what_is_missing_tells_nothing_and_no_candidate_has_no_density() -> None:
    noise = elements_of(np.eye(2), np.zeros((2, 2)))
    nothing = np.array([[np.nan, np.nan]])
    seen = Seen(nothing, nothing, np.zeros((1, 2)), np.zeros(1, dtype=np.int64))
    found = composed_log_densities(np.array([[0.0, 0.0], [5.0, 5.0]]), seen, noise, np.array([[0, 1, -1]]))
    np.testing.assert_allclose(found, 0.0, atol=1e-12)


def test_more_elements_than_can_be_tried_out_are_pruned_without_harm() -> None:
    rng = np.random.default_rng(2)
    loads = np.linalg.cholesky(np.cov(rng.normal(size=(12, 60)) + rng.normal(size=60))).astype(np.float64)
    noise = elements_of(loads, np.zeros((12, 12)))
    originals = rng.normal(size=(5, 12))
    drawn = CENTRES[rng.integers(0, 2, 12)] + np.sqrt(VARIANCE) * rng.normal(size=12)
    low = (originals[3] + loads @ drawn)[None]
    seen = Seen(low, low, np.zeros((1, 12)), np.zeros(1, dtype=np.int64))
    found = composed_log_densities(originals, seen, noise, np.array([[3]]))[0, 0]
    white = np.linalg.solve(loads, low[0] - originals[3])
    own = np.log(
        0.3 * norm.pdf(white, CENTRES[0], np.sqrt(VARIANCE)) + 0.7 * norm.pdf(white, CENTRES[1], np.sqrt(VARIANCE))
    )
    constant = np.log(np.diag(loads)).sum() - 6 * np.log(2 * np.pi)
    np.testing.assert_allclose(found, own.sum() - constant, atol=1e-5)


def test_likely_originals_among_many_are_as_likely_as_by_themselves() -> None:
    rng = np.random.default_rng(4)
    noise = elements_of(0.4 * np.eye(8) + 0.05 * rng.normal(size=(8, 8)), 0.01 * np.eye(8))
    originals = rng.normal(size=(300, 8))
    places = originals[:20] + 0.4 * rng.choice([-1.0, 1.0], size=(20, 8)) + 0.2 * rng.normal(size=(20, 8))
    seen = Seen(places, places, np.full((20, 8), 0.04), np.zeros(20, dtype=np.int64))
    found = composed_log_densities(originals, seen, noise, np.tile(np.arange(300), (20, 1)))
    likely = np.argsort(-found, axis=1)[:, :10]
    alone = composed_log_densities(originals, seen, noise, likely)
    gaps = np.take_along_axis(found, likely, axis=1) - alone
    np.testing.assert_allclose(gaps[alone > alone.max(axis=1, keepdims=True) - 20], 0.0, atol=1e-9)
