"""Whether a recipe fits two files: told by several shadows where one is not enough."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.intruder import NO_FIT, build_model
from sfumato.intruder.density_fit import is_one_of, is_within_spread
from sfumato.masking import AdditiveNoise, CorrelatedNoise, DistributionDistortion, MixtureNoise, Rounding

NAMES = ("total_income", "expenditure", "savings")
DISTORTION = DistributionDistortion(columns=NAMES)


@pytest.fixture(scope="module")
def survey() -> Microdata:
    data = demo(1000).take_columns(NAMES)
    return data.take_rows(np.flatnonzero(~np.isnan(data.matrix(NAMES)).any(axis=1)))


def test_the_recipe_that_drew_once_for_many_records_fits(survey: Microdata) -> None:
    steps = (DISTORTION, Rounding(columns=NAMES, base=1000))
    masked = survey
    for step in steps:
        masked = step.mask(masked, np.random.default_rng(2))
    assert NO_FIT not in str(build_model(survey, masked, NAMES, steps, 0).remarks)


def test_another_base_of_rounding_is_told(survey: Microdata) -> None:
    survey = survey.take_rows(np.arange(200))
    masked = Rounding(columns=NAMES, base=1000).mask(
        DISTORTION.mask(survey, np.random.default_rng(0)), np.random.default_rng(0)
    )
    told = build_model(survey, masked, NAMES, (DISTORTION, Rounding(columns=NAMES, base=100)), 0)
    assert NO_FIT in str(told.remarks)


@pytest.mark.parametrize("told", [MixtureNoise, CorrelatedNoise])
def test_noise_of_another_kind_with_the_same_covariance_is_told(
    survey: Microdata, told: type[MixtureNoise | CorrelatedNoise]
) -> None:
    survey = survey.take_rows(np.arange(400))
    masked = MixtureNoise(columns=NAMES, variance_ratio=0.2).mask(survey, np.random.default_rng(3))
    model = build_model(survey, masked, NAMES, (told(columns=NAMES, variance_ratio=0.2),), 0)
    assert (NO_FIT in str(model.remarks)) is (told is CorrelatedNoise)
    assert model.is_proven is (told is MixtureNoise)


@pytest.mark.parametrize("base", [0.01, 40.0])
def test_values_rounded_by_no_step_of_the_recipe_are_told_where_that_matters(base: float) -> None:
    rng = np.random.default_rng(3)
    original = Microdata(pl.DataFrame({"x": rng.normal(0, 100, 200), "y": rng.normal(0, 100, 200)}))
    noise = AdditiveNoise(columns=("x", "y"), scale=0.4)
    masked = Rounding(columns=("x", "y"), base=base).mask(noise.mask(original, rng), rng)
    told = build_model(original, masked, ("x", "y"), (noise,), 0)
    assert (NO_FIT in str(told.remarks)) is (base > 1)


def test_a_file_whose_shape_is_that_of_no_other_is_told() -> None:
    rng = np.random.default_rng(5)
    others = [rng.normal(size=300) + 0.05 * rng.normal() for _ in range(28)]
    assert is_one_of(rng.normal(size=300), others.__getitem__)
    assert not is_one_of(0.1 * rng.normal(size=300), others.__getitem__)


def test_one_file_in_ten_thousand_at_most_is_taken_for_no_run_of_its_recipe() -> None:
    """The level is one in 100,000; a test at 1 in 1,000 would miss some 20 of these 20,000 files."""
    rng = np.random.default_rng(6)
    draws = rng.normal(size=(20_000, 29))
    missed = sum(not is_within_spread(float(one[0]), one[1:].tolist()) for one in draws)
    assert missed <= 2
    assert sum(not is_within_spread(float(one[0]) + 9, one[1:].tolist()) for one in draws[:1000]) > 990


def test_runs_that_cannot_be_told_do_not_count() -> None:
    rng = np.random.default_rng(7)
    others = [rng.normal(size=300) if number % 2 else None for number in range(28)]
    assert is_one_of(rng.normal(size=300), others.__getitem__)
    assert not is_one_of(rng.normal(size=300), lambda _: None)


def test_files_that_all_lie_together_leave_no_room() -> None:
    means = [-3.01, -3.0, -2.99, -3.0, -3.01, -2.99, -3.0]
    assert is_within_spread(-3.03, means)
    assert not is_within_spread(-3.2, means)
    assert not is_within_spread(-2.8, means)
