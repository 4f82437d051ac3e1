import gc
import pickle
from collections.abc import Callable
from statistics import fmean, stdev
from typing import Any
from weakref import ref

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable, summary
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.covariances import estimated_covariances

AsBackend = Callable[[pl.DataFrame], Any]

numbers = st.floats(-1e6, 1e6).map(lambda number: round(number, 9))
amounts = st.lists(st.one_of(st.none(), numbers), min_size=1, max_size=30)


@pytest.fixture
def data(as_backend: AsBackend, awkward_frame: pl.DataFrame, awkward_schema: Schema) -> Microdata:
    return Microdata(as_backend(awkward_frame), awkward_schema)


def of(columns: dict[str, list[Any]], kind: Kind = Kind.CONTINUOUS) -> Microdata:
    frame = pl.DataFrame(columns, schema_overrides=dict.fromkeys(columns, pl.Float64))
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=kind) for name in columns)))


def test_missing_values_and_missing_codes_are_counted_apart_from_the_observed(data: Microdata) -> None:
    names = ("region", "health", "is_urban", "age", "income", "tax", "constant", "born")
    assert [data.summary.missing(name) for name in names] == [1, 1, 1, 1, 1, 1, 0, 1]
    assert [data.summary.observed(name) for name in names] == [7, 7, 7, 7, 7, 7, 8, 7]
    assert data.summary.n == 8


def test_figures_are_of_the_observed_values(data: Microdata) -> None:
    ages = [34, 31, 78, 45, 2, 17, 64]
    assert data.summary.mean("age") == pytest.approx(fmean(ages))
    assert data.summary.deviation("age") == pytest.approx(stdev(ages))
    assert data.summary.quantile("age", 0.5) == 34
    assert data.summary.quantile("age", 0.75) == (45 + 64) / 2


def test_an_ordinal_column_is_summarised_by_its_codes(data: Microdata) -> None:
    assert data.summary.mean("health") == pytest.approx(fmean([2, 0, 1, 2, 2, 0, 1]))


def test_categories_are_counted_in_their_order_with_those_nobody_has(data: Microdata) -> None:
    assert list(data.summary.counts("health").items()) == [("bad", 2), ("fair", 2), ("good", 3), ("very good", 0)]
    assert list(data.summary.counts("region").items()) == [("Nord", 2), ("Süd", 3), ("West", 2)]
    assert data.summary.counts("is_urban") == {False: 2, True: 5}
    assert data.summary.categories("region") == ("Nord", "Süd", "West")


@given(amounts)
def test_figures_agree_with_the_standard_library(values: list[float | None]) -> None:
    observed = [value for value in values if value is not None]
    summary = of({"x": values}).summary
    assert summary.observed("x") == len(observed)
    if not observed:
        with pytest.raises(DataError, match="column 'x' has no observed value"):
            summary.mean("x")
        return
    assert summary.mean("x") == pytest.approx(fmean(observed), abs=1e-6)
    assert summary.deviation("x") == pytest.approx(stdev(observed) if len(observed) > 1 else 0, rel=1e-6, abs=1e-6)
    assert summary.quantile("x", 0) == min(observed)
    assert summary.quantile("x", 1) == max(observed)


@given(st.lists(st.tuples(*[st.one_of(st.none(), st.integers(-1000, 1000))] * 3), min_size=2, max_size=20))
def test_covariances_are_estimated_from_all_records_where_two_are_complete(rows: list[tuple[int | None, ...]]) -> None:
    complete = sum(None not in row for row in rows)
    summary = of({name: [row[place] for row in rows] for place, name in enumerate("xyz")}).summary
    if complete < 2:
        with pytest.raises(DataError, match=f"at least 2 records complete in x, y, z; there are {complete}"):
            summary.covariance(("x", "y", "z"))
        return
    some = np.array([row for row in rows if any(value is not None for value in row)], dtype=np.float64)
    expected = np.cov(some, rowvar=False) if complete == len(some) else estimated_covariances(some)
    assert summary.covariance(("x", "y", "z")) == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_the_covariance_of_one_column_is_a_matrix_of_its_variance() -> None:
    assert of({"x": [1.0, 2.0, 4.0]}).summary.covariance(("x",)) == pytest.approx(np.array([[7 / 3]]))


