"""Scales on which values are moved about equally far, and what is learnt there."""

import numpy as np

from sfumato.intruder.learnt.displacements import value_displacements
from sfumato.intruder.learnt.learning import MaskedFile, learn, log_densities
from sfumato.intruder.learnt.residuals import residuals
from sfumato.intruder.learnt.stabilised_values import stabilised, stabilising_scale


def test_movements_are_equally_far_on_the_scale_that_is_found() -> None:
    rng = np.random.default_rng(1)
    values = rng.lognormal(2.0, 2.0, 20_000)
    after = values * (1 + 0.1 * rng.normal(size=20_000)) + 2.0 * rng.normal(size=20_000)
    scale = stabilising_scale(values, after)
    moved = stabilised(after, scale) - stabilised(values, scale)
    small, large = (moved[rows] for rows in (values < 2, values > 200))
    np.testing.assert_allclose([small.std(), large.std()], 1.0, rtol=0.1)


def test_movements_that_do_not_depend_on_the_value_need_no_other_scale() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=5000)
    assert stabilising_scale(values, values + 0.3 * rng.normal(size=5000)) is None
    assert stabilising_scale(values, values) is None
    assert stabilising_scale(np.full(3, np.nan), np.ones(3)) is None


def test_noise_in_proportion_before_other_noise_is_learnt_nearly_as_it_is() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.lognormal(3.0, 1.5, (250, 2))
    truth = np.arange(250)
    files = [
        MaskedFile(truth, matrix * np.exp(0.1 * rng.normal(size=(250, 2))) + 2.0 * rng.normal(size=(250, 2)))
        for _ in range(26)
    ]
    learnt = learn(matrix, files[2:], files[1], (True, True))
    assert learnt.learner in (value_displacements, residuals)
    found = log_densities(learnt.likelihood(files[0].matrix), 250, 250)
    factors = np.exp(0.1 * np.linspace(-4, 4, 81))
    weights = np.exp(-0.5 * np.linspace(-4, 4, 81) ** 2)
    exact = np.zeros((250, 250))
    for c in range(2):
        total = np.zeros((250, 250))
        for factor, weight in zip(factors, weights, strict=True):
            spread = np.hypot(2.0, 0.006 * matrix[None, :, c])  # between two factors
            gaps = (files[0].matrix[:, c, None] - factor * matrix[None, :, c]) / spread
            total += weight * np.exp(-0.5 * gaps**2) / spread
        exact += np.log(total + 1e-300)
    linked = [float((table.argmax(axis=1) == truth).mean()) for table in (found, exact)]
    assert linked[0] > linked[1] - 0.03
