"""Who is left over where an odd number of values are swapped in pairs."""

from collections.abc import Callable

import numpy as np
import pytest

from sfumato.masking.swapping.rank_swapping import swap_ranks
from sfumato.masking.swapping.rank_swapping_buckets import swap_by_buckets
from sfumato.masking.swapping.rank_swapping_distribution import swap_by_distance
from sfumato.numerics.arrays import FloatColumn

Swap = Callable[[FloatColumn, np.random.Generator], FloatColumn]
SWAPS: dict[str, Swap] = {
    "window": lambda column, rng: swap_ranks(column, 3, rng),
    "next rank": lambda column, rng: swap_ranks(column, 1, rng),
    "distribution": lambda column, rng: swap_by_distance(column, 4.0, rng),
    "buckets": lambda column, rng: swap_by_buckets(column, 5, rng),
}
DRAWS = 600


@pytest.mark.parametrize("swap", SWAPS.values(), ids=SWAPS)
def test_of_an_odd_number_one_value_stays_and_of_an_even_number_none(swap: Swap) -> None:
    rng = np.random.default_rng(1)
    for n in (1, 3, 10, 21):
        assert np.count_nonzero(swap(np.arange(float(n)), rng) == np.arange(n)) == n % 2


@pytest.mark.parametrize("swap", SWAPS.values(), ids=SWAPS)
def test_the_value_that_stays_is_the_largest_no_more_often_than_another(swap: Swap) -> None:
    rng, column = np.random.default_rng(2), np.arange(21.0)
    stayed = np.bincount([int(np.flatnonzero(swap(column, rng) == column)[0]) for _ in range(DRAWS)], minlength=21)
    expected = DRAWS * 2 / 22  # where every second rank may stay; fewer where each may
    assert stayed.max() < expected + 5 * np.sqrt(expected)
    assert np.count_nonzero(stayed) >= 11
    assert abs(float(stayed @ column) / DRAWS - 10) < 5 * 6.4 / np.sqrt(DRAWS)