def test_means_and_deviations_of_several_columns_come_in_the_order_asked_for(data: Microdata) -> None:
    summary = data.summary
    assert summary.means(("tax", "age")).tolist() == [summary.mean("tax"), summary.mean("age")]
    assert summary.deviations(("tax", "age")).tolist() == [summary.deviation("tax"), summary.deviation("age")]


def test_a_constant_column_has_no_deviation(data: Microdata) -> None:
    assert data.summary.deviation("constant") == 0


def test_what_a_caller_does_to_an_answer_does_not_change_the_next(data: Microdata) -> None:
    data.summary.covariance(("age", "tax"))[:] = 0
    data.summary.counts("region").clear()
    assert data.summary.covariance(("age", "tax")).any()
    assert data.summary.counts("region")


def test_each_figure_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = of({"x": [1.0, 2.0]})
    asked: list[str] = []
    values = Microdata.values

    def noted(self: Microdata, name: str) -> FloatColumn:
        asked.append(name)
        return values(self, name)

    monkeypatch.setattr(Microdata, "values", noted)
    assert data.summary.mean("x") == data.summary.mean("x") == 1.5
    assert asked == ["x"]


def test_a_summary_survives_pickling_with_its_data(data: Microdata) -> None:
    back = pickle.loads(pickle.dumps(data))  # noqa: S301 - made here
    assert back.summary.is_of(back)
    assert back.summary.counts("region") == data.summary.counts("region")
    assert back.table["tax"].to_list() == data.table["tax"].to_list()


@given(values=amounts, bound=st.floats(-1e6, 1e6))
def test_means_and_quantiles_of_a_part_of_the_values_agree_with_picking_them_by_hand(
    values: list[float | None], bound: float
) -> None:
    summary = of({"x": values}).summary
    higher = [value for value in values if value is not None and value > bound]
    lower = [value for value in values if value is not None and value < bound]
    for part, bounds in ((higher, {"above": bound}), (lower, {"below": bound})):
        if part:
            assert summary.mean("x", **bounds) == pytest.approx(fmean(part), abs=1e-6)
            assert summary.quantile("x", 0.5, **bounds) == pytest.approx(float(np.median(part)), abs=1e-6)
        else:
            with pytest.raises(DataError, match="'x' has no observed value"):
                summary.mean("x", **bounds)


def test_missing_codes_are_those_of_the_schema_and_those_found_in_its_ranges(data: Microdata) -> None:
    assert data.summary.missing_codes("age") == (99,)
    assert data.summary.missing_codes("tax") == (-9,)
    assert data.summary.missing_codes("region") == ()


def test_records_are_freed_as_soon_as_nobody_has_them_whatever_was_asked_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 3)
    data = Microdata(pl.DataFrame({"x": [1.0, 2.0, 999.0, 4.0, 5.0, 999.0, 7.0], "region": list("abababa")}))
    changed = data.map_columns(("x",), lambda name, values: values + 1)
    block = data.take_columns(("region",)).as_block_of(data)
    assert block.summary.mean("x") == data.summary.mean("x")
    data.summary.suspected_codes("x")
    data.summary.quantile("x", 0.5)
    assert block.codes("region")[1] == ("a", "b")
    assert list(data.pieces(("x",)))[1].summary.is_of(data)
    gone = [ref(data), ref(changed), ref(block)]
    gc.disable()  # which would find records that refer to themselves, but late
    try:
        del data, changed
        assert [one() is None for one in gone] == [False, True, False]  # a block needs what it was cut from
        del block
        assert [one() is None for one in gone] == [True, True, True]
    finally:
        gc.enable()
