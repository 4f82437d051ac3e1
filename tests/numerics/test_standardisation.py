"""Columns on one scale."""

import numpy as np
import pytest

from sfumato.numerics.standardisation import standard_deviations, standardise_both, z_scores

NAN = float("nan")


def test_constant_columns_are_left_out_of_standardising() -> None:
    original = np.array([[0.1, 1.0], [0.1, 3.0], [0.1, NAN]])
    before, after = standardise_both(original, np.array([[0.4, 2.0]]))
    assert before.shape == (3, 1)
    assert after.tolist() == [[0.0]]
    assert standard_deviations(original).tolist() == [0.0, np.sqrt(2.0)]


def test_differences_too_small_to_square_count_as_none() -> None:
    original = np.array([[0.0, 1.0], [2e-308, 3.0]])
    assert standard_deviations(original).tolist() == [0.0, np.sqrt(2.0)]
    assert standardise_both(original, original)[0].shape == (2, 1)


def test_z_scores_have_mean_0_and_deviation_1_over_the_observed_values() -> None:
    found = z_scores(np.array([[1.0, 5.0], [3.0, NAN], [8.0, 7.0]]))
    assert np.nanmean(found, axis=0) == pytest.approx([0.0, 0.0])
    assert np.nanstd(found, axis=0) == pytest.approx([1.0, 1.0])
    assert np.isnan(found).tolist() == [[False, False], [False, True], [False, False]]


def test_the_z_scores_of_a_constant_column_are_0_even_when_its_mean_is_rounded() -> None:
    found = z_scores(np.array([[0.1, NAN], [0.1, NAN], [0.1, NAN]]))
    assert found[:, 0].tolist() == [0.0, 0.0, 0.0]
    assert np.isnan(found[:, 1]).all()
