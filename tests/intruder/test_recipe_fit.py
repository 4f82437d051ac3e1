"""A recipe that made a file fits it, also where one draw for the whole file moves all of it; another one is told."""

import pytest

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.datasets import demo
from sfumato.intruder import NO_FIT, build_model
from sfumato.masking import (
    AdditiveNoise,
    ContingencyResampling,
    DropIdentifiers,
    MixtureNoise,
    Pram,
    RankSwapping,
    Rounding,
    Sampling,
    Shuffling,
    StrictLocalSuppression,
)
from sfumato.recipe import Recipe

AMOUNTS = ("age", "total_income", "expenditure", "savings")
CATEGORIES = ("region", "sex", "marital_status", "education")
HALF = Sampling(percent=50)
RESAMPLING = ContingencyResampling(columns=CATEGORIES)
DROPPED = DropIdentifiers(columns=("person_id", "household_id"))
Steps = list[MaskingMethod]


def is_told(made_by: Steps, told: Steps, columns: tuple[str, ...], n: int, seed: int, survey: int = 0) -> bool:
    """Return whether a recipe is said not to fit a file that another, or the same, made of the demo survey."""
    original = demo(n, seed=survey)
    masked = Recipe(steps=[DROPPED, *made_by], seed=seed).run(original)
    model = build_model(original, masked, columns, Knowledge.of([DROPPED, *told], original).steps, 0)
    return NO_FIT in " ".join(model.remarks)


@pytest.mark.parametrize(
    ("steps", "n", "survey", "seed"),
    [
        # one record of a sample may outweigh all others in the scale of noise
        ([HALF, MixtureNoise(columns=AMOUNTS, variance_ratio=0.2), Rounding(columns=AMOUNTS, base=100)], 800, 0, 7),
        # and the smallest value of a sample may be one that a third of the records have
        ([HALF, Shuffling(columns=AMOUNTS[1:3], given=("age", "savings"))], 600, 3, 39),
    ],
)
def test_what_a_sample_does_to_the_whole_file_is_no_misfit(steps: Steps, n: int, survey: int, seed: int) -> None:
    assert not is_told(steps, steps, AMOUNTS, n, seed, survey)


def test_a_table_that_is_drawn_once_for_all_records_fits_and_another_is_told() -> None:
    assert not any(is_told([RESAMPLING], [RESAMPLING], CATEGORIES, 400, seed) for seed in range(20))
    assert is_told([RESAMPLING.replace(samples=10)], [RESAMPLING], CATEGORIES, 700, 1)
    assert is_told([Pram(columns=CATEGORIES, stay=70)], [RESAMPLING], CATEGORIES, 500, 1)


def test_another_scale_of_noise_on_a_sample_is_told() -> None:
    made, told = ([HALF, AdditiveNoise(columns=AMOUNTS, scale=scale)] for scale in (0.2, 0.3))
    assert not is_told(made, made, AMOUNTS, 800, 2)
    assert is_told(made, told, AMOUNTS, 800, 2)


def test_another_method_on_a_sample_is_told() -> None:
    columns = ("total_income", "expenditure")
    made = [HALF, RankSwapping(columns=columns, window=15)]
    assert is_told(made, [HALF, Shuffling(columns=columns, given=("age", "savings"))], AMOUNTS, 600, 2)


def test_suppression_in_columns_that_no_other_step_masks_fits() -> None:
    steps: Steps = [Pram(columns=("region",), stay=80), StrictLocalSuppression(columns=CATEGORIES, k=4)]
    assert not is_told(steps, steps, CATEGORIES, 400, 4)
