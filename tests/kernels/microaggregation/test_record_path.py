from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.record_path import _move_piece, _reverse, _walk, short_path

records = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 25), st.integers(1, 3)),
    elements=st.one_of(st.integers(0, 3), st.integers(-3000, 3000)).map(lambda number: number / 64),
)


def length(points: np.ndarray, path: np.ndarray) -> float:
    return float(np.sqrt((np.diff(points[path], axis=0) ** 2).sum(axis=1)).sum())


@given(points=records, neighbours=st.integers(1, 30))
def test_the_path_passes_each_record_once(points: np.ndarray, neighbours: int) -> None:
    path = short_path(points, nearest_others(points, neighbours))
    assert sorted(path.tolist()) == list(range(len(points)))


@given(points=records, seed=st.integers(0, 1000), row=st.integers(0, 1000))
def test_each_change_of_a_path_makes_it_shorter(points: np.ndarray, seed: int, row: int) -> None:
    near = nearest_others(points, 30)
    record = row % len(points)
    for change in (_reverse, _move_piece):
        path = np.random.default_rng(seed).permutation(len(points))
        place = np.argsort(path)
        before = length(points, path)
        touched = change(points, near, path, place, record, np.empty(6, dtype=np.int64))
        assert sorted(path.tolist()) == list(range(len(points)))
        assert np.array_equal(place, np.argsort(path))
        assert touched == 0 or length(points, path) < before


@given(points=records)
def test_the_path_starts_out_with_the_nearest_record_left(points: np.ndarray) -> None:
    path = _walk(points, nearest_others(points, 2))
    for step in range(len(path) - 1):
        distances = ((points[path[step + 1 :]] - points[path[step]]) ** 2).sum(axis=1)
        assert np.isclose(distances[0], distances.min(), rtol=1e-12)


def test_paths_are_shorter_than_walks_and_near_the_shortest() -> None:
    found, walked, least = 0.0, 0.0, 0.0
    for seed in range(20):
        points = np.random.default_rng(seed).normal(size=(6, 2))
        near = nearest_others(points, 5)
        found += length(points, short_path(points, near))
        walked += length(points, _walk(points, near))
        least += min(length(points, np.array(path)) for path in permutations(range(6)))
    assert least <= found < walked
    assert found < 1.05 * least
