"""Clustering loss, checked against a plain k-means and loops over pairs."""

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.errors import DataError, ParameterError
from sfumato.loss import ClusteringLoss
from sfumato.loss.analyses.clustering_loss import clusters_from, different, free_centres
from sfumato.numerics.arrays import FloatMatrix
from tests.loss.analyses.test_partitions import plain_indices
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    measure = ClusteringLoss(columns=names_of(original), **parameters)
    return measure.measure(microdata(original), microdata(masked))


def groups(n: int = 60, clusters: int = 3, distance: float = 20.0) -> FloatMatrix:
    """Return records around a few far centres, their clusters in turn."""
    rng = np.random.default_rng(2)
    centres = distance * np.column_stack([np.arange(clusters), np.arange(clusters) % 2])
    return centres[np.arange(n) % clusters] + rng.normal(size=(n, 2))


def noisy(original: FloatMatrix, scale: float) -> FloatMatrix:
    return np.asarray(original + scale * original.std(axis=0) * np.random.default_rng(3).normal(size=original.shape))


def plain_k_means(records: list[list[float]], centres: list[list[float]]) -> list[int]:
    """Return the clusters that Lloyd's steps end with."""
    labels: list[int] = []
    while True:
        distances = [
            [sum((a - b) ** 2 for a, b in zip(record, centre, strict=True)) for centre in centres] for record in records
        ]
        found = [row.index(min(row)) for row in distances]
        if found == labels:
            return labels
        labels = found
        for cluster in range(len(centres)):
            members = [record for record, label in zip(records, labels, strict=True) if label == cluster]
            centres[cluster] = [sum(values) / len(members) for values in zip(*members, strict=True)]


def test_equals_a_plain_k_means_from_the_centres_of_the_original() -> None:
    original = groups(distance=4.0)
    masked = noisy(original, 0.5)
    spread, middle = original.std(axis=0, ddof=1), original.mean(axis=0)
    before, after = (original - middle) / spread, (masked - middle) / spread
    start = int(np.random.default_rng(0).integers(2**31))
    centres = free_centres(before, 3, 10, start).tolist()
    first, second = (plain_k_means(side.tolist(), [*centres]) for side in (before, after))
    expected = [100 * (1 - index) for index in plain_indices(first, second)[:4]]
    found = measured(original, masked, clusters=3)
    assert list(found.parts.values())[:4] == pytest.approx(expected)
    assert found.parts["CLmantaras"] == found.value == pytest.approx(100 * plain_indices(first, second)[4])
    assert 0 < found.value < 100


def test_a_record_that_changes_its_cluster_is_found() -> None:
    original = groups()
    masked = original.copy()
    masked[0] = original[1]
    found = measured(original, masked, clusters=3)
    place = np.arange(60) % 3
    moved = np.where(np.arange(60) == 0, 1, place)
    expected = [100 * (1 - index) for index in plain_indices(place.tolist(), moved.tolist())[:4]]
    assert list(found.parts.values())[:4] == pytest.approx(expected)
    assert list(found.parts.values())[5:9] == pytest.approx(expected)  # far clusters are found by any start


def test_clusters_that_move_as_a_whole_are_the_same_clusters() -> None:
    original = groups()
    assert measured(original, original + np.array([3.0, -2.0]), clusters=3).value == pytest.approx(0, abs=1e-9)


def test_an_unchanged_file_has_no_loss_from_either_start_though_it_has_no_clear_clusters() -> None:
    records = np.random.default_rng(0).normal(size=(3000, 4))
    assert set(measured(records, records).parts.values()) == {0.0}


def test_units_do_not_matter() -> None:
    original = groups(distance=4.0)
    masked, units = noisy(original, 0.5), np.array([1024.0, 0.25])
    found = measured(original * units, masked * units, clusters=3).parts
    assert dict(found) == pytest.approx(dict(measured(original, masked, clusters=3).parts))


def test_more_noise_loses_more() -> None:
    original = np.random.default_rng(5).normal(size=(800, 3))
    found = [measured(original, noisy(original, scale), clusters=8).value for scale in (0.01, 0.1, 0.5, 3.0)]
    assert found == sorted(found)
    assert found[-1] - found[0] > 50


def test_records_exchanged_at_random_lose_all() -> None:
    original = np.random.default_rng(5).normal(size=(3000, 2))
    found = measured(original, np.random.default_rng(6).permutation(original), clusters=4)
    # 9 degrees of freedom of chance: the information is near 9 / (2 n) nats of about 2.8
    assert found.value > 99.5
    assert found.parts["CLadjusted"] == pytest.approx(100, abs=1)


