"""Which columns to microaggregate together, held against all ways to divide them."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.datasets import reference
from sfumato.errors import ParameterError
from sfumato.masking import Mdav, correlated_columns
from sfumato.masking.microaggregation._correlated_columns import divide
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import DistanceLinkage
from tests.matrices import microdata


def inside(groups: list[list[int]], alike: FloatMatrix) -> float:
    return float(sum(alike[np.ix_(group, group)].sum() for group in groups))


@settings(max_examples=10)
@given(seed=st.integers(0, 9999), size=st.integers(2, 3))
def test_no_other_way_to_divide_the_columns_is_more_alike(seed: int, size: int) -> None:
    alike = np.random.default_rng(seed).random((6, 6))
    alike = alike + alike.T
    np.fill_diagonal(alike, 0.0)
    found = divide(alike, size)
    best = max(
        inside([list(order[start : start + size]) for start in range(0, 6, size)], alike)
        for order in permutations(range(6))
    )
    assert sorted(place for group in found for place in group) == list(range(6))
    assert [len(group) for group in found] == [size] * (6 // size)
    assert inside(found, alike) == pytest.approx(best)


def test_the_factors_behind_the_columns_are_found() -> None:
    rng = np.random.default_rng(3)
    factors = rng.normal(size=(300, 3))
    matrix = factors[:, [0, 1, 2, 1, 0, 2, 1, 0, 2]] * [[1, 1, 1, -1, 1, 1, 1, -1, 1]] + 0.4 * rng.normal(size=(300, 9))
    matrix[rng.random(matrix.shape) < 0.05] = np.nan
    found = correlated_columns(microdata(matrix), columns_at_a_time=3)
    assert found == (("v0", "v4", "v7"), ("v1", "v3", "v6"), ("v2", "v5", "v8"))


def test_the_last_group_may_be_smaller_and_a_constant_column_belongs_to_none() -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(size=50)
    data = Microdata(pl.DataFrame({"a": first, "c": np.full(50, 2.5), "b": first + 0.1 * rng.normal(size=50)}))
    assert correlated_columns(data, ("a", "c", "b"), columns_at_a_time=2) == (("a", "b"), ("c",))
    assert correlated_columns(data, ("a", "c", "b"), columns_at_a_time=9) == (("a", "c", "b"),)


def test_refuses_no_columns_at_a_time() -> None:
    with pytest.raises(ParameterError, match=r"^correlated_columns.columns_at_a_time must be in \[1, inf\); got 0$"):
        correlated_columns(microdata(np.eye(4)), columns_at_a_time=0)


@pytest.mark.reference
def test_correlated_columns_of_census_together_lose_less_and_are_linked_more() -> None:
    data = reference("census")
    names = data.schema.names
    lost, linked = [], []
    for groups in (correlated_columns(data, columns_at_a_time=3), tuple(names[at : at + 3] for at in range(0, 13, 3))):
        masked = Mdav(columns=names, k=10, column_groups=groups).mask(data, np.random.default_rng())
        before, after = data.matrix(names), masked.matrix(names)
        lost.append(100 * (((before - after) / before.std(axis=0)) ** 2).mean())
        linked.append(DistanceLinkage(columns=names).measure(data, masked).value)
    assert lost == pytest.approx([3.15, 3.96], abs=0.005)  # as the page on microaggregation has them
    assert linked == pytest.approx([70.7, 29.7], abs=0.05)
