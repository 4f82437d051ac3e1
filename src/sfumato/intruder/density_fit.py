"""Whether a density fits two files: true pairs are about as likely as those that the recipe brings about."""

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.numerics.arrays import FloatColumn, Rows

STANDARD_ERRORS = 6.0


def true_log_densities(likelihood: Likelihood, rows: Rows) -> FloatColumn:
    """Return the log density of each masked record given the original that it came from."""
    total = np.zeros(len(rows))
    for one in likelihood:
        total += one.density.log_density(one.before[rows], one.after)
    return total


def are_alike(found: FloatColumn, expected: FloatColumn) -> bool:
    """Tell whether log densities are about those that the recipe itself brings about."""
    gap = abs(expected.mean() - found.mean())
    error = np.sqrt(expected.var() / len(expected) + found.var() / len(found))
    return bool(gap <= max(STANDARD_ERRORS * error, 0.1))
