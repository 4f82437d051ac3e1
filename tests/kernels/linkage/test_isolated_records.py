"""How many records satisfy a query, against a plain comparison of all."""

import numpy as np
import pytest

from sfumato.kernels.linkage.isolated_records import RecordIndex, matching_records


@pytest.mark.parametrize("most", [2, 1000])
def test_counts_are_those_of_a_plain_comparison(most: int) -> None:
    rng = np.random.default_rng(1)
    records = rng.integers(-2, 12, (200, 4))
    columns = np.array([rng.permutation(4)[:2] for _ in range(150)])
    low = rng.integers(-2, 12, (150, 2)).astype(np.float64)
    high = low + rng.integers(0, 5, (150, 2))
    counts, rows = matching_records(RecordIndex.of(records), columns, low, high, most)
    for query in range(150):
        asked = records[:, columns[query]]
        fits = np.flatnonzero(((low[query] <= asked) & (asked <= high[query])).all(axis=1))
        assert counts[query] == min(fits.size, most)
        assert rows[query] in fits if fits.size else rows[query] == -1
