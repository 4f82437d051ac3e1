"""What the imputation methods share."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, numeric
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking.synthesis._imputation import scaled_predictors
from sfumato.masking.synthesis.multiple_imputation import MultipleImputation
from sfumato.masking.synthesis.pmm_imputation import PmmImputation, match_donors, same_among_donors
from sfumato.masking.synthesis.tree_imputation import TreeImputation, leaf_draw, same_in_leaf
from tests.masking.ipso import X, Y, people

METHODS = (MultipleImputation, PmmImputation, TreeImputation)
every_method = pytest.mark.parametrize("method", METHODS)


def run(method: MaskingMethod, data: Microdata, seed: int = 3) -> Microdata:
    return run_step(method, data, seed=seed, step=0)


def test_a_missing_predictor_counts_as_the_mean_and_as_a_predictor() -> None:
    known = np.array([[1.0, 5.0], [3.0, np.nan], [2.0, 9.0]])
    found, asked = scaled_predictors(known, known + 2)
    assert np.allclose(found, [[1, 1, 1], [-1, 1, 0], [-1, 0, 1], [0, 1, 0]])
    assert np.allclose(asked, [[1, 1, 1], [1, 3, 2], [0, 0, 2], [0, 1, 0]])


@every_method
def test_one_release_keeps_the_shape(method: type[Any]) -> None:
    data = people(1)
    masked = run(method(columns=Y, given=X), data)
    assert masked.schema == data.schema
    assert masked.frame.schema == data.frame.schema
    assert np.array_equal(masked.row_ids, data.row_ids)
    assert masked.frame.drop(Y).equals(data.frame.drop(Y))


@every_method
def test_no_record_keeps_a_value(method: type[Any]) -> None:
    data = people(2, 300)
    masked = run(method(columns=Y, given=X), data)
    assert not (masked.matrix(Y) == data.matrix(Y)).any()


@every_method
def test_later_columns_are_drawn_from_drawn_columns(method: type[Any]) -> None:
    rng = np.random.default_rng(4)
    first = rng.normal(size=4000)
    data = Microdata(pl.DataFrame({"first": first, "second": first + 0.1 * rng.normal(size=4000)}))
    masked = run(method(columns=("first", "second")), data)
    assert np.corrcoef(masked.values("first"), masked.values("second"))[0, 1] > 0.95
    assert abs(np.corrcoef(masked.values("second"), first)[0, 1]) < 5 / np.sqrt(4000)  # nothing passes through


@every_method
def test_several_releases_stand_record_by_record_with_their_number(method: type[Any]) -> None:
    data = people(3)
    masked = run(method(columns=Y, given=X, releases=3), data)
    assert masked.frame["release"].to_list() == [1, 2, 3] * 60
    assert np.array_equal(masked.row_ids, np.repeat(np.arange(60), 3))
    assert np.array_equal(masked.values("age"), np.repeat(data.values("age"), 3))
    first, second, _ = masked.values("wages").reshape(60, 3).T
    assert (first != second).mean() > 0.5


@every_method
def test_releases_of_strata_stand_record_by_record_too(method: type[Any]) -> None:
    data = people(3, 90)
    masked = run(method(columns=("wages",), given=("age",), releases=2, within=("region",)), data)
    assert masked.frame["release"].to_list() == [1, 2] * 90
    assert np.array_equal(masked.row_ids, np.repeat(np.arange(90), 2))


@every_method
def test_strata_are_drawn_on_their_own(method: type[Any]) -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"x": np.r_[rng.normal(size=50), 1000 + rng.normal(size=50)], "half": ["a"] * 50 + ["b"] * 50})
    masked = run(method(columns=("x",), within=("half",)), Microdata(frame)).values("x")
    assert masked[:50].max() < 100 < 900 < masked[50:].min()


@every_method
def test_missing_values_stay_missing_and_every_other_value_is_drawn(method: type[Any]) -> None:
    data = people(6, 120)
    gaps = [
        pl.when(pl.int_range(120) % 7 == 3).then(None).otherwise(pl.col(name)).alias(name) for name in ("wages", "rent")
    ]
    data = Microdata(data.frame.with_columns(gaps), data.schema)
    masked = run(method(columns=("wages", "profits"), given=X), data)
    for name in ("wages", "profits"):
        assert np.array_equal(masked.observed(name), data.observed(name))
        assert not (masked.values(name) == data.values(name)).any()


@every_method
def test_refuses_a_constant_column(method: type[Any]) -> None:
    data = Microdata(pl.DataFrame({"x": [2.5] * 30, "y": np.arange(30.5)[:30]}))
    with pytest.raises(DataError, match=rf"^{method.__name__}.columns: 'x' is constant or determined by the given"):
        run(method(columns=("x",), given=("y",)), data)


@every_method
def test_refuses_a_column_that_the_given_ones_determine(method: type[Any]) -> None:
    with pytest.raises(
        DataError, match=rf"^{method.__name__}.columns: 'income' is constant or determined by the given"
    ):
        run(method(columns=("income",), given=("wages", "profits")), people(1))


@every_method
def test_refuses_too_few_records(method: type[Any]) -> None:
    data = Microdata(pl.DataFrame({"x": [1.5, 2.5, 7.0], "y": [1.0, 2.5, 2.0]}))
    with pytest.raises(
        DataError, match=rf"^{method.__name__} needs at least 5 records with a value of 'x', .*there are 3"
    ):
        run(method(columns=("x",), given=("y",)), data)


@every_method
def test_refuses_a_file_that_has_a_column_release(method: type[Any]) -> None:
    data = Microdata(people(1).frame.rename({"rent": "release"}))
    with pytest.raises(DataError, match=r"releases: they are numbered in a new column 'release', but the file has one"):
        run(method(columns=Y, given=("age",), releases=2), data)


@every_method
def test_a_rule_for_given_leaves_out_the_masked_columns(method: type[Any]) -> None:
    assert method(columns=Y, given=numeric).bound_to(people(1)).given == ("age", "rent", "costs")


@every_method
def test_refuses_no_release(method: type[Any]) -> None:
    with pytest.raises(ParameterError, match=r"releases must be in \[1, 1000\]; got 0$"):
        method(columns=Y, releases=0)


@every_method
def test_refuses_whole_numbers_that_are_known_from_what_is_given(method: type[Any]) -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(0, 50, 400).astype(float)
    data = Microdata(pl.DataFrame({"x": x, "y": np.rint(2 * x + rng.normal(0, 0.2, 400)).astype(int)}))
    with pytest.raises(DataError, match=rf"^{method.__name__}.columns: 'y' .*; leave it out, or give fewer columns$"):
        run(method(columns=("y",), given=("x",)), data)


@pytest.mark.parametrize("method", [PmmImputation, TreeImputation])
def test_borrows_values_of_a_column_that_is_mostly_zero_for_everybody(method: type[Any]) -> None:
    rng = np.random.default_rng(3)
    gains = np.where(rng.random(300) < 0.9, 0, rng.integers(1, 9999, 300))
    data = Microdata(pl.DataFrame({"age": rng.integers(18, 90, 300).astype(float), "gains": gains}))
    masked = run(method(columns=("gains",), given=("age",)), data)
    assert (masked.values("gains")[gains > 0] == gains[gains > 0]).mean() < 0.1


def test_the_share_of_donors_with_the_same_value_is_that_of_many_draws() -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(0, 8, 90).astype(float)
    values = np.rint(x / 2 + rng.normal(0, 0.4, 90))
    known = np.stack([np.ones(90), x])
    drawn = [values[match_donors(x, x, 6, rng)] == values for _ in range(300)]
    assert same_among_donors(values, x, 6) == pytest.approx(np.mean(drawn), abs=0.01)
    leaves = [leaf_draw(values, known, known, 5, rng) == values for _ in range(300)]
    assert same_in_leaf(values, known, 5) == pytest.approx(np.mean(leaves), abs=0.015)
