import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Microdata, Schema, Variable, numeric
from sfumato.errors import DataError, ParameterError
from sfumato.kernels.grouping import mdav_groups
from sfumato.masking import Mdav
from sfumato.masking.aggregation import group_means, groups_by_pattern, microaggregated, standardised

RNG = np.random.default_rng(0)  # MDAV draws nothing


def mdav(matrix: np.ndarray, group_size: int) -> np.ndarray:
    return microaggregated(matrix, group_size, lambda points: mdav_groups(points, group_size))


matrices = hnp.arrays(np.float64, st.tuples(st.integers(6, 40), st.integers(1, 3)), elements=st.floats(-1e6, 1e6))


@given(matrix=matrices, group_size=st.integers(2, 6))
def test_means_are_kept(matrix: np.ndarray, group_size: int) -> None:
    masked = mdav(matrix, group_size)
    assert np.allclose(masked.mean(axis=0), matrix.mean(axis=0), rtol=1e-9, atol=1e-6)


@given(matrix=matrices, group_size=st.integers(2, 6))
def test_each_masked_record_equals_enough_others(matrix: np.ndarray, group_size: int) -> None:
    _, sizes = np.unique(mdav(matrix, group_size), axis=0, return_counts=True)
    assert sizes.min() >= group_size


@given(matrix=matrices, group_size=st.integers(2, 6))
def test_variances_never_grow(matrix: np.ndarray, group_size: int) -> None:
    assert (mdav(matrix, group_size).var(axis=0) <= matrix.var(axis=0) * (1 + 1e-9) + 1e-6).all()


@given(data=st.data(), group_size=st.integers(2, 4))
def test_with_missing_values_every_mean_is_of_enough_values(data: st.DataObject, group_size: int) -> None:
    n, d = data.draw(st.integers(10, 40)), data.draw(st.integers(1, 3))
    matrix = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=(n, d))
    matrix[data.draw(hnp.arrays(bool, (n, d), elements=st.sampled_from([False] * 6 + [True])))] = np.nan
    try:
        groups = groups_by_pattern(standardised(matrix), group_size, lambda points: mdav_groups(points, group_size))
    except DataError:
        return
    assert ((groups >= 0) == ~np.isnan(matrix).all(axis=1)).all()
    for column in matrix.T:
        counts = np.bincount(groups[~np.isnan(column)])
        assert counts[counts > 0].min(initial=group_size) >= group_size


def test_a_rare_pattern_joins_the_nearest_group_that_has_its_values() -> None:
    matrix = np.array([[0.0, 0.0], [1.0, 1.0], [10.0, 10.0], [11.0, 11.0], [9.0, np.nan]])
    masked = mdav(matrix, 2)
    assert masked[[0, 1], 0].tolist() == [0.5, 0.5]
    assert masked[[2, 3, 4], 0].tolist() == [10.0, 10.0, 10.0]
    assert np.isnan(masked[4, 1])
    assert masked[3, 1] == 10.5


def test_integer_columns_get_rounded_means() -> None:
    data = Microdata(
        pl.DataFrame({"x": [1, 2, 2, 50, 60, 61]}), Schema(variables=[Variable(name="x", kind="continuous")])
    )
    masked = Mdav(columns=("x",), group_size=3).mask(data, RNG)
    assert masked.frame["x"].dtype == pl.Int64
    assert masked.frame["x"].to_list() == [2, 2, 2, 57, 57, 57]


def test_constant_columns_do_not_influence_the_groups() -> None:
    x = np.array([1.0, 9.0, 2.0, 10.0])
    alone, beside = mdav(x[:, None], 2), mdav(np.column_stack([x, np.full(4, 7.0)]), 2)
    assert np.array_equal(alone[:, 0], beside[:, 0])
    assert (beside[:, 1] == 7.0).all()


def test_refuses_more_per_group_than_records() -> None:
    data = Microdata(pl.DataFrame({"x": [1.5, 2.0, 9.0]}))
    with pytest.raises(DataError, match=r"group_size must be at most the number of records.*got 4 for.* 3"):
        Mdav(columns=("x",), group_size=4).mask(data, RNG)


def test_refuses_a_record_that_no_group_can_take() -> None:
    matrix = np.array([[1.0, np.nan], [2.0, np.nan], [3.0, np.nan], [np.nan, 4.0]])
    with pytest.raises(DataError, match="a record has values in 1 of the columns"):
        mdav(matrix, 3)


def test_refuses_groups_of_one() -> None:
    with pytest.raises(ParameterError, match=r"^Mdav.group_size must be in \[2, inf\); got 1$"):
        Mdav(columns=numeric, group_size=1)


def test_group_means_leave_out_missing_values() -> None:
    means = group_means(np.array([[1.0], [3.0], [np.nan]]), np.array([0, 0, 0]))
    assert means[:2, 0].tolist() == [2.0, 2.0]
