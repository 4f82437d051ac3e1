import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.execution import blocks, run_step
from sfumato.masking import IndividualRanking
from sfumato.masking.microaggregation.individual_ranking import ranked_means
from tests.matrices import microdata

columns = st.lists(st.one_of(st.integers(0, 5).map(float), st.floats(-1e3, 1e3)), min_size=2, max_size=60)


@given(values=columns, k=st.integers(2, 6))
def test_each_value_becomes_the_mean_of_its_run_of_ranks(values: list[float], k: int) -> None:
    n = len(values)
    if n < k:
        return
    masked = ranked_means(np.array(values), k)
    ranked = sorted(range(n), key=lambda row: (values[row], row))
    starts = list(range(0, n - k + 1, k))
    for start, end in zip(starts, [*starts[1:], n], strict=True):
        rows = ranked[start:end]
        assert np.allclose(masked[rows], sum(values[row] for row in rows) / len(rows), rtol=1e-9, atol=1e-9)
        assert len(set(masked[rows].tolist())) == 1


@given(n=st.integers(2, 60), k=st.integers(2, 6))
def test_only_the_last_group_is_larger(n: int, k: int) -> None:
    if n >= k:
        _, counts = np.unique(ranked_means(np.arange(float(n)), k), return_counts=True)
        assert (counts[:-1] == k).all()
        assert k <= counts[-1] <= 2 * k - 1


def test_columns_are_masked_by_themselves() -> None:
    matrix = np.random.default_rng(1).normal(size=(30, 2))
    masked = IndividualRanking(columns=("v0", "v1")).mask(microdata(matrix), np.random.default_rng())
    for name, column in zip(("v0", "v1"), matrix.T, strict=True):
        assert np.array_equal(masked.values(name), ranked_means(column, 3))


def test_a_column_cut_into_runs_has_groups_of_neighbours_in_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "RANKS_PER_BLOCK", 100)
    values = np.random.default_rng(2).permutation(1001).astype(float)
    masked = run_step(IndividualRanking(columns=("v0",)), microdata(values[:, None]), seed=1, step=0).values("v0")
    _, counts = np.unique(masked, return_counts=True)
    assert set(counts.tolist()) == {3, 4, 5}
    assert np.abs(masked - values).max() <= 2.0
    assert masked.mean() == pytest.approx(values.mean())


def test_integer_columns_get_rounded_means() -> None:
    schema = Schema(variables=[Variable(name="x", kind="continuous")])
    data = Microdata(pl.DataFrame({"x": [1, 2, 2, 50, 60, 61]}), schema)
    masked = IndividualRanking(columns=("x",)).mask(data, np.random.default_rng())
    assert masked.frame["x"].to_list() == [2, 2, 2, 57, 57, 57]
