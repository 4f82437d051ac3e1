"""Sets of values whose sums lie in a window."""

from itertools import combinations

import numpy as np
import pytest

from sfumato.kernels.linkage.subset_sums import subsets_in_window


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_just_the_sets_with_remainders_in_the_window_are_listed(size: int) -> None:
    values = np.random.default_rng(size).normal(0, 3, 9)
    members, sums = subsets_in_window(values, size, 2.5, -1.0, 0.7, 0.1, 0.2)
    expected = [some for some in combinations(range(9), size) if (2.5 - values[list(some)].sum() - 0.1) % 0.7 <= 0.2]
    assert [tuple(one) for one in members.tolist()] == expected
    np.testing.assert_allclose(sums, values[members].sum(axis=1))


def test_no_set_is_larger_than_all_values_together() -> None:
    members, sums = subsets_in_window(np.ones(2), 3, 0.0, 1.0, 1.0, 0.0, 1.0)
    assert members.shape == (0, 3)
    assert not sums.size
