"""The promises that all improvers share, over IMPROVERS."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import improve
from sfumato.contracts import Correspondence
from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.improve import IMPROVERS, ImprovementEnding
from sfumato.loss import InformationLoss
from tests.improve.files import both, grouped, incomes, noisy
from tests.matrices import microdata

EACH = pytest.mark.parametrize("improver", IMPROVERS.values(), ids=IMPROVERS)
FEW_STEPS: dict[str, dict[str, Any]] = {  # enough for what holds after any number of them
    "post_masking_optimisation": {"max_steps": 20_000},
    "score_optimisation": {"max_steps": 20_000},
}
MOMENTS = {name: improver for name, improver in IMPROVERS.items() if improver.family == "moments"}
EACH_OF_MOMENTS = pytest.mark.parametrize("improver", MOMENTS.values(), ids=MOMENTS)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def matrix(data: Microdata) -> np.ndarray:
    return data.matrix(data.select(numeric))


def test_each_is_in_a_file_of_its_name() -> None:
    for name, improver in IMPROVERS.items():
        assert improver.__module__ == f"sfumato.improve.{name}"
        assert getattr(improve, improver.__name__) is improver
        assert (Path(__file__).parent / f"test_{name}.py").exists()


@EACH
def test_its_docstring_says_what_users_need(improver: type[Any]) -> None:
    text = inspect.getdoc(improver) or ""
    for section in ("Parameters", "Effect on risk", "Effect on utility", "Missing values", "Source", "Examples"):
        assert re.search(rf"^ *{section}$", text, re.MULTILINE)
    for parameter in improver.model_fields:
        assert re.search(rf"^{parameter}$", text, re.MULTILINE)


@EACH_OF_MOMENTS
def test_moments_come_nearer_and_the_trace_tells_how_far(improver: type[Any]) -> None:
    original, masked = both(300, 3, seed=1)
    done = improver(columns=numeric, record_percent=50, target_percent=80).improve(original, masked, rng())
    before, after = np.cov(matrix(masked).T), np.cov(matrix(done.data).T)
    wanted = np.cov(matrix(original).T)
    assert np.abs(after - wanted).max() < 0.2 * np.abs(before - wanted).max()
    assert done.error == done.errors[-1] < 0.1 * done.errors[0]
    assert len(done.steps) == len(done.errors) == len(done.losses)
    assert done.steps[0] == 0


@EACH_OF_MOMENTS
def test_the_last_il1_is_that_of_information_loss(improver: type[Any]) -> None:
    original, masked = both(200, 3, seed=2)
    done = improver(columns=numeric, record_percent=50, target_percent=70).improve(original, masked, rng())
    measure = InformationLoss(columns=numeric, correspondence=Correspondence.NEAREST_RECORD)
    assert done.losses[0] == pytest.approx(measure.measure(original, masked).parts["IL1"])
    assert done.loss == pytest.approx(measure.measure(original, done.data).parts["IL1"])
    assert done.aimed_loss == pytest.approx(0.7 * done.losses[0])
    is_near = abs(done.loss - done.aimed_loss) <= 0.0101 * done.aimed_loss
    assert is_near or any("was aimed at" in remark for remark in done.remarks)


@EACH
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 99), percent=st.sampled_from([10, 30, 100]))
def test_no_more_records_than_the_percentage_change_and_the_rest_is_untouched(
    improver: type[Any], seed: int, percent: float
) -> None:
    original, masked = both(60, 2, seed)
    wide = Microdata(masked.frame.with_columns(name=pl.lit("x"), other=pl.Series(rng(seed).normal(size=60))))
    few = FEW_STEPS.get(improver.name(), {})
    done = improver(columns=("v0", "v1"), record_percent=percent, **few).improve(original, wide, rng(seed))
    differs = (matrix(done.data)[:, :2] != matrix(wide)[:, :2]).any(axis=1)
    assert np.count_nonzero(differs) == done.records <= percent / 100 * 60
    assert done.data.frame.select("name", "other").equals(wide.frame.select("name", "other"))
    assert np.array_equal(done.data.row_ids, wide.row_ids)
    low, high = matrix(wide).min(axis=0), matrix(wide).max(axis=0)
    assert ((matrix(done.data) >= low) & (matrix(done.data) <= high)).all()


@EACH
def test_the_same_seed_gives_the_same_file_and_the_inputs_stay(improver: type[Any]) -> None:
    original, masked = both(100, 2, seed=3)
    before = masked.frame.clone()
    method = improver(columns=numeric, record_percent=50, **FEW_STEPS.get(improver.name(), {}))
    first, second = (method.improve(original, masked, rng(5)) for _ in range(2))
    assert first.data.frame.equals(second.data.frame)
    assert np.array_equal(first.errors, second.errors)
    assert masked.frame.equals(before)


@EACH_OF_MOMENTS
def test_a_masked_file_may_be_a_sample_or_have_more_records(improver: type[Any]) -> None:
    original = incomes(200, 2, 4)
    for masked in (noisy(original, 4)[::3], np.vstack([noisy(original, 4), noisy(original, 5)])):
        done = improver(columns=numeric, record_percent=100).improve(microdata(original), microdata(masked), rng())
        assert done.data.n == len(masked)
        assert done.error < 0.5 * done.errors[0]


@EACH
def test_records_with_missing_values_stay_as_they_are(improver: type[Any]) -> None:
    original, masked = incomes(120, 2, 6), noisy(incomes(120, 2, 6), 6)
    original[::10, 0], masked[::7, 1] = np.nan, np.nan
    done = improver(columns=numeric, record_percent=100).improve(microdata(original), microdata(masked), rng())
    assert np.array_equal(matrix(done.data)[::7], masked[::7], equal_nan=True)
    assert done.records > 20
    assert np.isfinite(done.errors).all()


@EACH
def test_integers_stay_integers_and_no_value_becomes_a_missing_code(
    improver: type[Any], as_backend: Callable[[pl.DataFrame], Any]
) -> None:
    values = np.rint(incomes(150, 2, 7) / 10).astype(np.int64)
    values[values == 9] = 10
    frame = pl.DataFrame({"income": values[:, 0], "tax": values[:, 1]})
    masked = frame.with_columns(pl.Series("tax", rng().permutation(values[:, 1])))
    masked = masked.with_columns(tax=pl.when(pl.int_range(pl.len()) % 20 == 3).then(9).otherwise(pl.col("tax")))
    kinds = {"kind": Kind.CONTINUOUS, "missing_codes": (9,)}
    schema = Schema(variables=(Variable(name="income", **kinds), Variable(name="tax", **kinds)))
    given = Microdata(as_backend(masked), schema)
    done = improver(columns=numeric, record_percent=100).improve(Microdata(frame, schema), given, rng())
    assert type(done.data.frame) is type(given.frame)
    assert done.data.table["tax"].dtype == given.table["tax"].dtype
    assert np.array_equal(np.isnan(done.data.values("tax")), np.isnan(given.values("tax")))
    assert done.records > 10


@EACH
def test_a_column_that_is_constant_in_the_original_is_left_alone(improver: type[Any]) -> None:
    original, masked = incomes(80, 3, 8), noisy(incomes(80, 3, 8), 8)
    original[:, 1] = 5.0
    done = improver(columns=numeric, record_percent=100).improve(microdata(original), microdata(masked), rng())
    assert np.array_equal(matrix(done.data)[:, 1], masked[:, 1])
    assert done.records > 0


@EACH_OF_MOMENTS
def test_a_file_that_is_good_enough_is_not_changed(improver: type[Any]) -> None:
    original, _ = both(50, 2, seed=9)
    done = improver(columns=numeric).improve(original, original, rng())
    assert (done.ended, done.records, done.loss) == (ImprovementEnding.TARGET, 0, 0.0)
    assert "E was below its target from the start" in done.remarks[0]
    assert done.data.frame.equals(original.frame)


@EACH
def test_broken_groups_are_told(improver: type[Any]) -> None:
    original = incomes(120, 3, 10)
    masked = np.column_stack([grouped(original[:, [j]], 10) for j in range(3)])  # each column grouped by itself
    done = improver(columns=numeric, record_percent=100).improve(microdata(original), microdata(masked), rng())
    assert any(remark.startswith("groups of equal records were broken in v0, v1, v2") for remark in done.remarks)


@EACH_OF_MOMENTS
def test_a_random_file_becomes_synthetic_data_with_the_moments_of_the_original(improver: type[Any]) -> None:
    original = incomes(300, 3, 11)
    low, high = original.min(axis=0), original.max(axis=0)
    random = low + (high - low) * rng(11).random((200, 3))
    method = improver(columns=numeric, target_percent=20, record_percent=100, target=0.01)
    synthetic = method.improve(microdata(original), microdata(random), rng())
    assert synthetic.ended is ImprovementEnding.TARGET
    assert synthetic.error < 0.01 < 1 < synthetic.errors[0]
    assert np.corrcoef(matrix(synthetic.data).T) == pytest.approx(np.corrcoef(original.T), abs=0.15)


@EACH
def test_files_that_cannot_be_compared_are_refused(improver: type[Any]) -> None:
    original, masked = both(10, 2, seed=12)
    text = Microdata(pl.DataFrame({"v0": ["a"] * 10, "v1": ["b"] * 10}))
    with pytest.raises(KindError, match=rf"{improver.__name__}.columns: 'v0' is nominal in the masked file"):
        improver(columns=("v0",)).improve(original, text, rng())
    with pytest.raises(UnknownColumnError, match="the masked file has no column 'v1'"):
        improver(columns=("v1",)).improve(original, masked.take_columns(("v0",)), rng())
    with pytest.raises(DataError, match="at least 2 records in each file"):
        improver(columns=numeric).improve(original, masked.take_rows(np.array([0])), rng())
    with pytest.raises(DataError, match="a column in which they differ"):
        improver(columns=numeric).improve(microdata(np.ones((5, 2))), masked, rng())
    gaps = np.array([[1.0, np.nan], [np.nan, 2.0]])
    with pytest.raises(DataError, match="no masked record has all of v0, v1"):
        improver(columns=numeric).improve(original, microdata(gaps), rng())


@EACH
def test_values_whose_squares_no_number_holds_are_refused(improver: type[Any]) -> None:
    income = rng().random(30)
    original = microdata(np.column_stack([income, np.append(income[1:], 1e160)]))
    with pytest.raises(
        DataError, match="column 'v1' holds numbers beyond 1e\\+75, whose powers are not numbers; divide it by a unit"
    ):
        improver(columns=numeric).improve(original, original, rng())
