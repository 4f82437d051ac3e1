"""Columns in whose place a release has intervals are read back, and records linked by them."""

import numpy as np
import polars as pl

from sfumato.assessment import assess
from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import with_told_columns
from sfumato.masking import AdditiveNoise, Camouflage
from sfumato.risk import LikelihoodLinkage

NAMES = ("x", "y", "z")
HIDING = Camouflage(columns=NAMES, scale=0.1)


def people() -> Microdata:
    numbers = np.random.default_rng(1).lognormal(size=(150, 3))
    return Microdata(pl.DataFrame(numbers, schema=list(NAMES)).with_columns(pl.Series("sex", ["f", "m"] * 75)))


def test_who_lies_inside_all_intervals_is_found_and_where_inside_tells_more() -> None:
    original = people()
    masked = HIDING.mask(original, np.random.default_rng(2))
    fits = np.ones((150, 150), dtype=bool)
    for name in NAMES:
        low, high, values = masked.values(f"{name}_low"), masked.values(f"{name}_high"), original.values(name)
        fits &= (low[:, None] < values) & (values < high[:, None])
    known = Knowledge.of([HIDING], original)
    found = LikelihoodLinkage(columns=("sex",)).informed_by(known).measure(original, masked)
    assert found.parts["row by row"] > 100 * float((np.diag(fits) / fits.sum(axis=1)).mean())
    assert found.parts["right at 90"] > 90
    assert "were not used" not in found.remark
    assert "no bound is proven" in found.remark


def test_the_worst_case_is_measured_where_every_column_became_intervals() -> None:
    original = people()
    masked = HIDING.mask(original, np.random.default_rng(2))
    assessment = assess(original, masked, methods=[HIDING])
    assert assessment.values["WCL"] > 50


def test_intervals_about_noisy_values_are_linked_by_the_noise() -> None:
    original, steps = people(), [AdditiveNoise(columns=NAMES, scale=0.1), HIDING]
    masked = original
    for step in steps:
        masked = step.mask(masked, np.random.default_rng(3))
    found = LikelihoodLinkage(columns=("sex",)).informed_by(Knowledge.of(steps, original)).measure(original, masked)
    assert found.value > 40
    assert "does not fit" not in found.remark


def test_a_column_that_the_release_has_stays_as_it_is() -> None:
    original = people()
    steps: list[MaskingMethod] = [HIDING.replace(columns=("x",))]
    masked = steps[0].mask(original, np.random.default_rng(2))
    told = with_told_columns(masked, steps, original)
    assert {*told.schema.names} - {*masked.schema.names} == {"x"}
    np.testing.assert_array_equal(told.values("y"), original.values("y"))
    middles = (masked.values("x_low") + masked.values("x_high")) / 2
    np.testing.assert_allclose(told.values("x"), middles)
