"""Outliers: who they are, and their figures beside those of all records."""

from math import sqrt
from statistics import mean, stdev

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.assessment import assess
from sfumato.assessment.outliers import farthest
from sfumato.contracts import Measure
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.loss import InformationLoss, StandardisedInformationLoss
from sfumato.risk import DistanceLinkage, IntervalDisclosure

COLUMNS = ("income", "tax")
MEASURES: list[Measure] = [
    InformationLoss(columns=COLUMNS),
    StandardisedInformationLoss(columns=COLUMNS),
    DistanceLinkage(columns=COLUMNS),
    IntervalDisclosure(columns=COLUMNS),
]


def files(n: int = 200) -> tuple[Microdata, Microdata]:
    rng = np.random.default_rng(8)
    frame = pl.DataFrame(rng.lognormal(size=(n, 2)), schema=list(COLUMNS))
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in COLUMNS))
    noisy = frame.with_columns(pl.col(name) + pl.Series(rng.normal(0, 0.3, n)) for name in COLUMNS)
    return Microdata(frame, schema), Microdata(noisy, schema, np.arange(n))


def plain_farthest(matrix: np.ndarray, count: int) -> set[int]:
    columns = matrix.T.tolist()
    distances = [
        sqrt(sum(((x - mean(column)) / stdev(column)) ** 2 for x, column in zip(record, columns, strict=True)))
        for record in matrix.tolist()
    ]
    return set(sorted(range(len(matrix)), key=lambda row: (-distances[row], row))[:count])


def test_outliers_are_the_records_farthest_from_the_mean_record() -> None:
    matrix = np.random.default_rng(0).lognormal(size=(60, 3))
    assert set(np.flatnonzero(farthest(matrix, 5.0))) == plain_farthest(matrix, 3)


@given(n=st.integers(2, 400), share=st.sampled_from([0.5, 5.0, 12.5, 100.0]))
def test_so_many_percent_rounded_up_are_outliers(n: int, share: float) -> None:
    found = farthest(np.arange(float(n))[:, None], share).sum()
    assert found - 1 < n * share / 100 <= found + 1e-9


def test_a_missing_value_neither_makes_nor_hides_an_outlier() -> None:
    matrix = np.random.default_rng(0).normal(size=(40, 2))
    matrix[7] = [9.0, np.nan]
    matrix[8] = [np.nan, np.nan]
    found = farthest(matrix, 2.5)
    assert found[7]
    assert not found[8]


def test_a_constant_column_makes_nobody_an_outlier() -> None:
    matrix = np.column_stack([np.full(20, 3.0), np.arange(20.0)])
    assert np.flatnonzero(farthest(matrix, 5.0)).tolist() == [0]


def test_their_figures_are_the_means_over_their_records() -> None:
    original, masked = files()
    found = assess(original, masked, MEASURES, outliers=True)
    rows = sorted(plain_farthest(original.matrix(COLUMNS), 10))
    expected = {}
    for measure in MEASURES:
        alone = measure.measure(original, masked)
        assert alone.per_record is not None
        expected[alone.record_symbol or alone.symbol] = float(alone.per_record[rows].mean())
    assert found.outlier_values == pytest.approx(expected)
    assert list(found.outlier_values) == ["IL1", "IL1s", "DLD", "ID"]


def test_linking_outliers_compares_them_with_all_original_records() -> None:
    original, masked = files()
    found = assess(original, masked, MEASURES, outliers=True).outlier_values["DLD"]
    rows = np.array(sorted(plain_farthest(original.matrix(COLUMNS), 10)))
    assert found == pytest.approx(DistanceLinkage(columns=COLUMNS).measure(original, masked.take_rows(rows)).value)


def test_a_sample_keeps_the_outliers_that_it_has() -> None:
    original, masked = files()
    rows = sorted(plain_farthest(original.matrix(COLUMNS), 10))
    chosen = [*rows[:6], *(row for row in range(40) if row not in rows)]
    found = assess(original, masked.take_rows(np.array(chosen)), MEASURES, outliers=True)
    assert found.outliers is not None
    assert found.outliers.records == 6


def test_so_few_outliers_that_their_mean_would_tell_of_one_are_not_told_apart() -> None:
    original, masked = files(80)
    found = assess(original, masked, MEASURES, outliers=True)
    assert found.outlier_values == {}
    assert "fewer than 5 of them" in found.remarks[0]
    assert "Outliers are not shown separately" in str(found)


def test_overall_and_outliers_stand_side_by_side() -> None:
    found = assess(*files(), MEASURES, outliers=True)
    text = str(found)
    assert text.count("overall  outliers") == 3  # above risks, losses and scores
    line = next(line for line in text.splitlines() if line.startswith("  DLD"))
    assert line.split()[-4:] == [f"{found.values['DLD']:.2f}", "%", f"{found.outlier_values['DLD']:.2f}", "%"]
    part = next(line for line in text.splitlines() if line.startswith("  IL1 "))
    assert part.split()[-4:] == [f"{found.values['IL1']:.2f}", "%", f"{found.outlier_values['IL1']:.2f}", "%"]
    assert "the 5 % of the original records farthest from the mean record: 10 masked records" in " ".join(text.split())
    assert '<th scope="col">outliers</th>' in found._repr_html_()


def test_the_plain_form_and_the_frame_hold_them() -> None:
    found = assess(*files(), MEASURES, outliers=True)
    assert found.to_dict()["outliers"] == {
        "share": 5.0,
        "records": 10,
        "columns": list(COLUMNS),
        "values": found.outlier_values,
    }
    frame = found.to_frame()
    assert frame.columns == ["room", "name", "symbol", "part", "value", "outliers", "unit"]
    told = frame.filter(pl.col("outliers").is_not_null())
    keys = [part or symbol for symbol, part in told.select("symbol", "part").iter_rows()]
    assert dict(zip(keys, told["outliers"], strict=True)) == found.outlier_values


def test_nothing_is_said_of_outliers_when_they_are_not_asked_for() -> None:
    found = assess(*files(), MEASURES)
    assert found.to_dict()["outliers"] is None
    assert found.outlier_values == {}
    assert "outlier" not in str(found)
