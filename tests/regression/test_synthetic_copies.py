"""Pooled estimates from copies that our own synthesiser makes have the errors that the rule states."""

import numpy as np

from sfumato.masking import SequentialSynthesis
from tests.regression.simulated_files import REGRESSION, RIGHT_MODELS, SCHEMA, TRUTH, pooled_fit, simulated_file

FILES = 24


def test_with_the_right_model_estimates_lie_around_those_of_the_original_as_the_rule_says() -> None:
    squares = []
    for seed in range(FILES):
        original, pooled = pooled_fit(200, seed, 2, RIGHT_MODELS)
        assert pooled.difference is not None
        apart = pooled.estimates - original.estimates
        squares.append(float(apart @ np.linalg.solve(pooled.difference, apart)) / TRUTH.size)
    # a chi-square variable with 72 degrees of freedom over 72, of deviation .17: give or take three
    assert 0.5 < np.mean(squares) < 1.5


def test_each_copy_of_a_run_has_parameters_of_its_own_where_they_are_drawn() -> None:
    data, copies = simulated_file(200, 1), 20
    errors = np.diag(REGRESSION.fit(data).covariance)
    spread = {}
    for bootstrap in (False, True):
        method = SequentialSynthesis(
            columns=SCHEMA.names, size=4000, releases=copies, models=RIGHT_MODELS, bootstrap=bootstrap
        )
        made = method.mask(data, np.random.default_rng(3))
        fits = [REGRESSION.fit(made.take_rows(rows)).estimates for rows in made.strata(("release",))]
        spread[bootstrap] = float(np.mean(np.var(fits, axis=0, ddof=1) / errors))
    # copies of 20 times as many records differ by a twentieth of the variance of the original, and with parameters that
    # are drawn by that variance more: a chi-square variable with 19 degrees of freedom over 19, of deviation .32
    assert spread[False] < 0.15
    assert 0.4 < spread[True] < 2.2
