"""MDAV with a tree makes the groups that a look at all records makes: every one, bit for bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.microaggregation import mdav
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.microaggregation.mdav_scan import group_by_scan
from sfumato.kernels.microaggregation.mdav_tree import group_by_tree

sizes = st.tuples(st.integers(7, 300), st.integers(1, 6))
seeds = st.integers(0, 10_000)
group_sizes = st.integers(2, 7)


def standardised(points: np.ndarray) -> np.ndarray:
    deviation = points.std(axis=0)
    return np.asarray((points - points.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


def assert_the_same_groups(points: np.ndarray, k: int, scanned: int = 0) -> None:
    found = group_by_tree(points, k, scanned)
    assert np.array_equal(found, group_by_scan(points, k))


@given(seed=seeds, shape=sizes, k=group_sizes)
def test_scattered_records_get_the_same_groups(seed: int, shape: tuple[int, int], k: int) -> None:
    assert_the_same_groups(np.random.default_rng(seed).normal(size=shape), k)


@given(seed=seeds, shape=sizes, k=group_sizes, values=st.integers(1, 6), is_standardised=st.booleans())
def test_tied_records_get_the_same_groups(
    seed: int, shape: tuple[int, int], k: int, values: int, is_standardised: bool
) -> None:
    points = np.random.default_rng(seed).integers(0, values, shape).astype(float)
    assert_the_same_groups(standardised(points) if is_standardised else points, k)


@given(seed=seeds, shape=sizes, k=group_sizes, copies=st.integers(2, 20))
def test_duplicates_and_constant_columns_get_the_same_groups(
    seed: int, shape: tuple[int, int], k: int, copies: int
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.lognormal(size=shape)[rng.integers(0, 1 + shape[0] // copies, shape[0])]
    points[:, rng.random(shape[1]) < 0.3] = 1.5
    assert_the_same_groups(standardised(points), k)


@given(
    points=hnp.arrays(
        np.float64, sizes.filter(lambda shape: shape[0] < 60), elements=st.floats(-1e3, 1e3, allow_subnormal=False)
    ),
    k=group_sizes,
)
def test_awkward_numbers_get_the_same_groups(points: np.ndarray, k: int) -> None:
    assert_the_same_groups(points, k)


@given(seed=seeds, far=st.sampled_from([1e3, 1e9, 1e14]))
def test_records_far_from_zero_get_the_same_groups(seed: int, far: float) -> None:
    points = far + np.random.default_rng(seed).normal(size=(150, 3))  # sums lose digits as their order has it
    assert_the_same_groups(points, 3)


@pytest.mark.parametrize("k", [3, 10])
@pytest.mark.parametrize("kind", ["normal", "skewed", "rounded", "collinear", "few values", "equal"])
def test_thousands_of_records_get_the_same_groups(kind: str, k: int) -> None:
    rng = np.random.default_rng(7)
    normal = rng.normal(size=(5000, 5))
    points = {
        "normal": normal,
        "skewed": np.exp(normal),
        "rounded": np.rint(np.exp(normal)),
        "collinear": normal @ rng.normal(size=(5, 2)) @ rng.normal(size=(2, 5)),
        "few values": np.rint(normal[:, :2]),
        "equal": np.ones((5000, 2)),
    }[kind]
    assert_the_same_groups(standardised(points), k, scanned=1000)


def test_groups_larger_than_what_remains_for_the_scan_are_made() -> None:
    points = np.random.default_rng(8).normal(size=(200, 2))
    assert_the_same_groups(points, 60, scanned=50)
    assert_the_same_groups(points, 150, scanned=50)


def test_the_tree_is_taken_for_many_records_only(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(9).normal(size=(400, 2))
    taken: list[int] = []
    monkeypatch.setattr(mdav, "group_by_tree", lambda points, *_: taken.append(len(points)))
    mdav_groups(points, 3)
    assert taken == []
    monkeypatch.setattr(mdav, "MIN_TREE_RECORDS", 400)
    mdav_groups(points, 3)
    assert taken == [400]
