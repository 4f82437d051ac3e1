"""What is learnt from pairs whose truth is known."""

import numpy as np
import pytest
from scipy.special import logsumexp

from sfumato.intruder.learnt.displacements import (
    displacement_table,
    displacements,
    transition_matrix,
    value_displacements,
)
from sfumato.intruder.learnt.learning import POWERS, MaskedFile, best_power, learn, log_densities
from sfumato.intruder.learnt.pairs import Learner, Pairs
from sfumato.intruder.learnt.residuals import REACH, Residuals, normal_score_residuals, residuals, shape_of
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import STANDARD_NORMAL


def original(n: int = 400, d: int = 3, seed: int = 1) -> FloatMatrix:
    return np.random.default_rng(seed).normal(size=(n, d))


def noisy(matrix: FloatMatrix, times: int, scale: float = 0.3, seed: int = 2) -> Pairs:
    rng = np.random.default_rng(seed)
    rows = np.tile(np.arange(len(matrix)), times)
    return Pairs(matrix, rows, matrix[rows] + scale * rng.normal(size=(len(rows), matrix.shape[1])), (True,) * 3)


def test_the_power_is_that_of_the_most_probable_truth() -> None:
    rng = np.random.default_rng(3)
    for scale in (0.1, 0.5, 1.0, 2.0, 9.0):
        places = rng.normal(size=80)
        densities = -scale * (places[:, None] + 0.1 * rng.normal(size=(80, 1)) - places) ** 2 / 0.02
        truth = np.arange(80)
        merits = [(power * densities - logsumexp(power * densities, axis=1, keepdims=True)) for power in POWERS]
        means = [float(merit[truth, truth].mean()) for merit in merits]
        assert best_power(densities, truth) == pytest.approx((POWERS[int(np.argmax(means))], max(means)))


def test_columns_that_move_together_are_learnt_by_their_residuals() -> None:
    matrix, rng = original(), np.random.default_rng(4)
    root = np.array([[1.0, 0.0, 0.0], [0.95, 0.1, 0.0], [0.9, 0.1, 0.1]])
    files = [MaskedFile(np.arange(400), matrix + rng.normal(size=(400, 3)) @ root.T) for _ in range(2)]
    assert learn(matrix, files[:1], files[1], (True,) * 3).learner is not displacements


def test_ranks_that_move_within_a_window_are_learnt_by_their_displacements() -> None:
    ranks, rng = np.random.default_rng(5).random((500, 3)), np.random.default_rng(6)
    moved = [np.exp(np.exp(2 * np.clip(ranks + rng.uniform(-0.1, 0.1, (500, 3)), 0.0, 1.0))) for _ in range(21)]
    files = [MaskedFile(np.arange(500), file) for file in moved]
    learnt = learn(np.exp(np.exp(2 * ranks)), files[1:], files[0], (True,) * 3)
    assert learnt.learner in (displacements, value_displacements)


def test_values_that_move_by_a_part_of_themselves_are_learnt_nearly_as_by_their_logarithms() -> None:
    rng = np.random.default_rng(15)
    matrix = rng.choice([-1.0, 1.0, 1.0], size=(500, 3)) * np.exp(1.5 * rng.normal(size=(500, 3)))
    matrix[:100, 0] = 0.0  # which a factor leaves as it is
    files = [MaskedFile(np.arange(500), matrix * np.exp(0.3 * rng.normal(size=(500, 3)))) for _ in range(3)]
    learnt = learn(matrix, files[1:], files[0], (True,) * 3)
    sizes = [np.log(np.abs(np.where(file == 0.0, 1.0, file))) for file in (files[0].matrix, matrix)]
    exact = -0.5 * ((sizes[0][:, None] - sizes[1][None]) ** 2).sum(axis=2) / 0.3**2
    exact[(np.sign(files[0].matrix)[:, None] != np.sign(matrix)[None]).any(axis=2)] = -1e6
    found = log_densities(learnt.likelihood(files[0].matrix), 500, 500)
    right = [(np.argmax(table, axis=1) == np.arange(500)).mean() for table in (found, exact)]
    assert right[0] > right[1] - 0.04


def test_ranks_that_are_kept_are_found_whatever_becomes_of_the_values() -> None:
    matrix, rng = original(), np.random.default_rng(14)
    order = np.argsort(np.argsort(matrix, axis=0), axis=0)
    files = [
        MaskedFile(np.arange(400), np.take_along_axis(np.sort(rng.normal(size=(400, 3)), axis=0), order, axis=0))
        for _ in range(4)
    ]
    learnt = learn(matrix, files[2:], files[1], (True,) * 3)
    densities = log_densities(learnt.likelihood(files[0].matrix), 400, 400)
    assert (np.argmax(densities, axis=1) == np.arange(400)).mean() > 0.95


