"""Noise that keeps linear relations must not release what is left over beside them."""

import numpy as np
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.masking import CorrelatedNoise, LogarithmicNoise, MixtureNoise
from tests.matrices import microdata, names_of


def amounts() -> np.ndarray:
    """Return amounts, the same in another currency rounded to cents, and their sum."""
    euros = np.random.default_rng(1).lognormal(13, 0.5, 300).round(2)
    marks = (1.95583 * euros).round(2)
    return np.column_stack([euros, marks, euros + marks])


@pytest.mark.parametrize(
    "method",
    [
        CorrelatedNoise(columns=names_of(amounts())),
        CorrelatedNoise(columns=names_of(amounts()), rescaled=True),
        MixtureNoise(columns=names_of(amounts())),
        MixtureNoise(columns=names_of(amounts()), along_components=True),
    ],
)
def test_cents_that_rounding_left_over_are_not_released(method: MaskingMethod) -> None:
    matrix = amounts()
    left = matrix[:, 1] - 1.95583 * matrix[:, 0]
    masked = method.mask(microdata(matrix), np.random.default_rng(2)).matrix(names_of(matrix))
    shown = masked[:, 1] - np.polyval(np.polyfit(masked[:, 0], masked[:, 1], 1), masked[:, 0])
    assert abs(np.corrcoef(left, shown)[0, 1]) < 0.2  # 3.5 standard errors
    assert np.allclose(masked[:, 0] + masked[:, 1], masked[:, 2], rtol=1e-6)  # a sum stays a sum, but for the cents


def test_amounts_in_proportion_show_no_cents_after_noise_on_logarithms() -> None:
    matrix = amounts()[:, :2]
    left = np.log(matrix[:, 1]) - np.log(matrix[:, 0])
    method = LogarithmicNoise(columns=names_of(matrix), variance_ratio=0.5)
    masked = method.mask(microdata(matrix), np.random.default_rng(2)).matrix(names_of(matrix))
    shown = np.log(masked[:, 1]) - np.log(masked[:, 0])
    assert abs(np.corrcoef(left, shown)[0, 1]) < 0.2


def test_noise_on_columns_without_relations_is_as_it_was() -> None:
    matrix = amounts()[:, :2]
    matrix[:, 1] += np.random.default_rng(3).normal(0, 1e4, 300)
    method, rng = CorrelatedNoise(columns=names_of(matrix), variance_ratio=0.5), np.random.default_rng(4)
    noise = np.random.default_rng(4).standard_normal((2, 300))
    root = np.linalg.cholesky(0.5 * np.cov(matrix.T))
    assert np.allclose(
        method.mask(microdata(matrix), rng).matrix(names_of(matrix)), matrix + (root @ noise).T, rtol=1e-9
    )


@pytest.mark.parametrize("method", [CorrelatedNoise, MixtureNoise, LogarithmicNoise])
def test_cents_are_not_released_where_the_column_that_determines_the_others_has_gaps(
    method: type[CorrelatedNoise | MixtureNoise | LogarithmicNoise],
) -> None:
    pounds = np.random.default_rng(1).lognormal(11, 0.6, 500).round(2)
    euros, dollars = (1.1719 * pounds).round(2), (1.2913 * pounds).round(2)
    lacks = np.random.default_rng(2).random(500) < 0.6
    matrix = np.column_stack([np.where(lacks, np.nan, pounds), euros, dollars])
    names = names_of(matrix)
    masked = method(columns=names, variance_ratio=0.5).mask(microdata(matrix), np.random.default_rng(3)).matrix(names)
    scale = np.log if method is LogarithmicNoise else np.asarray
    left, shown = (
        scale(file[:, 2]) - np.polyval(np.polyfit(scale(file[:, 1]), scale(file[:, 2]), 1), scale(file[:, 1]))
        for file in (matrix[lacks], masked[lacks])
    )
    assert abs(np.corrcoef(left, shown)[0, 1]) < 0.2  # 3.5 standard errors
    others = euros[lacks], masked[lacks, 1]
    assert np.corrcoef(*others)[0, 1] > 0.5  # and yet they are masked, not drawn anew


@pytest.mark.parametrize("method", [CorrelatedNoise, MixtureNoise, LogarithmicNoise])
def test_no_density_is_called_exact_where_columns_in_proportion_have_gaps(
    method: type[CorrelatedNoise | MixtureNoise | LogarithmicNoise],
) -> None:
    matrix = amounts()[:, :2]
    complete, lacking = microdata(matrix), microdata(np.where(np.arange(300)[:, None] % [3, 301] == 1, np.nan, matrix))
    names = names_of(matrix)
    step = method(columns=names, variance_ratio=0.5)
    for data, is_exact in ((complete, True), (lacking, False)):
        masked = step.mask(data, np.random.default_rng(3))
        stated = step.likelihood(data, masked, names[1:])
        assert stated is not None
        assert all(coordinate.is_exact is is_exact for coordinate in stated)
