"""Links by equal values, checked against plain counting and a dense assignment."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from sfumato.risk.linkage._worst_case.equal_values import equal_value_links, equal_value_share


def plain_weights(original: np.ndarray, masked: np.ndarray) -> np.ndarray:
    """Return the weight of each pair: log(n / f) for each value that both have and f of n originals hold."""
    table = np.zeros((len(masked), len(original)))
    for j in range(original.shape[1]):
        known = [x for x in original[:, j].tolist() if x == x]
        for k, value in enumerate(masked[:, j].tolist()):
            held = known.count(value)
            if 0 < held < len(known):
                table[k] += np.where(original[:, j] == value, log(len(known) / held), 0.0)
    return table


@given(seed=st.integers(0, 10_000), n=st.integers(2, 25), d=st.integers(1, 4))
def test_the_total_weight_is_that_of_the_best_assignment(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    original, masked = (rng.integers(0, 6, size=(n, d)).astype(float) for _ in range(2))
    original[rng.random(original.shape) < 0.1] = np.nan
    masked[rng.random(masked.shape) < 0.1] = np.nan
    links = equal_value_links(original, masked, count=n)
    table = plain_weights(original, masked)
    rows, columns = linear_sum_assignment(table, maximize=True)
    assert links.weights.sum() == pytest.approx(table[rows, columns].sum())
    assert links.weights == pytest.approx(table[links.masked_rows, links.original_rows])
    assert len(set(links.original_rows.tolist())) == len(links)


def test_exchanged_cells_do_not_hide_a_record_that_keeps_two_rare_values() -> None:
    rng = np.random.default_rng(1)
    original = rng.normal(size=(200, 5))
    masked = np.column_stack([rng.permutation(column) for column in original.T])
    masked[:, 2:4] = original[:, 2:4]
    assert equal_value_share(original, masked, np.arange(200), count=20).mean() > 0.9


def test_equal_records_share_their_links() -> None:
    original = np.array([[1.0], [1.0], [2.0], [3.0]])
    assert equal_value_share(original, original, np.arange(4), count=4).tolist() == [0.5, 0.5, 1.0, 1.0]


def test_nothing_in_common_links_nobody() -> None:
    assert equal_value_share(np.ones((3, 1)), np.zeros((3, 1)), np.arange(3), count=2).tolist() == [0.0, 0.0, 0.0]
