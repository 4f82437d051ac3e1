"""Logistic regression, checked against closed forms and a general optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from sfumato.loss.distributions._logistic import LogisticFit, logistic_fit
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.row_blocks import BLOCK


def fitted(predictors: FloatMatrix, asked: np.ndarray) -> LogisticFit:
    table = np.column_stack([np.ones(len(asked)), predictors])
    return logistic_fit(lambda rows: table[rows], asked.astype(float))


def example(n: int, seed: int = 0) -> tuple[FloatMatrix, np.ndarray]:
    rng = np.random.default_rng(seed)
    predictors = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) + rng.exponential(size=(n, 1))
    return predictors, rng.random(n) < expit(predictors @ [1.0, -2.0, 0.5] - 1)


def test_equals_a_general_optimiser() -> None:
    predictors, asked = example(300)
    table = np.column_stack([np.ones(300), predictors])

    def loss(coefficients: np.ndarray) -> float:
        logits = table @ coefficients
        return float(np.logaddexp(0, logits).sum() - logits[asked].sum())

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-6}).x
    assert fitted(predictors, asked).chances == pytest.approx(expit(table @ best), abs=1e-6)


def test_its_residuals_are_orthogonal_to_the_predictors_over_several_blocks() -> None:
    predictors, asked = example(2 * BLOCK + 77)
    left = asked - fitted(predictors, asked).chances
    assert np.abs(left @ predictors).max() / len(asked) < 1e-6
    assert abs(left.mean()) < 1e-6


def test_the_chances_of_an_indicator_are_the_shares_of_its_groups() -> None:
    group = np.repeat([0.0, 1.0], [30, 70])
    asked = np.concatenate([np.arange(30) < 6, np.arange(70) < 49])
    found = fitted(group[:, None], asked)
    assert found.chances == pytest.approx(np.repeat([0.2, 0.7], [30, 70]))
    assert found.coefficients == 2


def test_predictors_that_others_give_change_nothing() -> None:
    predictors, asked = example(200)
    wider = np.column_stack([predictors, predictors.sum(axis=1), np.ones(200)])
    found = fitted(wider, asked)
    assert found.coefficients == 4
    assert found.chances == pytest.approx(fitted(predictors, asked).chances, abs=1e-9)


def test_units_do_not_matter() -> None:
    predictors, asked = example(200)
    found = fitted(predictors * [1e6, 1e-6, 1.0], asked).chances
    assert found == pytest.approx(fitted(predictors, asked).chances, abs=1e-7)


def test_records_told_apart_completely_have_chances_of_zero_and_one() -> None:
    x = np.concatenate([np.linspace(-2, -1, 50), np.linspace(1, 2, 50)])
    asked = x > 0
    assert fitted(x[:, None], asked).chances == pytest.approx(asked.astype(float), abs=1e-6)


def test_some_records_told_apart_leave_the_others_as_they_are() -> None:
    predictors, asked = example(200)
    only = np.concatenate([np.ones(10), np.zeros(200)])  # ten records that only one side has
    wider = np.column_stack([np.vstack([np.zeros((10, 3)), predictors]), only])
    found = fitted(wider, np.concatenate([np.ones(10, dtype=bool), asked]))
    assert found.chances[:10] == pytest.approx(np.ones(10), abs=1e-6)
    assert found.chances[10:] == pytest.approx(fitted(predictors, asked).chances, abs=1e-5)
