"""Estimated weights: the model in plain Python, and what expectation and maximisation promise."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from sfumato.kernels.linkage.agreement import expect_levels
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.risk import ProbabilisticLinkage
from sfumato.risk.linkage._candidates import nearest_candidates
from sfumato.risk.linkage._discrepancies import Discrepancies, Metric, discrepancies
from sfumato.risk.linkage._estimated_weights import (
    Curves,
    curves_of,
    estimate_weights,
    fit_weights,
    levels_of,
    total_weights,
)
from tests.matrices import microdata, names_of

NAN = float("nan")


def files(original: FloatMatrix, masked: FloatMatrix, metric: Metric = Metric.RELATIVE) -> Discrepancies:
    measure = ProbabilisticLinkage(columns=names_of(original))
    return discrepancies(measure, microdata(original), microdata(masked), metric)


def made(seed: int, n: int = 80, d: int = 4) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(seed)
    original = np.exp(rng.normal(size=(n, d)) @ rng.normal(size=(d, d)))
    masked = original * np.exp(rng.choice([0.02, 0.3, 1.0]) * rng.normal(size=(n, d)))
    masked[rng.random((n, d)) < rng.choice([0.0, 0.2])] = NAN
    return original, masked


def one_curve(size: int, rng: np.random.Generator) -> Curves:
    chances = rng.dirichlet(np.ones(size))
    return Curves(1.0, np.array([0]), np.array([size]), chances, 0.1 * size * chances)


@pytest.mark.parametrize("metric", list(Metric))
def test_the_likelihood_never_falls(metric: Metric) -> None:
    for seed in range(30):
        compared = files(*made(seed), metric)
        near = nearest_candidates(compared, [(np.arange(80), np.arange(80))], 10)
        curves = curves_of(compared, metric.reach)
        found = estimate_weights(levels_of(compared, near, curves), curves)
        steps = np.diff(found.likelihoods)
        assert found.has_converged
        assert len(steps) >= 1
        assert steps.min() >= -1e-8 * abs(found.likelihoods[-1])


def test_weights_fall_with_the_discrepancy_and_belong_to_two_distributions() -> None:
    compared = files(*made(3))
    near = nearest_candidates(compared, [(np.arange(80), np.arange(80))], 10)
    curves = curves_of(compared, 1.0)
    weights = estimate_weights(levels_of(compared, near, curves), curves).weights
    assert (np.diff(weights) <= 0).all()
    assert weights[0] > 0 > weights[-1]
    assert curves.chances @ np.exp(weights) == pytest.approx(1)


def test_expected_counts_equal_a_plain_double_loop() -> None:
    rng = np.random.default_rng(0)
    levels = rng.integers(-1, 5, size=(12, 4, 3)).astype(np.int16)
    levels[2] = -1
    weights = rng.normal(size=5)
    counts = np.zeros(5)
    likelihood = expect_levels(levels, total_weights(levels, weights), counts)
    expected, plain = [0.0] * 5, 0.0
    for record in levels.tolist():
        compared = [pair for pair in record if max(pair) >= 0]
        odds = [exp(sum(weights[level] for level in pair if level >= 0)) for pair in compared]
        if compared:
            plain += log(sum(odds) / len(odds))
        for pair, chance in zip(compared, odds, strict=True):
            for level in pair:
                if level >= 0:
                    expected[level] += chance / sum(odds)
    assert likelihood == pytest.approx(plain)
    assert counts.tolist() == pytest.approx(expected)


@given(seed=st.integers(0, 10**6))
def test_no_other_falling_curve_fits_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    curves = one_curve(6, rng)
    counts = rng.gamma(0.5, 20, size=6)
    seen = counts + curves.prior

    def fit(weights: FloatColumn) -> float:
        return float(seen @ weights)

    best = fit_weights(counts, curves)
    assert (np.diff(best) <= 1e-12).all()
    for _ in range(50):
        other = best - np.cumsum(rng.exponential(rng.choice([0.001, 0.1, 1.0]), size=6)) * rng.integers(0, 2, 6)
        other = np.minimum.accumulate(other)
        assert fit(other - log(curves.chances @ np.exp(other))) <= fit(best) + 1e-9


def test_the_falling_fit_is_that_of_a_general_optimiser() -> None:
    rng = np.random.default_rng(4)
    curves = one_curve(6, rng)
    counts = rng.gamma(0.5, 20, size=6)
    seen = counts + curves.prior

    def loss(drops: FloatColumn) -> float:
        weights = -np.cumsum(np.append(0.0, drops))
        return float(seen.sum() * np.log(curves.chances @ np.exp(weights)) - seen @ weights)

    found = minimize(loss, np.full(5, 0.5), bounds=[(0, None)] * 5, tol=1e-12)
    assert float(-seen @ fit_weights(counts, curves)) == pytest.approx(found.fun, rel=1e-6)


def test_the_chances_of_numbers_are_those_of_all_pairs() -> None:
    original, masked = made(5, n=300, d=2)
    masked[:3] = NAN
    curves = curves_of(files(original, masked), 1.0)
    counts = [0.5] * 100
    for before, after in zip(original.T.tolist(), masked.T.tolist(), strict=True):
        for a in before:
            for b in after:
                if b == b:
                    counts[min(int(abs(a - b) / max(abs(a), 0.1) * 99), 99)] += 1
    assert curves.chances.tolist() == pytest.approx([count / sum(counts) for count in counts], abs=1e-9)


def test_the_chances_of_many_numbers_are_near_those_of_all_pairs() -> None:
    rng = np.random.default_rng(6)
    original, masked = rng.lognormal(size=(2000, 1)), rng.lognormal(size=(2000, 1))
    curves = curves_of(files(original, masked), 1.0)
    discrepancy = np.abs(original - masked.T) / np.maximum(original, 0.1)
    exact = np.bincount(np.minimum(discrepancy * 99, 99).astype(int).ravel(), minlength=100) / discrepancy.size
    assert np.abs(np.cumsum(curves.chances) - np.cumsum(exact)).max() < 0.005  # a step of a quantile is 1 / 450


def test_unrelated_files_weigh_little() -> None:
    rng = np.random.default_rng(8)
    compared = files(rng.normal(size=(2000, 1)), rng.normal(size=(2000, 1)), Metric.STANDARDISED)
    everybody = np.tile(rng.permutation(2000)[:50], (2000, 1))
    curves = curves_of(compared, 1.0)
    weights = estimate_weights(levels_of(compared, everybody, curves), curves).weights
    assert np.abs(weights).max() < 1.0
