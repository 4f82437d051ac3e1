from collections import Counter
from statistics import median_low

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError
from sfumato.masking import CategoricalMicroaggregation
from sfumato.masking.microaggregation.categorical_microaggregation import (
    gower_weights,
    lower_median,
    most_frequent,
    typical_by_group,
    typical_of_groups,
)

RNG = np.random.default_rng(0)  # nothing is drawn
NAN = float("nan")
coded = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=1, max_size=40)


def columns_of(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([code for code, _ in pairs]), np.array([group for _, group in pairs])


@given(pairs=coded)
def test_the_most_frequent_category_is_the_lowest_of_equally_frequent_ones(pairs: list[tuple[int, int]]) -> None:
    groups, codes = most_frequent(*columns_of(pairs))
    assert groups.tolist() == sorted({group for _, group in pairs})
    for group, code in zip(groups, codes, strict=True):
        counts = Counter(code for code, other in pairs if other == group)
        assert code == min(value for value, count in counts.items() if count == max(counts.values()))


@given(pairs=coded)
def test_the_median_category_is_the_lower_of_two_middle_ones(pairs: list[tuple[int, int]]) -> None:
    groups, codes = lower_median(*columns_of(pairs))
    assert groups.tolist() == sorted({group for _, group in pairs})
    for group, code in zip(groups, codes, strict=True):
        assert code == median_low([code for code, other in pairs if other == group])


def test_each_kind_of_column_has_its_own_typical_value() -> None:
    kinds = (Kind.NOMINAL, Kind.ORDINAL, Kind.CONTINUOUS)
    matrix = np.array([[2.0, 0.0, 1.0], [2.0, 3.0, 2.0], [0.0, 4.0, 6.0], [1.0, NAN, 5.0]])
    assert np.array_equal(
        typical_by_group(matrix, np.array([0, 0, 0, 1]), kinds), np.array([[2, 3, 3], [1, NAN, 5]]), equal_nan=True
    )


def test_ranges_are_of_the_observed_values_and_a_constant_column_counts_nothing() -> None:
    kinds = (Kind.NOMINAL, Kind.ORDINAL, Kind.CONTINUOUS, Kind.CONTINUOUS, Kind.CONTINUOUS)
    matrix = np.array([[7.0, 1.0, -5.0, 3.0, NAN], [8.0, 5.0, NAN, 3.0, NAN], [9.0, 2.0, 15.0, 3.0, NAN]])
    assert gower_weights(matrix, kinds).tolist() == [1.0, 0.25, 0.05, 0.0, 0.0]


@given(data=st.data(), k=st.integers(2, 4))
def test_each_record_equals_enough_others_in_the_values_it_has(data: st.DataObject, k: int) -> None:
    n, kinds = data.draw(st.integers(8, 40)), tuple(data.draw(st.lists(st.sampled_from(list(Kind)[:3]), min_size=1)))
    kinds = kinds[:3]
    matrix = data.draw(hnp.arrays(np.float64, (n, len(kinds)), elements=st.integers(0, 4)))
    gaps = data.draw(hnp.arrays(bool, matrix.shape, elements=st.sampled_from([False] * 6 + [True])))
    matrix[gaps] = np.nan
    try:
        masked = typical_of_groups(matrix, kinds, k, "Method")
    except DataError:
        return
    assert np.array_equal(np.isnan(masked), gaps)
    for record in masked[~gaps.all(axis=1)]:
        present = ~np.isnan(record)
        assert np.count_nonzero((masked[:, present] == record[present]).all(axis=1)) >= k


@given(values=st.lists(st.integers(0, 9), min_size=6, max_size=40), k=st.integers(2, 5))
def test_a_category_that_comes_out_went_in(values: list[int], k: int) -> None:
    matrix = np.array(values, dtype=float)[:, None]
    for kind in (Kind.NOMINAL, Kind.ORDINAL):
        assert set(typical_of_groups(matrix, (kind,), k, "Method")[:, 0].tolist()) <= set(values)


def test_the_mean_of_a_continuous_column_is_kept() -> None:
    rng = np.random.default_rng(1)
    matrix = np.column_stack([rng.integers(0, 3, 50), rng.lognormal(size=50)]).astype(float)
    masked = typical_of_groups(matrix, (Kind.NOMINAL, Kind.CONTINUOUS), 3, "Method")
    assert masked[:, 1].mean() == pytest.approx(matrix[:, 1].mean())


def test_similar_records_are_grouped_over_all_kinds_of_column() -> None:
    levels = ["none", "some", "much"]
    frame = pl.DataFrame(
        {
            "job": ["nurse", "smith", "nurse", "smith", "smith", "nurse"],
            "debt": ["much", "none", "much", "none", "some", "some"],
            "age": [61.0, 22.0, 64.0, 25.0, 22.0, 61.0],
        }
    )
    schema = Schema.infer(frame).with_variables(Variable(name="debt", kind="ordinal", categories=levels))
    masked = CategoricalMicroaggregation(columns=("job", "debt", "age")).mask(Microdata(frame, schema), RNG).frame
    assert masked["job"].to_list() == frame["job"].to_list()
    assert masked["debt"].to_list() == ["much", "none", "much", "none", "none", "much"]
    assert masked["age"].to_list() == [62.0, 23.0, 62.0, 23.0, 23.0, 62.0]


def test_rare_categories_may_vanish() -> None:
    frame = pl.DataFrame({"job": ["nurse"] * 5 + ["clown"] + ["smith"] * 5})
    masked = CategoricalMicroaggregation(columns=("job",), k=4).mask(Microdata(frame), RNG)
    assert set(masked.frame["job"]) == {"nurse", "smith"}


def test_a_record_that_lacks_a_value_joins_the_nearest_group_when_few_lack_the_same() -> None:
    frame = pl.DataFrame(
        {"job": ["nurse", "nurse", "nurse", "smith", "smith", None], "age": [60.0, 63.0, 60.0, 20.0, 21.0, 57.0]}
    )
    masked = CategoricalMicroaggregation(columns=("job", "age"), k=2).mask(Microdata(frame), RNG).frame
    assert masked["job"].to_list() == frame["job"].to_list()
    assert masked["age"].to_list() == [60.0, 60.0, 60.0, 20.5, 20.5, 60.0]
