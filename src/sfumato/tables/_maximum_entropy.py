"""The distribution of highest entropy over given deviations that has mean 0 and a given variance."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

MOMENT_TOLERANCE = 1e-13  # of the moments, in the unit of the largest deviation
MAX_STEPS = 200
SMALLEST_STEP = 1e-12
SUFFICIENT_DECREASE = 0.25  # of what a step promises that it must keep
ROUNDING = 1e-14  # by which heights near the least one cannot be told apart


def maximum_entropy(deviations: FloatColumn, variance: float) -> FloatColumn:
    """Return the probabilities of deviations with mean 0 and a variance, of highest entropy.

    They are exp(a d + b d^2) up to a factor. The two numbers a and b are where the convex function
    log sum exp(a d + b d^2) - b variance is least; Newton's steps find it, halved while they overshoot.

    Parameters
    ----------
    deviations
        The deviations d; some below or at 0 and some at or above.
    variance
        Strictly between those that `variances_possible` returns.

    Examples
    --------
    >>> maximum_entropy(np.array([-1.0, 0.0, 1.0]), 0.5)
    array([0.25, 0.5 , 0.25])
    """
    unit = float(np.abs(deviations).max())
    scaled = deviations / unit
    features = np.stack([scaled, scaled**2])
    wanted = np.array([0.0, variance / unit**2])
    powers = np.zeros(2)
    for _ in range(MAX_STEPS):
        shares, height = _shares(features, powers, wanted)
        rest = features @ shares - wanted
        if np.abs(rest).max() <= MOMENT_TOLERANCE:
            break
        centred = features - (features @ shares)[:, None]
        step = np.linalg.lstsq((centred * shares) @ centred.T, -rest, rcond=None)[0]
        size, slope = 1.0, float(rest @ step)
        while size > SMALLEST_STEP and _shares(features, powers + size * step, wanted)[1] > (
            height + SUFFICIENT_DECREASE * size * slope + ROUNDING * (1 + abs(height))
        ):
            size /= 2
        powers = powers + size * step
    return _shares(features, powers, wanted)[0]


def variances_possible(deviations: FloatColumn) -> tuple[float, float]:
    """Return the least and the greatest variance that distributions over given deviations with mean 0 can have.

    The greatest is that of the two outermost deviations, the least that of the two next to 0 on either side.

    Examples
    --------
    >>> variances_possible(np.array([-1.0, 2.0, 3.0]))
    (2.0, 3.0)
    """
    below, above = deviations[deviations <= 0].max(), deviations[deviations >= 0].min()
    return float(-below * above) + 0.0, float(-deviations.min() * deviations.max()) + 0.0


def _shares(features: FloatColumn, powers: FloatColumn, wanted: FloatColumn) -> tuple[FloatColumn, float]:
    """Return the distribution of given powers, and the height of the function that is to be least."""
    exponents = powers @ features
    top = float(exponents.max())
    weights = np.exp(exponents - top)
    total = float(weights.sum())
    return weights / total, top + float(np.log(total)) - float(powers @ wanted)
