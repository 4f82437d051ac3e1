"""Pooling rules against their formulas, and against the truth in simulated files."""

from math import atan, erfc, pi, sqrt

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.regression import Fit, FullSynthesisRule, LargeSampleRule, PartialSynthesisRule, PoolingRule

ESTIMATES = [1.0, 1.4, 0.9, 1.1]
VARIANCES = [0.01, 0.02, 0.03, 0.02]
BETWEEN = float(np.var(ESTIMATES, ddof=1))


def fits(records: int = 100) -> list[Fit]:
    return [
        Fit(("age",), np.array([one]), np.array([[two]]), records, 0)
        for one, two in zip(ESTIMATES, VARIANCES, strict=True)
    ]


@pytest.mark.parametrize(
    ("rule", "variance"),
    [
        (PartialSynthesisRule(), 0.02 + BETWEEN / 4),
        (FullSynthesisRule(), 1.25 * BETWEEN - 0.02),
        (LargeSampleRule(), 0.02 * (0.5 + 1 / 4)),
        (LargeSampleRule(draws_parameters=True), 0.02 * (0.5 + 1.5 / 4)),
    ],
)
def test_each_rule_gives_the_variance_of_its_paper(rule: PoolingRule, variance: float) -> None:
    pooled = rule.pool(fits(), 200)
    assert pooled.estimates == pytest.approx(np.mean(ESTIMATES))
    assert pooled.errors**2 == pytest.approx(variance)


def test_a_pooled_fit_shows_estimate_error_z_and_p() -> None:
    pooled = LargeSampleRule().pool(fits(), 200)
    z = np.mean(ESTIMATES) / np.sqrt(0.02 * (0.5 + 1 / 4))
    assert pooled.z_values == pytest.approx(z)
    assert pooled.p_values == pytest.approx(erfc(z / sqrt(2)))
    assert str(pooled).split("\n")[0].split() == ["coefficient", "estimate", "error", "z", "p"]
    assert str(pooled).split("\n")[1].split() == ["age", "1.1", "0.12247", "8.98", "<", "0.001"]
    student = FullSynthesisRule().pool(fits()[:2], 200)
    t = float(student.z_values[0])  # with 1 degree of freedom Student's is Cauchy's distribution
    assert student.freedom[0] == 1
    assert student.p_values == pytest.approx(1 - 2 * atan(t) / pi)
    assert "degrees of freedom" in student._repr_html_()


def test_a_negative_variance_of_full_synthesis_is_replaced() -> None:
    alike = [Fit(("age",), np.array([1.0 + one / 1e3]), np.array([[0.04]]), 100, 0) for one in range(3)]
    assert FullSynthesisRule().pool(alike, 200).errors ** 2 == pytest.approx(0.02)


def test_one_copy_is_enough_for_large_samples_only() -> None:
    assert LargeSampleRule().pool(fits()[:1], 100).errors ** 2 == pytest.approx(0.02)
    for rule in (FullSynthesisRule(), PartialSynthesisRule()):
        with pytest.raises(ParameterError, match="at least 2 copies; got 1"):
            rule.pool(fits()[:1], 100)


def test_intervals_of_partial_synthesis_have_their_degrees_of_freedom() -> None:
    from scipy.stats import t

    pooled = PartialSynthesisRule().pool(fits(), 100)
    freedom = 3 * (1 + 0.02 / (BETWEEN / 4)) ** 2
    assert pooled.intervals(90.0)[0, 1] == pytest.approx(1.1 + t.ppf(0.95, freedom) * pooled.errors[0])


@pytest.mark.parametrize(
    ("rule", "draws_parameters", "synthetic"),
    [
        (LargeSampleRule(), False, 60),
        (LargeSampleRule(draws_parameters=True), True, 60),
        (FullSynthesisRule(), True, 60),
        (PartialSynthesisRule(), True, 30),
    ],
)
def test_intervals_hold_the_true_mean_as_often_as_they_say(
    rule: PoolingRule, draws_parameters: bool, synthetic: int
) -> None:
    """Files of 60 normal values of which some are synthetic, drawn from the model of just these; the truth is 0."""
    rng, n, files, copies = np.random.default_rng(11), 60, 600, 60
    values = rng.normal(size=(files, 1, n))
    replaced = values[:, :, :synthetic]
    mean, deviation = replaced.mean(axis=2), replaced.std(axis=2, ddof=1)
    if draws_parameters:
        deviation = deviation * np.sqrt((synthetic - 1) / rng.chisquare(synthetic - 1, (files, copies)))
        mean = mean + rng.normal(size=(files, copies)) * deviation / np.sqrt(synthetic)
    made = np.repeat(values, copies, axis=1)
    made[:, :, :synthetic] = mean[:, :, None] + deviation[:, :, None] * rng.normal(size=(files, copies, synthetic))
    held = 0
    for means, variances in zip(made.mean(axis=2), made.var(axis=2, ddof=1) / n, strict=True):
        fitted = [
            Fit(("mean",), one.reshape(1), two.reshape(1, 1), n, 0) for one, two in zip(means, variances, strict=True)
        ]
        low, high = rule.pool(fitted, n).intervals()[0]
        held += low <= 0 <= high
    assert 0.93 <= held / files <= 0.97


def test_a_replaced_variance_is_told_with_its_coefficient() -> None:
    covariance = np.diag([0.04, 1e-9])
    alike = [Fit(("age", "sex"), np.array([1 + one / 1e3, one]), covariance, 100, 0) for one in range(3)]
    assert FullSynthesisRule().pool(alike, 200).replaced == ("age",)
    assert PartialSynthesisRule().pool(alike, 200).replaced == ()
