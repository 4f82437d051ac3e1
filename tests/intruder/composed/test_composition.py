"""An intruder who knows the noise uses it also where other steps follow."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

from sfumato.contracts import Knowledge, MaskingMethod, Measurement
from sfumato.data import Microdata
from sfumato.intruder import build_model, posterior, posterior_of
from sfumato.intruder.composed import chain_runs, composition
from sfumato.masking import (
    AdditiveNoise,
    BottomCoding,
    CorrelatedNoise,
    Discretisation,
    MixtureNoise,
    RankSwapping,
    Rounding,
    TopCoding,
)
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y", "z")
NOISE = MixtureNoise(columns=NAMES, variance_ratio=0.3)
VARIANCE = 0.025
PEAKS = np.sqrt(1 - VARIANCE)


def people(n: int = 150) -> Microdata:
    rng = np.random.default_rng(5)
    return Microdata(pl.DataFrame(rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)), schema=list(NAMES)))


def masked_by(steps: list[MaskingMethod], original: Microdata, seed: int = 2) -> Microdata:
    rng = np.random.default_rng(seed)
    for step in steps:
        original = step.mask(original, rng)
    return original


def attack(steps: list[MaskingMethod], original: Microdata, masked: Microdata) -> Measurement:
    return LikelihoodLinkage(columns=NAMES).informed_by(Knowledge.of(steps, original)).measure(original, masked)


def posterior_by_row(steps: list[MaskingMethod], original: Microdata, masked: Microdata) -> FloatMatrix:
    model = build_model(original, masked, NAMES, steps, 0)
    found = posterior_of(model, original.n)
    table = np.zeros((masked.n, original.n))
    for j in range(masked.n):
        for i in range(original.n):
            at = np.flatnonzero(found.candidates[found.masked_classes[j]] == found.original_classes[i])
            table[j, i] = found.by_row[found.masked_classes[j], at].sum()
    return table


def shares(densities: FloatMatrix) -> FloatMatrix:
    return np.asarray(densities / densities.sum(axis=1, keepdims=True), dtype=np.float64)


def test_the_posterior_after_coding_at_a_given_value_is_that_of_bayes_and_called_proven() -> None:
    original = people(60)
    steps: list[MaskingMethod] = [NOISE, TopCoding(columns=("y",), at=0.5)]
    masked = masked_by(steps, original)
    x, m = original.matrix(NAMES), masked.matrix(NAMES)
    root = np.linalg.cholesky(0.3 * np.cov(x.T))
    inside = VARIANCE * root @ root.T
    gains = inside[1, [0, 2]] @ np.linalg.inv(inside[np.ix_([0, 2], [0, 2])])
    left = np.sqrt(inside[1, 1] - gains @ inside[[0, 2], 1])
    expected = np.zeros((60, 60))
    for signs in product((-1.0, 1.0), repeat=3):
        gaps = m[:, None] - x - root @ (PEAKS * np.array(signs))
        others = gaps[:, :, [0, 2]]
        distances = np.einsum("ija,ab,ijb->ij", others, np.linalg.inv(inside[np.ix_([0, 2], [0, 2])]), others)
        rest = (gaps[:, :, 1] - others @ gains) / left
        expected += np.exp(-0.5 * distances) * np.where(m[:, [1]] == 0.5, norm.sf(rest), norm.pdf(rest) / left)
    assert (m[:, 1] == 0.5).any()
    np.testing.assert_allclose(posterior_by_row(steps, original, masked), shares(expected), atol=1e-6)
    assert "which is proven" in attack(steps, original, masked).remark


def test_noise_after_noise_is_the_sum_of_both() -> None:
    original = people(60)
    second = CorrelatedNoise(columns=("x", "y"), variance_ratio=0.1)
    masked = masked_by([NOISE, second], original)
    x, m = original.matrix(NAMES), masked.matrix(NAMES)
    root = np.linalg.cholesky(0.3 * np.cov(x.T))
    later = np.zeros((3, 3))
    later[:2, :2] = 0.1 * 1.3 * np.cov(x[:, :2].T)
    inverse = np.linalg.inv(VARIANCE * root @ root.T + later)
    expected = np.zeros((60, 60))
    for signs in product((-1.0, 1.0), repeat=3):
        gaps = m[:, None] - x - root @ (PEAKS * np.array(signs))
        expected += np.exp(-0.5 * np.einsum("ija,ab,ijb->ij", gaps, inverse, gaps))
    found = posterior_by_row([NOISE, second], original, masked)
    assert np.abs(found - shares(expected)).mean() < 0.003  # the later noise is scaled by a file that is not known


@pytest.mark.parametrize(
    "steps",
    [
        [NOISE, TopCoding(columns=NAMES, percent=10), Rounding(columns=("x", "y"), base=0.2)],
        [NOISE, BottomCoding(columns=("x",), percent=10, replacement="mean")],
        [NOISE, RankSwapping(columns=NAMES, window=1)],
        [NOISE.replace(rescaled=True), Discretisation(columns=("z",), breaks=(-2, -1, 0, 1, 2))],
        [Rounding(columns=NAMES, base=0.1), NOISE, MixtureNoise(columns=("x",), variance_ratio=0.05)],
    ],
)
def test_more_is_found_than_without_the_noise_and_certain_links_are_right(steps: list[MaskingMethod]) -> None:
    original = people()
    found = attack(steps, original, masked_by(steps, original))
    alone = attack([NOISE], original, masked_by([NOISE], original))
    assert found.value > 0.5 * alone.value
    assert found.parts["certain at 90"] > 0
    assert found.parts["right at 90"] >= 85
    assert "hides" not in found.remark
    assert "does not fit" not in found.remark


def test_large_files_where_not_all_pairs_are_compared_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(400)
    steps: list[MaskingMethod] = [NOISE, TopCoding(columns=("y",), percent=10)]
    masked = masked_by(steps, original)
    every = attack(steps, original, masked)
    monkeypatch.setattr(composition, "ALL_PAIRS", 40_000)
    monkeypatch.setattr(chain_runs, "ALL_PAIRS", 40_000)
    monkeypatch.setattr(posterior, "ALL_PAIRS", 40_000)
    some = attack(steps, original, masked)
    assert 0 < some.parts["cut off"] < 10
    assert some.value == pytest.approx(every.value, abs=3)
    assert some.parts["certain at 90"] == pytest.approx(every.parts["certain at 90"], abs=4)
    assert some.parts["right at 90"] >= 85


def test_thresholds_that_other_records_decide_are_not_called_proven() -> None:
    original = people()
    steps: list[MaskingMethod] = [NOISE, TopCoding(columns=("y",), percent=10)]
    assert not build_model(original, masked_by(steps, original), NAMES, steps, 0).is_proven


def test_strata_of_the_noise_and_missing_values_are_respected() -> None:
    rng = np.random.default_rng(3)
    table = people(120).frame.with_columns(region=pl.Series(rng.choice(["north", "south"], 120)))
    table = table.with_columns(x=pl.when(pl.Series(rng.random(120) < 0.1)).then(None).otherwise(pl.col("x")))
    original = Microdata(table)
    steps: list[MaskingMethod] = [
        AdditiveNoise(columns=NAMES, scale=0.1, within=("region",)),
        Rounding(columns=NAMES, base=0.05),
    ]
    masked = masked_by(steps, original)
    alone = masked_by(steps[:1], original)
    with_rounding, without = attack(steps, original, masked), attack(steps[:1], original, alone)
    assert abs(with_rounding.value - without.value) < 10
    assert "hides" not in with_rounding.remark
    assert "does not fit" not in with_rounding.remark


def test_a_recipe_with_another_noise_does_not_fit() -> None:
    original = people()
    coding = TopCoding(columns=("y",), percent=10)
    masked = masked_by([NOISE.replace(variance_ratio=0.05), coding], original)
    assert "does not fit" in attack([NOISE, coding], original, masked).remark
