"""Cuts that a sample decides: every record has a block, near ones the same, and few blocks are far too large."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.neighbours.kd_cuts import KdCuts, block_numbers, find_cuts
from sfumato.numerics.hashing import mix_bits


def hashes(n: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return mix_bits(np.arange(n, dtype=np.uint64), 1)


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(3, 60))
def test_no_block_of_the_sample_itself_is_too_large_unless_records_are_equal(seed: int, values: int, most: int) -> None:
    points = np.random.default_rng(seed).integers(0, values, (200, 2)).astype(float)
    numbers = block_numbers(find_cuts(points, most), points, hashes(200))
    assert numbers.min() >= 0
    for number in np.unique(numbers):
        rows = points[numbers == number]
        assert len(rows) <= most or (rows == rows[0]).all()


def test_every_record_beyond_the_sample_lies_between_the_cuts_of_its_block() -> None:
    points = np.random.default_rng(1).lognormal(size=(20_000, 3))
    cuts = find_cuts(points[:2000], 100)
    numbers = block_numbers(cuts, points, hashes(20_000))
    sizes = np.bincount(numbers)
    assert sizes.min() > 0
    assert sizes.max() < 2 * 1000
    assert isinstance(cuts, KdCuts)
    is_below = points[:, cuts.column] < cuts.edge
    assert numbers[is_below].max() < numbers[~is_below].min()
    lost = sum(
        ((points[numbers == each] - points[numbers == each].mean(axis=0)) ** 2).sum() for each in range(len(sizes))
    )
    assert lost < 0.3 * ((points - points.mean(axis=0)) ** 2).sum()


def test_equal_records_are_dealt_out_evenly() -> None:
    points = np.ones((10_000, 2))
    sizes = np.bincount(block_numbers(find_cuts(points[:1000], 250), points, hashes(10_000)))
    assert len(sizes) == 4
    assert abs(sizes - 2500).max() < 5 * np.sqrt(2500)
