"""Noise of logarithms is used also where other steps follow it, with signs and zeros that stay."""

import numpy as np
import polars as pl
from scipy.stats import norm

from sfumato.contracts import Knowledge, MaskingMethod, Spans
from sfumato.data import Microdata
from sfumato.intruder import build_model, posterior_of
from sfumato.intruder.composed.value_scales import sign_coordinate
from sfumato.masking import LogarithmicNoise, MultiplicativeNoise, Rounding, TopCoding
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y")


def people(n: int = 80, *, is_signed: bool = True) -> Microdata:
    rng = np.random.default_rng(3)
    numbers = rng.lognormal(3.0, 1.0, (n, 2))
    if is_signed:
        numbers[:, 1] *= rng.choice([-1.0, 0.0, 1.0, 1.0], n)
    return Microdata(pl.DataFrame(numbers, schema=list(NAMES)))


def by_row(original: Microdata, masked: Microdata, steps: list[MaskingMethod]) -> FloatMatrix:
    found = posterior_of(build_model(original, masked, NAMES, steps, 0), original.n)
    table = np.zeros((masked.n, original.n))
    for j in range(masked.n):
        for i in range(original.n):
            at = found.candidates[found.masked_classes[j]] == found.original_classes[i]
            table[j, i] = found.by_row[found.masked_classes[j], at].sum()
    return table


def test_the_posterior_of_factors_that_are_rounded_is_that_of_bayes() -> None:
    original, steps = people(), [MultiplicativeNoise(columns=NAMES, spread=30), Rounding(columns=NAMES, base=10)]
    masked = steps[1].mask(steps[0].mask(original, np.random.default_rng(1)), np.random.default_rng(1))
    deviation = np.sqrt(np.log1p(0.3**2))
    expected = np.ones((original.n, original.n))
    for name in NAMES:
        x, m = original.values(name)[None, :], masked.values(name)[:, None]
        size, places = np.abs(x), [np.where(x < 0, -m, m) - 5, np.where(x < 0, -m, m) + 5]
        with np.errstate(divide="ignore", invalid="ignore"):
            below = [
                np.where(end > 0, norm.cdf((np.log(np.maximum(end, 0) / size) + deviation**2 / 2) / deviation), 0.0)
                for end in places
            ]
        expected *= np.where(x == 0, m == 0, below[1] - below[0])
    shares = expected / expected.sum(axis=1, keepdims=True)
    alike = original.matrix(NAMES)
    found = by_row(original, masked, steps)
    assert len(np.unique(alike, axis=0)) == original.n
    np.testing.assert_allclose(found, shares, atol=2e-3)


def test_correlated_noise_of_logarithms_before_coding_hides_little() -> None:
    original = people(200, is_signed=False)
    noise = LogarithmicNoise(columns=NAMES, variance_ratio=0.02)
    values = []
    for steps in ([noise], [noise, TopCoding(columns=("x",), percent=10)]):
        masked = original
        for step in steps:
            masked = step.mask(masked, np.random.default_rng(1))
        known = Knowledge.of(steps, original)
        found = LikelihoodLinkage(columns=NAMES).informed_by(known).measure(original, masked)
        assert "hides" not in found.remark
        values.append(found.value)
    assert values[1] > 0.7 * values[0]


def test_a_sign_is_told_where_a_span_lies_on_one_side_of_0() -> None:
    spans = Spans(np.array([1.0, -2.0, -1.0, 0.0]), np.array([2.0, -1.0, 1.0, 0.0]))
    found = sign_coordinate(np.array([3.0, -1.0, 0.0]), spans)
    assert found is not None
    np.testing.assert_array_equal(found.before, [2, 0, 1])
    np.testing.assert_array_equal(found.after, [2, 0, np.nan, 1])
    assert sign_coordinate(np.array([1.0, 2.0]), Spans(np.array([1.0]), np.array([2.0]))) is None
