"""Iterative proportional fitting, checked against a dense version and against the margins themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.keys.raking import fit_margins
from sfumato.numerics.arrays import Floats


def dense(table: Floats, rounds: int) -> Floats:
    """Fit both margins of a table of ones, in turn."""
    fitted = np.ones_like(table)
    for _ in range(rounds):
        fitted = fitted * (table.sum(axis=1) / fitted.sum(axis=1))[:, None]
        fitted = fitted * (table.sum(axis=0) / fitted.sum(axis=0))[None, :]
    return fitted


def raked(table: Floats, tolerance: float, max_rounds: int) -> tuple[Floats, int, float]:
    rows, columns = table.shape
    places = np.stack([np.repeat(np.arange(rows), columns), rows + np.tile(np.arange(columns), rows)])
    wanted = np.concatenate([table.sum(axis=1), table.sum(axis=0)])
    cells = np.ones(table.size)
    turns, off = fit_margins(
        cells, places.astype(np.int32), wanted, np.array([0, rows, rows + columns]), tolerance, max_rounds
    )
    return cells.reshape(table.shape), turns, off


tables = hnp.arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(1, 5)), elements=st.integers(1, 50))


@given(table=tables)
def test_fits_as_the_dense_version_does(table: Floats) -> None:
    found, turns, off = raked(table, tolerance=1e-9, max_rounds=50)
    assert found == pytest.approx(dense(table, turns))
    assert off <= 1e-9
    assert found == pytest.approx(np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum())


def test_stops_after_the_given_rounds_and_says_how_far_it_is_off() -> None:
    table = np.array([[5.0, 1.0], [2.0, 9.0]])
    _, turns, off = raked(table, tolerance=0.0, max_rounds=1)
    assert turns == 1
    assert off == pytest.approx(9.0)  # the first row's total of two ones against 6, the second's against 11
