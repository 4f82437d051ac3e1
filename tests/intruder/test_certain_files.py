"""What the originals are before a step, in all columns that it reads."""

import numpy as np
import pytest

import sfumato as sf
from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import Runs, model_by_runs, posterior_of
from sfumato.intruder.certain_files import file_before
from sfumato.masking import (
    AdditiveNoise,
    IpsoA,
    MultipleImputation,
    PmmImputation,
    Pram,
    Rounding,
    TreeImputation,
)
from sfumato.risk.linkage._posterior_links import certainty_of, right_links

AMOUNTS, KEYS = ("total_income", "expenditure", "savings"), ("age", "sex")
ROUNDED = Rounding(columns=("age",), base=10)
EXCHANGED = Pram(columns=("sex", "education"), stay=80)


def masked_by(original: Microdata, steps: list[MaskingMethod]) -> Microdata:
    masked, rng = original, np.random.default_rng(11)
    for step in steps:
        masked = step.mask(masked, rng)
    return masked


@pytest.mark.parametrize(
    "method",
    [
        TreeImputation(columns=AMOUNTS, given=KEYS),
        PmmImputation(columns=AMOUNTS, given=KEYS),
        MultipleImputation(columns=AMOUNTS, given=KEYS),
        IpsoA(columns=AMOUNTS, given=KEYS),
    ],
    ids=lambda method: method.name(),
)
def test_links_are_as_sure_as_they_are_right_where_values_are_predicted_from_coded_keys(
    method: MaskingMethod,
) -> None:
    original = sf.datasets.demo(700).take_columns((*KEYS, "education", *AMOUNTS))
    steps = [ROUNDED, method, EXCHANGED]
    masked = masked_by(original, steps)
    runs = Runs.of(original, masked, steps, 0)
    posterior = posterior_of(model_by_runs(runs, masked, (*KEYS, "education", *AMOUNTS)), 64)
    certainty = certainty_of(posterior)
    right = right_links(posterior, posterior.one_to_one, original.rows_of(masked.row_ids))
    error = np.sqrt((certainty * (1 - certainty)).sum())
    assert abs((right - certainty).sum()) < 3 * error
    assert right.mean() > 0.1


def test_the_file_before_a_step_has_the_columns_that_it_predicts_from_as_the_step_read_them() -> None:
    original = sf.datasets.demo(200).take_columns((*KEYS, "education", *AMOUNTS))
    steps = [ROUNDED, TreeImputation(columns=AMOUNTS, given=KEYS)]
    before = file_before(steps, 1, original, seed=0)
    assert before is not None
    assert np.array_equal(before.values("age"), ROUNDED.mask(original, np.random.default_rng(0)).values("age"))


def test_nothing_is_known_of_the_file_before_a_step_that_predicts_from_values_that_hang_on_chance() -> None:
    original = sf.datasets.demo(200).take_columns((*KEYS, "education", *AMOUNTS))
    assert file_before([EXCHANGED, TreeImputation(columns=AMOUNTS, given=KEYS)], 1, original, seed=0) is None


def test_strata_may_hang_on_chance_and_are_coded_where_they_do_not() -> None:
    original = sf.datasets.demo(200).take_columns((*KEYS, "education", *AMOUNTS))
    by_sex, by_age = (AdditiveNoise(columns=AMOUNTS, scale=0.1, within=(key,)) for key in ("sex", "age"))
    assert file_before([EXCHANGED, by_sex], 1, original, seed=0) is original
    before = file_before([Rounding(columns=("age",), base=50), by_age], 1, original, seed=0)
    assert before is not None
    assert set(before.values("age")) <= {0.0, 50.0, 100.0}