def test_records_are_told_by_their_ids_and_not_by_their_place() -> None:
    original = groups(distance=4.0)
    masked = noisy(original, 0.5)
    order = np.random.default_rng(1).permutation(60)
    measure = ClusteringLoss(columns=("v0", "v1"), clusters=3)
    shuffled = measure.measure(microdata(original), microdata(masked[order], order.tolist()))
    assert shuffled.parts == measured(original, masked, clusters=3).parts


def test_a_sample_is_clustered_with_its_own_records() -> None:
    original = groups()
    rows = [row for row in range(60) if row % 3 != 2]
    measure = ClusteringLoss(columns=("v0", "v1"), clusters=2)
    assert measure.measure(microdata(original), microdata(original[rows], rows)).value == 0.0


def test_a_suppressed_value_makes_a_cluster_of_its_record_alone() -> None:
    original = groups()
    masked = original.copy()
    masked[[4, 7], [0, 1]] = NAN
    place = np.arange(60) % 3
    alone = place.copy()
    alone[[4, 7]] = [3, 4]
    expected = 100 * plain_indices(place.tolist(), alone.tolist())[4]
    assert measured(original, masked, clusters=3).value == pytest.approx(expected)


def test_a_record_that_lacked_a_value_is_left_out() -> None:
    original = groups()
    masked = original.copy()
    masked[4] = original[5]
    assert measured(original, masked, clusters=3).value > 0
    original[4, 0] = NAN
    assert measured(original, masked, clusters=3).value == 0.0


def test_a_constant_column_tells_nothing() -> None:
    original = groups(distance=4.0)
    masked = noisy(original, 0.5)
    wider = [np.column_stack([matrix, np.full(60, 0.1)]) for matrix in (original, masked)]
    assert measured(*wider, clusters=3).parts == measured(original, masked, clusters=3).parts


def test_a_masked_file_with_fewer_different_records_than_clusters_is_clustered_by_them() -> None:
    original = groups()
    masked = np.where((np.arange(60) % 3 == 0)[:, None], 1.0, 2.0) * np.ones((60, 2))
    place = np.arange(60) % 3
    found = measured(original, masked, clusters=3)
    assert found.value == pytest.approx(100 * plain_indices(place.tolist(), (place == 0).tolist())[4])
    assert found.parts["mantaras, free start"] == found.value


def test_a_masked_file_of_equal_records_has_lost_all_clusters() -> None:
    assert measured(groups(), np.ones((60, 2)), clusters=3).value == 100.0


@pytest.mark.parametrize("column", [[1.0, 1.0, 2.0, 2.0], [1.0, 2.0, NAN, NAN], [1.0, 1.0, 1.0, 1.0]])
def test_refuses_fewer_different_original_records_than_clusters(column: list[float]) -> None:
    original = np.array(column)[:, None]
    with pytest.raises(DataError, match=r"ClusteringLoss.clusters: 3 clusters need as many different records"):
        measured(original, np.arange(4.0)[:, None], clusters=3)


def test_refuses_a_single_cluster() -> None:
    with pytest.raises(ParameterError, match=r"ClusteringLoss.clusters must be in \[2, 10000\]; got 1"):
        ClusteringLoss(columns=("v0",), clusters=1)


def test_the_seed_draws_the_starts() -> None:
    original = np.random.default_rng(5).normal(size=(400, 3))
    masked = noisy(original, 0.2)
    assert measured(original, masked, seed=1).parts == measured(original, masked, seed=1).parts
    assert measured(original, masked, seed=1, starts=1).parts != measured(original, masked, seed=2, starts=1).parts


def test_centres_of_a_large_file_are_tried_on_a_part_and_settled_on_all() -> None:
    records = groups(n=45_000, distance=8.0)
    centres = free_centres(records, 3, 2, 7)
    means = [records[np.arange(45_000) % 3 == cluster].mean(axis=0) for cluster in range(3)]
    order = np.argsort(centres[:, 0])
    assert centres[order] == pytest.approx(np.array(means), abs=1e-2)
    assert np.bincount(clusters_from(records, centres)).tolist() == pytest.approx([15_000] * 3, abs=5)


def test_different_records_are_counted_beyond_the_first_ones() -> None:
    late = np.concatenate([np.zeros(2000), [1.0, 2.0]])[:, None]
    assert different(late, 3)
    assert not different(late, 4)
