"""The promises that all microaggregations of several columns share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking import CategoricalMicroaggregation, Mdav, ProjectedMicroaggregation, VariableSizeMdav
from sfumato.masking.microaggregation._aggregation import group_means, means_by_group, microaggregate, near_groups
from sfumato.masking.microaggregation.projected_microaggregation import Projection, projected_groups
from sfumato.masking.microaggregation.variable_size_mdav import variable_size_groups
from sfumato.numerics.standardisation import z_scores
from tests.matrices import microdata, names_of

RNG = np.random.default_rng(0)  # microaggregation draws nothing
Groups = Callable[[np.ndarray, int], np.ndarray]

GROUPINGS: dict[str, Groups] = {
    "mdav": mdav_groups,
    "variable size, gamma 0.2": lambda points, k: variable_size_groups(points, k, 0.2),
    "variable size, gamma 50": lambda points, k: variable_size_groups(points, k, 50.0),
    "first component": lambda points, k: projected_groups(points, k, Projection.FIRST_COMPONENT),
    "sum of z-scores": lambda points, k: projected_groups(points, k, Projection.SUM_OF_Z_SCORES),
}
METHODS = [Mdav, VariableSizeMdav, ProjectedMicroaggregation, CategoricalMicroaggregation]
every_grouping = pytest.mark.parametrize("groups", GROUPINGS.values(), ids=GROUPINGS)
every_method = pytest.mark.parametrize("method", METHODS)

matrices = hnp.arrays(
    np.float64,
    st.tuples(st.integers(6, 40), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3).map(float), st.floats(-1e6, 1e6)),
)
sizes = st.integers(2, 6)


def masked_by(groups: Groups, matrix: np.ndarray, k: int) -> np.ndarray:
    return microaggregate(matrix, k, lambda points: groups(points, k), "Method")


@every_grouping
@given(matrix=matrices, k=sizes)
def test_groups_have_from_group_size_to_twice_that_less_one(groups: Groups, matrix: np.ndarray, k: int) -> None:
    counts = np.bincount(groups(z_scores(matrix), k))
    assert counts.sum() == len(matrix)
    assert counts.min() >= k
    assert counts.max() <= 2 * k - 1


@every_grouping
@given(matrix=matrices, k=sizes)
def test_means_are_kept_and_variances_never_grow(groups: Groups, matrix: np.ndarray, k: int) -> None:
    masked = masked_by(groups, matrix, k)
    assert np.allclose(masked.mean(axis=0), matrix.mean(axis=0), rtol=1e-9, atol=1e-6)
    assert (masked.var(axis=0) <= matrix.var(axis=0) * (1 + 1e-9) + 1e-6).all()


@every_grouping
@given(matrix=matrices, k=sizes)
def test_each_masked_record_equals_enough_others(groups: Groups, matrix: np.ndarray, k: int) -> None:
    _, counts = np.unique(masked_by(groups, matrix, k), axis=0, return_counts=True)
    assert counts.min() >= k


@every_grouping
@given(data=st.data(), k=st.integers(2, 4))
def test_with_missing_values_every_mean_is_of_enough_values(groups: Groups, data: st.DataObject, k: int) -> None:
    n, d = data.draw(st.integers(10, 40)), data.draw(st.integers(1, 3))
    matrix = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=(n, d))
    matrix[data.draw(hnp.arrays(bool, (n, d), elements=st.sampled_from([False] * 6 + [True])))] = np.nan
    try:
        found = near_groups(z_scores(matrix), k, lambda points: groups(points, k), "Method")
    except DataError:
        return
    assert ((found >= 0) == ~np.isnan(matrix).all(axis=1)).all()
    for column in matrix.T:
        counts = np.bincount(found[~np.isnan(column)])
        assert counts[counts > 0].min(initial=k) >= k


@every_grouping
def test_a_total_stays_the_sum_of_its_parts(groups: Groups) -> None:
    parts = np.random.default_rng(1).lognormal(size=(50, 3))
    masked = masked_by(groups, np.column_stack([parts, parts.sum(axis=1)]), 4)
    assert np.allclose(masked[:, :3].sum(axis=1), masked[:, 3])


@every_grouping
def test_constant_columns_do_not_influence_the_groups_and_stay_as_they_are(groups: Groups) -> None:
    x = np.random.default_rng(2).normal(size=(40, 2))
    beside = masked_by(groups, np.column_stack([x, np.full(40, 0.1)]), 3)
    assert np.array_equal(masked_by(groups, x, 3), beside[:, :2])
    assert (beside[:, 2] == 0.1).all()


@every_grouping
def test_the_unit_of_a_column_does_not_matter(groups: Groups) -> None:
    x = np.random.default_rng(3).normal(size=(60, 3))
    units = np.array([1.0, 1024.0, 2.0**-20])
    assert np.allclose(masked_by(groups, x * units, 3), masked_by(groups, x, 3) * units)


@every_method
def test_a_few_columns_at_a_time_are_masked_as_files_of_their_own(method: type[Any]) -> None:
    data = microdata(np.random.default_rng(4).lognormal(size=(60, 5)))
    masked = method(columns=names_of(np.empty((0, 5))), columns_at_a_time=2).mask(data, RNG)
    for names in (("v0", "v1"), ("v2", "v3"), ("v4",)):
        assert np.array_equal(masked.matrix(names), method(columns=names).mask(data, RNG).matrix(names))


@every_method
def test_columns_in_groups_are_masked_as_files_of_their_own(method: type[Any]) -> None:
    data = microdata(np.random.default_rng(5).lognormal(size=(60, 3)))
    together = method(columns=("v0", "v1", "v2")).mask(data, RNG)
    masked = method(columns=("v0", "v1", "v2"), column_groups=[["v0", "v2"], ["v1"]]).mask(data, RNG)
    for names in (("v0", "v2"), ("v1",)):
        assert np.array_equal(masked.matrix(names), method(columns=names).mask(data, RNG).matrix(names))
        assert not np.array_equal(masked.matrix(names), together.matrix(names))


@every_method
def test_strata_are_grouped_by_themselves(method: type[Any]) -> None:
    values = np.random.default_rng(6).normal(size=40)
    frame = pl.DataFrame({"x": values, "half": ["a", "b"] * 20})
    masked = method(columns=("x",), within=("half",)).mask(Microdata(frame), RNG).values("x")
    for start in (0, 1):
        alone = method(columns=("v0",)).mask(microdata(values[start::2, None]), RNG)
        assert np.array_equal(masked[start::2], alone.values("v0"))


@every_method
def test_integer_columns_get_rounded_means(method: type[Any]) -> None:
    schema = Schema(variables=[Variable(name="x", kind="continuous")])
    data = Microdata(pl.DataFrame({"x": [1, 2, 2, 50, 60, 61]}), schema)
    masked = method(columns=("x",), k=3).mask(data, RNG)
    assert masked.frame["x"].dtype == pl.Int64
    assert masked.frame["x"].to_list() == [2, 2, 2, 57, 57, 57]


@every_method
def test_refuses_more_per_group_than_records(method: type[Any]) -> None:
    expected = rf"^{method.__name__}.k must be at most the number of records; got 4 for 3"
    with pytest.raises(DataError, match=expected):
        method(columns=("v0",), k=4).mask(microdata(np.array([[1.5], [2.0], [9.0]])), RNG)


@every_method
def test_a_single_record_is_refused(method: type[Any]) -> None:
    with pytest.raises(DataError, match="got 3 for 1"):
        method(columns=("v0",)).mask(microdata(np.array([[1.5]])), RNG)


@every_method
def test_a_stratum_without_any_value_is_left_as_it_is(method: type[Any]) -> None:
    frame = pl.DataFrame({"x": [1.5, 2.5, 4.0, None, None], "half": ["a", "a", "a", "b", "b"]})
    masked = method(columns=("x",), within=("half",)).mask(Microdata(frame), RNG)
    assert masked.frame["x"].round(2).to_list() == [2.67, 2.67, 2.67, None, None]


def test_group_means_leave_out_missing_values() -> None:
    means = group_means(np.array([[1.0], [3.0], [np.nan], [8.0]]), np.array([0, 0, 0, -1]))
    assert means[:3, 0].tolist() == [2.0, 2.0, 2.0]
    assert np.isnan(means[3, 0])


def test_the_mean_of_equal_values_is_exactly_that_value() -> None:
    assert means_by_group(np.full((10, 1), 0.1), np.array([0] * 3 + [1] * 7))[:, 0].tolist() == [0.1, 0.1]


def test_standardised_columns_have_mean_0_and_deviation_1_and_keep_their_gaps() -> None:
    matrix = np.random.default_rng(7).lognormal(size=(50, 2))
    matrix[3, 0] = np.nan
    found = z_scores(np.column_stack([matrix, np.full(50, 4.5), np.full(50, np.nan)]))
    assert np.allclose(np.nanmean(found[:, :2], axis=0), 0.0)
    assert np.allclose(np.nanstd(found[:, :2], axis=0), 1.0)
    assert np.isnan(found[3, 0])
    assert (found[:, 2] == 0.0).all()
    assert np.isnan(found[:, 3]).all()
