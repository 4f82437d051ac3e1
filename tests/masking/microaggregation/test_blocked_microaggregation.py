import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import numeric
from sfumato.errors import DataError, ParameterError
from sfumato.execution import blocks, cut, run_step
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking import BlockedMicroaggregation
from sfumato.masking.microaggregation import blocked_microaggregation
from sfumato.masking.microaggregation._aggregation import group_means
from sfumato.masking.microaggregation.blocked_microaggregation import blocked_groups
from sfumato.numerics.standardisation import z_scores
from tests.matrices import microdata

records = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 60), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3).map(float), st.floats(-50, 50, allow_subnormal=False)),
)
RNG = np.random.default_rng(0)  # nothing is drawn


def lost(points: np.ndarray, groups: np.ndarray) -> float:
    return float(((points - group_means(points, groups)) ** 2).sum())


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "NEIGHBOURS_PER_BLOCK", 2000)
    monkeypatch.setattr(blocked_microaggregation, "PART", 300)


@given(points=records, k=st.integers(2, 6))
def test_groups_fit_and_lose_no_more_than_mdav_where_there_is_one_part(points: np.ndarray, k: int) -> None:
    if len(points) >= k:
        groups = blocked_groups(points, k)
        sizes = np.bincount(groups)
        assert sizes.sum() == len(points)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1
        assert lost(points, groups) <= lost(points, mdav_groups(points, k)) + 1e-9 * (1 + np.ptp(points) ** 2)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("k", [3, 20])
@pytest.mark.parametrize("kind", ["normal", "skewed", "rounded"])
def test_groups_of_many_parts_fit_and_lose_no_more_than_those_of_mdav(kind: str, k: int) -> None:
    normal = np.random.default_rng(4).normal(size=(4000, 3))
    points = z_scores({"normal": normal, "skewed": np.exp(normal), "rounded": np.rint(4 * normal)}[kind])
    groups = blocked_groups(points, k)
    sizes = np.bincount(groups)
    assert k <= sizes.min() <= sizes.max() <= 2 * k - 1
    assert lost(points, groups) <= lost(points, mdav_groups(points, k))


@pytest.mark.usefixtures("small_parts")
def test_threads_do_not_change_the_result_and_means_are_kept() -> None:
    matrix = np.random.default_rng(5).lognormal(size=(6000, 2))
    matrix[::50, 1] = np.nan
    data = microdata(matrix)
    method = BlockedMicroaggregation(columns=numeric)
    assert len(cut(method.bound_to(data), data)) > 2
    masked = [run_step(method, data, seed=1, step=0, threads=threads).matrix(data.schema.names) for threads in (1, 4)]
    assert np.array_equal(masked[0], masked[1], equal_nan=True)
    assert np.nanmean(masked[0], axis=0) == pytest.approx(np.nanmean(matrix, axis=0))
    assert np.array_equal(np.isnan(masked[0]), np.isnan(matrix))
    _, counts = np.unique(masked[0][~np.isnan(matrix).any(axis=1)], axis=0, return_counts=True)
    assert counts.min() >= 3


@pytest.mark.usefixtures("small_parts")
def test_blocks_are_measured_on_the_scale_of_the_whole_file() -> None:
    rng = np.random.default_rng(6)
    matrix = np.column_stack([np.repeat([0.0, 1000.0], 1500) + rng.normal(size=3000), rng.normal(size=3000)])
    data = microdata(matrix)
    masked = run_step(BlockedMicroaggregation(columns=numeric), data, seed=1, step=0).matrix(data.schema.names)
    moved = np.abs(masked - matrix).mean(axis=0)
    assert moved[0] > 10 * moved[1]  # inside a block the first column is next to nothing on the scale of the file


def test_refuses_fewer_records_than_a_group_needs() -> None:
    with pytest.raises(DataError, match=r"^BlockedMicroaggregation.k must be at most the number of records"):
        BlockedMicroaggregation(columns=numeric, k=5).mask(microdata(np.ones((4, 2))), RNG)


def test_refuses_groups_of_one() -> None:
    with pytest.raises(ParameterError, match=r"^BlockedMicroaggregation.k must be in \[2, inf\); got 1$"):
        BlockedMicroaggregation(columns=numeric, k=1)
