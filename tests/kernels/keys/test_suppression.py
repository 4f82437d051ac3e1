from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.keys.suppression import cheapest_sets

tables = hnp.arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.integers(-1, 2))


def is_shown_by(record: np.ndarray, other: np.ndarray, left_out: tuple[int, ...]) -> bool:
    return all(j in left_out or record[j] == other[j] or record[j] < 0 for j in range(record.size))


def plain_cheapest(records: np.ndarray, copies: np.ndarray, row: int, k: int, costs: list[float]) -> tuple[float, int]:
    """The least cost of columns to leave out, and the most records that show the rest then, by trying all sets."""
    m = records.shape[1]
    found = []
    for count in range(m + 1):
        for left_out in combinations(range(m), count):
            showing = sum(
                int(copies[s]) for s in range(len(records)) if is_shown_by(records[row], records[s], left_out)
            )
            if showing >= k:
                found.append((sum(costs[j] for j in left_out), -showing))
    cost, showing = min(found)
    return cost, -showing


@given(
    records=tables,
    k=st.integers(1, 5),
    weights=st.lists(st.sampled_from([1.0, 1.0, 2.0, 0.5]), min_size=4, max_size=4),
    seed=st.integers(0, 99),
)
def test_sets_are_the_cheapest_by_trying_all(records: np.ndarray, k: int, weights: list[float], seed: int) -> None:
    m = records.shape[1]
    copies = np.random.default_rng(seed).integers(1, 4, len(records))
    if copies.sum() < k:
        return
    costs = np.array([sum(weights[j] for j in range(m) if bits >> j & 1) for bits in range(1 << m)])
    order = np.argsort(costs, kind="stable")
    rows = np.arange(len(records))
    chosen = cheapest_sets(records, copies, rows, k, order, costs[order])
    for row in rows:
        left_out = tuple(j for j in range(m) if chosen[row] >> j & 1)
        showing = sum(int(copies[s]) for s in rows if is_shown_by(records[row], records[s], left_out))
        assert (costs[chosen[row]], showing) == plain_cheapest(records, copies, int(row), k, weights)


def test_all_columns_are_left_out_when_not_even_that_suffices() -> None:
    records = np.array([[0, 0], [1, 1]])
    chosen = cheapest_sets(records, np.array([1, 1]), np.array([0]), 3, np.arange(4), np.array([0.0, 1.0, 1.0, 2.0]))
    assert chosen.tolist() == [3]
