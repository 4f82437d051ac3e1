"""Many fits at once leave as much open as each by itself."""

import numpy as np

from sfumato.keys.pairs._trimmed_fits import central_width, open_widths, trimmed_fit


def test_many_pairs_at_once_leave_as_much_open_as_each_fit_by_itself() -> None:
    rng = np.random.default_rng(0)
    columns = np.array([rng.lognormal(5, 1, 120) if place % 2 else rng.integers(0, 9, 120) for place in range(8)])
    columns[3], columns[4] = 2 * columns[5] + 1, 7.0  # one column twice, and one of a single value
    pairs = np.array([(one, other) for one in range(8) for other in range(one + 1, 8)])
    for target in (2 * columns[0] + columns[1], columns[1] * columns[0], rng.normal(size=120)):
        by_itself = [central_width(trimmed_fit(columns[pair].T, target).rest) for pair in pairs]
        np.testing.assert_allclose(open_widths(target, columns, pairs), by_itself, rtol=1e-9, atol=1e-9)


def test_a_constant_adds_nothing_however_large_it_is() -> None:
    column = np.random.default_rng(0).normal(size=60)
    for constant in (0.1, 5.0, 1e200):
        fit = trimmed_fit(np.column_stack([column, np.full(60, constant)]), 3 * column + 2)
        assert np.allclose(fit.factors, [3, 0])
        assert np.allclose(fit.rest, 0)