def test_what_was_learnt_of_noise_is_near_its_own_likelihood() -> None:
    matrix = original()
    files = [MaskedFile(np.arange(400), noisy(matrix, 1, seed=seed).after) for seed in range(6)]
    learnt, held_out = learn(matrix, files[1:], files[0], (True,) * 3), noisy(matrix, 1, seed=7)
    found = log_densities(learnt.likelihood(held_out.after), 400, 400)
    true = -0.5 * ((held_out.after[:, None] - matrix) ** 2).sum(axis=2) / 0.3**2
    shares = [np.exp(logs - logsumexp(logs, axis=1, keepdims=True)) for logs in (found, true)]
    assert np.abs(shares[0] - shares[1]).sum(axis=1).mean() / 2 < 0.15


def test_what_became_of_a_record_again_and_again_is_expected_of_it() -> None:
    matrix, rows = original(n=300), np.tile(np.arange(300), 20)
    groups = np.random.default_rng(8).normal(size=(100, 3))[np.arange(300) // 3]  # nothing that is linear tells them
    pairs = Pairs(matrix, rows, groups[rows] + 0.1 * np.random.default_rng(9).normal(size=(6000, 3)), (True,) * 3)
    found = Residuals.of(pairs)
    assert np.abs(found.expected - groups).mean() < 0.03
    assert np.diag(found.covariance) == pytest.approx(0.1**2 * (1 + 1 / 19), rel=0.1)


def test_residuals_of_a_single_run_are_about_the_regression() -> None:
    pairs = noisy(original(), times=1)
    found = Residuals.of(pairs)
    predictors = np.column_stack([np.ones(400), pairs.original])
    expected = predictors @ np.linalg.lstsq(predictors, pairs.after, rcond=None)[0]
    assert found.expected == pytest.approx(expected)
    assert found.errors == pytest.approx(pairs.after - expected)


def test_normal_residuals_are_called_normal_and_others_by_their_shape() -> None:
    rng = np.random.default_rng(10)
    assert shape_of(rng.normal(size=5000)) is STANDARD_NORMAL
    draws = rng.choice([-1.0, 1.0], size=5000) * np.sqrt(0.975) + np.sqrt(0.025) * rng.normal(size=5000)
    shape, places = shape_of(draws), np.array([-1.0, 0.0, 1.0]) / REACH
    logs = shape.log_density(np.zeros(3), places)
    assert logs[[0, 2]] == pytest.approx(np.log(0.5 / np.sqrt(2 * np.pi * 0.025)), abs=0.25)
    assert logs[1] < -4.0
    assert np.exp(shape.grid().table).sum() / 20 == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("learner", [residuals, normal_score_residuals])
def test_records_that_lack_values_are_compared_by_the_others(learner: Learner) -> None:
    matrix = original()
    matrix[::3, 1], matrix[::5, 0] = np.nan, np.nan
    pairs, held_out = noisy(matrix, 3, scale=0.01), noisy(matrix, 1, scale=0.01, seed=11)
    densities = log_densities(learner(pairs, np.arange(400), held_out.after), 400, 400)
    for pattern in np.unique(np.isnan(matrix), axis=0):
        alike = np.flatnonzero((np.isnan(matrix) == pattern).all(axis=1))
        best = np.argmax(densities[np.ix_(alike, alike)], axis=1)
        assert (best == np.arange(len(alike))).mean() > 0.85


def test_values_suppressed_on_one_side_alone_leave_the_others_to_tell() -> None:
    matrix = original()
    pairs, held_out = noisy(matrix, 3, scale=0.01), noisy(matrix, 1, scale=0.01, seed=12)
    for file in (pairs, held_out):
        file.after[::4, 2] = np.nan
    densities = log_densities(residuals(pairs, np.arange(400), held_out.after), 400, 400)
    assert (np.argmax(densities, axis=1) == np.arange(400)).mean() > 0.7


def test_tables_of_displacements_are_densities_that_respect_the_window() -> None:
    rng = np.random.default_rng(13)
    before = rng.random(20_000)
    after = np.clip(before + rng.uniform(-0.1, 0.1, 20_000), 0.0, 1.0)
    table = np.exp(displacement_table(before, after))
    assert table.sum(axis=1) == pytest.approx(1.0)
    half = table.shape[1] // 2
    outside = np.abs(np.arange(-half, half + 1)) > 0.2 * half
    assert table[:, outside].sum(axis=1).max() < 1e-3


def test_transitions_that_were_never_seen_are_rare_and_not_impossible() -> None:
    before, after = np.array([0.0, 0.0, 0.0, 1.0, np.nan]), np.array([0.0, 0.0, 1.0, 1.0, 0.0])
    matrix = transition_matrix(before, after, 3)
    assert matrix.sum(axis=1) == pytest.approx(1.0)
    assert matrix.min() > 0.0
    assert matrix[0, 0] > matrix[0, 1] > matrix[0, 2]
