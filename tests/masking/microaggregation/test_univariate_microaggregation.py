from collections.abc import Iterator
from itertools import compress, product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.execution import blocks, run_step
from sfumato.masking import IndividualRanking, UnivariateMicroaggregation
from sfumato.masking.microaggregation.individual_ranking import ranked_means
from sfumato.masking.microaggregation.univariate_microaggregation import optimal_means
from tests.matrices import microdata

RNG = np.random.default_rng(0)  # nothing is drawn

columns = st.lists(st.one_of(st.integers(0, 5).map(float), st.floats(-1e3, 1e3)), min_size=2, max_size=60).map(np.array)


def partitions(rows: list[int], k: int) -> Iterator[list[list[int]]]:
    """Every way to put the rows into groups of at least `k`, neighbours or not."""
    if not rows:
        yield []
        return
    first, *others = rows
    for choice in product([False, True], repeat=len(others)):
        group = [first, *compress(others, choice)]
        if len(group) >= k:
            rest = [row for row in others if row not in group]
            yield from ([group, *more] for more in partitions(rest, k))


@given(
    values=st.lists(st.one_of(st.integers(0, 3).map(float), st.floats(-10, 10)), min_size=2, max_size=8),
    k=st.integers(2, 3),
)
def test_no_partition_at_all_loses_less(values: list[float], k: int) -> None:
    column = np.array(values)
    if column.size < k:
        return
    least = min(
        sum(float(((column[group] - column[group].mean()) ** 2).sum()) for group in partition)
        for partition in partitions(list(range(column.size)), k)
    )
    lost = float(((column - optimal_means(column, k)) ** 2).sum())
    assert np.isclose(lost, least, rtol=1e-9, atol=1e-9)


@given(column=columns, k=st.integers(2, 6))
def test_means_are_kept_and_each_value_equals_enough_others(column: np.ndarray, k: int) -> None:
    if column.size >= k:
        masked = optimal_means(column, k)
        assert np.isclose(masked.mean(), column.mean(), rtol=1e-9, atol=1e-9)
        assert np.unique(masked, return_counts=True)[1].min() >= k


@given(values=st.lists(st.integers(-50, 50).map(float), min_size=6, max_size=60), k=st.integers(2, 6))
def test_the_order_of_the_values_is_kept(values: list[float], k: int) -> None:
    column = np.array(values)
    by_rank = optimal_means(column, k)[np.argsort(column, kind="stable")]
    assert (np.diff(by_rank) >= -1e-9).all()


@given(column=columns, k=st.integers(2, 6))
def test_never_loses_more_than_individual_ranking(column: np.ndarray, k: int) -> None:
    if column.size >= k:
        optimal = ((column - optimal_means(column, k)) ** 2).sum()
        ranked = ((column - ranked_means(column, k)) ** 2).sum()
        assert optimal <= ranked * (1 + 1e-9) + 1e-9


def test_the_whole_column_is_cut_at_once_however_small_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "RANKS_PER_BLOCK", 100)
    matrix = np.random.default_rng(1).lognormal(size=(1000, 2))
    masked = run_step(UnivariateMicroaggregation(columns=("v0", "v1")), microdata(matrix), seed=1, step=0, threads=2)
    for name, column in zip(("v0", "v1"), matrix.T, strict=True):
        assert np.array_equal(masked.values(name), optimal_means(column, 3))


@pytest.mark.parametrize("method", [UnivariateMicroaggregation, IndividualRanking])
def test_missing_values_stay_and_take_no_part(method: type[UnivariateMicroaggregation]) -> None:
    data = Microdata(pl.DataFrame({"x": [1.0, None, 2.0, 8.0, None, 9.0]}))
    assert method(columns=("x",), k=2).mask(data, RNG).frame["x"].to_list() == [1.5, None, 1.5, 8.5, None, 8.5]


@pytest.mark.parametrize("method", [UnivariateMicroaggregation, IndividualRanking])
def test_refuses_more_per_group_than_values(method: type[UnivariateMicroaggregation]) -> None:
    data = Microdata(pl.DataFrame({"x": [1.5, None, 2.0, 9.0], "half": ["a", "a", "b", "b"]}))
    message = rf"^{method.__name__}.k must be at most the number of values in a column; got 4 for 3 in 'x': take"
    with pytest.raises(DataError, match=message):
        method(columns=("x",), k=4).mask(data, RNG)
    with pytest.raises(DataError, match="got 2 for 1 in 'x'"):
        method(columns=("x",), k=2, within=("half",)).mask(data, RNG)


@pytest.mark.parametrize("method", [UnivariateMicroaggregation, IndividualRanking])
def test_a_stratum_without_values_is_left_as_it_is(method: type[UnivariateMicroaggregation]) -> None:
    data = Microdata(pl.DataFrame({"x": [1.5, 2.5, None, None], "half": ["a", "a", "b", "b"]}))
    masked = run_step(method(columns=("x",), k=2, within=("half",)), data, seed=1, step=0)
    assert masked.frame["x"].to_list() == [2.0, 2.0, None, None]
