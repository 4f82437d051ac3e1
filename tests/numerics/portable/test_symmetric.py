"""Symmetric matrices are taken apart as by a library, but to the same bits on every kind of processor."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numerics.portable.symmetric import (
    cholesky,
    eigen,
    independent_columns,
    multiply,
    solve_lower,
    symmetric_inverse,
)
from tests.numerics.portable.processors import digests, older_processor


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_eigenvalues_and_roots_are_those_of_a_library(size: int) -> None:
    records = np.random.default_rng(size).normal(size=(40, size))
    matrix = np.einsum("ni,nj->ij", records, records)
    values, vectors = eigen(matrix)
    assert values == pytest.approx(np.linalg.eigvalsh(matrix))
    assert vectors.T @ vectors == pytest.approx(np.eye(size), abs=1e-12)
    assert multiply(vectors * values, vectors.T) == pytest.approx(matrix)
    assert cholesky(matrix) == pytest.approx(np.linalg.cholesky(matrix))
    assert solve_lower(cholesky(matrix), matrix) == pytest.approx(cholesky(matrix).T)


def test_several_matrices_are_inverted_at_once_with_what_is_negligible_left_out() -> None:
    halves = np.random.default_rng(2).normal(size=(4, 5, 3))
    matrices = np.concatenate([halves @ halves.transpose(0, 2, 1), np.zeros((1, 5, 5))])
    wanted = np.linalg.pinv(matrices, rcond=1e-9, hermitian=True)
    assert symmetric_inverse(matrices, 1e-9) == pytest.approx(wanted, abs=1e-9)


def test_masked_values_are_the_same_on_an_older_processor() -> None:
    command = [sys.executable, "-m", "tests.numerics.portable.processors"]
    older = subprocess.run(command, env=older_processor(), capture_output=True, text=True, check=True)
    assert older.stdout.split("\n") == digests()


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
