"""The slide negative binomial model of a population: each class has one person, and so many more as it draws."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.functions.roots import find_root

PROBABILITIES = np.linspace(-30, 30, 601)  # where solutions are looked for between, as logarithms of b / (1 - b)
LARGEST_SHAPE = 20.0  # of the logarithm, either way
TOLERANCE = 1e-12


def slide_negative_binomial_shapes(ones: float, twos: float, fraction: float) -> list[tuple[float, float]]:
    """Return the shapes a and the logarithms of b / (1 - b) with which so many classes show as one record, and as two.

    A class has 1 + X persons, X negative binomial with shape a and probability b. For each b there is one shape with
    which classes of two records are as many times those of one as they should be, the root of a quadratic equation;
    along these the share of the classes of one record is followed to where it is right.

    Parameters
    ----------
    ones, twos
        The shares of the classes of the population that show as one record in the sample, and as two; above 0.
    fraction
        The share of the population that is in the sample.

    Examples
    --------
    >>> (shape, odds), = slide_negative_binomial_shapes(*expected_small_classes(3.0, 0.5, 0.4), 0.4)
    >>> round(shape, 9), round(odds, 9) + 0.0
    (3.0, 0.0)
    """

    def misfit(odds: FloatColumn) -> FloatColumn:
        shape = _shape(odds, twos / ones, fraction)
        inside = np.abs(np.log(shape)) < LARGEST_SHAPE
        return np.where(inside, _log_share_of_ones(shape, odds, fraction) - np.log(ones), np.nan)

    sign, ends = np.sign(misfit(PROBABILITIES)), PROBABILITIES.tolist()
    found = [
        find_root(lambda odds: float(misfit(np.array(odds))), ends[place], ends[place + 1], TOLERANCE)
        for place in np.flatnonzero((sign[:-1] * sign[1:] < 0) | (sign[:-1] == 0))
    ]
    return [(float(_shape(np.array(odds), twos / ones, fraction)), odds) for odds in found]


def _shape(odds: FloatColumn, ratio: float, fraction: float) -> FloatColumn:
    """Return the shape with which classes of two records are `ratio` times those of one, for each probability.

    With p for the probability that one more person is there and not in the sample, the ratio is
    f (1 - b) / (2 (1 - p)) a (2 - p + a p) / (1 - p + a p), which rises with a.
    """
    rest = 1 / (1 + np.exp(odds))  # 1 - b
    kept = (1 - fraction) * rest
    factor = fraction / 2 * rest / (1 - kept)
    linear = factor * (2 - kept) - ratio * kept
    constant = ratio * (1 - kept)
    root = np.sqrt(linear**2 + 4 * factor * kept * constant)
    with np.errstate(divide="ignore", invalid="ignore"):  # of the two forms of the root the one that loses no digits
        return np.where(linear > 0, 2 * constant / (linear + root), (root - linear) / (2 * factor * kept))


def _log_share_of_ones(shape: FloatColumn, odds: FloatColumn, fraction: float) -> FloatColumn:
    kept = (1 - fraction) / (1 + np.exp(odds))
    scale = shape * (-np.log1p(np.exp(-odds)) - np.log1p(-kept))
    return np.asarray(np.log(fraction) + scale + np.log1p(shape * kept / (1 - kept)))


def expected_small_classes(a: float, b: float, fraction: float) -> tuple[float, float]:
    """Return the probabilities that a class of 1 + X persons shows as one record, and as two, in the sample."""
    kept = (1 - fraction) * (1 - b)
    scale = np.exp(a * (np.log(b) - np.log1p(-kept)))
    one = fraction * scale * (1 + a * kept / (1 - kept))
    two = fraction**2 / 2 * scale * a * (1 - b) / (1 - kept) ** 2 * (2 - (1 - a) * kept)
    return float(one), float(two)
