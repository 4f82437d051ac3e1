import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.data import numeric
from sfumato.errors import DataError, ParameterError
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.microaggregation.optimal_cuts import optimal_cuts
from sfumato.masking import Mdav, NearOptimalMicroaggregation, ProjectedMicroaggregation, VariableSizeMdav
from sfumato.masking.microaggregation._aggregation import group_means
from sfumato.masking.microaggregation.near_optimal_microaggregation import near_optimal_groups
from tests.matrices import microdata

records = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 30), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3).map(float), st.floats(-50, 50, allow_subnormal=False)),
)


def groups_of(points: np.ndarray, k: int, rounds: int = 3, seed: int = 1) -> np.ndarray:
    return near_optimal_groups(points, k, rounds, None, np.random.default_rng(seed))


def lost(points: np.ndarray, groups: np.ndarray) -> float:
    return float(((points - group_means(points, groups)) ** 2).sum())


def least_loss(points: np.ndarray, k: int) -> float:
    """The least loss there is, over all groups of the lowest record that has none, for a handful of records."""
    rows = range(len(points))
    sets = [tuple(row for row in rows if number >> row & 1) for number in range(2 ** len(points))]
    costs = [float(((points[list(rows)] - points[list(rows)].mean(axis=0)) ** 2).sum()) if rows else 0 for rows in sets]
    least = [0.0] + [np.inf] * (2 ** len(points) - 1)
    for number in range(1, 2 ** len(points)):
        lowest = number & -number
        part = number
        while part:
            if part & lowest and k <= part.bit_count() <= 2 * k - 1:
                least[number] = min(least[number], costs[part] + least[number ^ part])
            part = (part - 1) & number
    return least[-1]


@given(points=records, k=st.integers(2, 6), seed=st.integers(0, 1000))
def test_groups_fit_and_lose_no_more_than_mdav(points: np.ndarray, k: int, seed: int) -> None:
    if len(points) >= k:
        groups = groups_of(points, k, seed=seed)
        sizes = np.bincount(groups)
        assert sizes.sum() == len(points)
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1
        before = lost(points, mdav_groups(points, k))
        assert lost(points, groups) <= before + 1e-9 * (1 + np.ptp(points) ** 2)


@pytest.mark.parametrize("seed", range(6))
def test_a_handful_of_records_is_grouped_at_the_least_loss(seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(10, 2))
    assert lost(points, groups_of(points, 3, rounds=10)) == pytest.approx(least_loss(points, 3))


def test_one_column_is_grouped_at_the_least_loss_whatever_the_rounds() -> None:
    column = np.sort(np.random.default_rng(3).lognormal(size=(200, 1)), axis=0)
    assert np.array_equal(groups_of(column, 4, rounds=0), optimal_cuts(column, 4))


def test_more_rounds_lose_less() -> None:
    points = np.random.default_rng(4).normal(size=(400, 4))
    losses = [lost(points, groups_of(points, 3, rounds)) for rounds in (0, 1, 10)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.99 * losses[0]


def test_the_same_seed_gives_the_same_groups_and_another_seed_others() -> None:
    points = np.random.default_rng(5).normal(size=(300, 3))
    assert np.array_equal(groups_of(points, 3), groups_of(points, 3))
    assert not np.array_equal(groups_of(points, 3), groups_of(points, 3, seed=2))


def test_the_search_stops_when_patience_is_at_an_end() -> None:
    points = np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0], [9.0, 8.0]])
    patient, hasty = np.random.default_rng(1), np.random.default_rng(1)
    near_optimal_groups(points, 2, 5, None, patient)
    near_optimal_groups(points, 2, 1000, 5, hasty)
    assert patient.random() == hasty.random()


def test_records_in_few_places_end_the_search_at_once() -> None:
    points = np.repeat([[0.0, 1.0], [2.0, 3.0]], 50, axis=0)
    assert lost(points, near_optimal_groups(points, 3, 10**9, None, np.random.default_rng(0))) == 0.0


def test_clusters_are_found() -> None:
    rng = np.random.default_rng(7)
    points = np.concatenate([rng.normal(size=2) * 100 + rng.normal(size=(size, 2)) for size in (3, 4, 5, 3, 5, 4)])
    groups = groups_of(points, 3)
    assert sorted(np.bincount(groups).tolist()) == [3, 3, 4, 4, 5, 5]


def test_a_rare_pattern_of_missing_values_joins_the_nearest_group_that_has_its_values() -> None:
    data = microdata(np.array([[0.0, 0.0], [1.0, 1.0], [10.0, 10.0], [11.0, 11.0], [9.0, np.nan]]))
    masked = NearOptimalMicroaggregation(columns=numeric, k=2).mask(data, np.random.default_rng(0))
    after = masked.matrix(data.schema.names)
    assert after[:, 0].tolist() == [0.5, 0.5, 10.0, 10.0, 10.0]
    assert np.isnan(after[4, 1])


def test_refuses_fewer_records_than_a_group_needs() -> None:
    with pytest.raises(DataError, match=r"^NearOptimalMicroaggregation.k must be at most the number of rec"):
        NearOptimalMicroaggregation(columns=numeric, k=4).mask(microdata(np.eye(3)), np.random.default_rng(0))


def test_refuses_a_patience_of_no_round() -> None:
    with pytest.raises(
        ParameterError, match=r"^NearOptimalMicroaggregation.patience must be in \[1, 100000000\]; got 0$"
    ):
        NearOptimalMicroaggregation(columns=numeric, patience=0)


@pytest.mark.parametrize("method", [Mdav, VariableSizeMdav, ProjectedMicroaggregation])
def test_other_microaggregations_lose_less_when_refined(
    method: type[Mdav | VariableSizeMdav | ProjectedMicroaggregation],
) -> None:
    data = microdata(np.random.default_rng(8).normal(size=(300, 3)))
    names = data.schema.names

    def loss(refine: bool) -> float:
        masked = method(columns=numeric, k=4, refine=refine).mask(data, np.random.default_rng(0))
        return float(((masked.matrix(names) - data.matrix(names)) ** 2).sum())

    assert loss(refine=True) < 0.95 * loss(refine=False)
