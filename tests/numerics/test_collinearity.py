"""Predictors that depend on each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numerics.collinearity import independent_columns


@given(st.integers(0, 10**6))
def test_keeps_as_many_predictors_as_the_rank_and_those_give_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(40, 4))
    mixed = np.column_stack([base, base @ rng.integers(-2, 3, size=(4, 3)), np.zeros(40)])[:, rng.permutation(8)]
    kept = independent_columns(mixed.T @ mixed)
    assert len(kept) == np.linalg.matrix_rank(mixed) == 4
    solution = np.linalg.lstsq(mixed[:, kept], mixed, rcond=None)[0]
    assert np.abs(mixed[:, kept] @ solution - mixed).max() < 1e-6


def test_of_dependent_predictors_the_last_is_left_out_whatever_the_units() -> None:
    parts = np.random.default_rng(0).normal(size=(50, 2)) * [1e-6, 1e6]
    table = np.column_stack([parts, parts @ [1e12, 1.0]])
    assert independent_columns(table.T @ table) == [0, 1]
