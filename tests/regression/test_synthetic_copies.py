"""Pooled estimates from copies that our own synthesiser makes have the errors that the rule states."""

import numpy as np

from tests.regression.simulated_files import RIGHT_MODELS, TRUTH, pooled_fit

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
