"""Which relations of columns are kept: correlations of values whose tails are cut, so that their errors are known.

The error of a covariance, or of a plain correlation, rests on fourth moments, which a sample with heavy tails hardly
knows: of pairs of lognormal samples up to 25 % have plain correlations more than two of their standard errors of a
difference apart, and up to 10 % more than four. With 2.5 % of the values cut at either end it is 5 to 10 % and hardly
any. Rank correlations have no tails either, but noise that is small beside the column mixes the ranks of its many small
values.
"""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix

CUT = 0.025  # of the records, at either end of the original
FEWEST = 4  # records from which on a correlation has an error
ALMOST_ONE = 1 - 1e-12  # Fisher's z of 1 is no number
ROUNDING = 1e-9


class Relation(NamedTuple):
    """The correlation of two columns.

    Parameters
    ----------
    z
        Fisher's z of it, the inverse hyperbolic tangent.
    parts
        What each record adds to it, 0 on average: its influence.
    """

    z: float
    parts: FloatColumn

    @property
    def error(self) -> float:
        """The standard error of z."""
        return float(np.sqrt(np.mean(self.parts**2) / self.parts.size))


class MovedRelations(NamedTuple):
    """How far the correlations of some records moved.

    Parameters
    ----------
    by_errors
        In standard errors (columns x columns), infinite where one is gone; NaN where it could not be computed before,
        and on and below the diagonal.
    if_lost
        How far each would move if it became 0.
    """

    by_errors: FloatMatrix
    if_lost: FloatMatrix


def relation(pairs: FloatMatrix, bounds: FloatMatrix) -> Relation | None:
    """Return the correlation of two columns without gaps, with values beyond bounds taken as these.

    With u and v the columns in standard deviations from their means and r their correlation, a record adds
    (u v - r (u^2 + v^2) / 2) / (1 - r^2) to Fisher's z. There is no correlation where a column is constant or records
    are few.

    Parameters
    ----------
    pairs
        The values (records x 2).
    bounds
        The lowest and the highest value of each column (2 x 2).

    Examples
    --------
    >>> found = relation(np.array([[1.0, 1], [2, 3], [3, 2], [90, 4]]), np.array([[1.0, 1], [4, 4]]))
    >>> round(float(np.tanh(found.z)), 12)
    0.8
    """
    cut = np.clip(pairs, bounds[0], bounds[1])
    if len(cut) < FEWEST or not (np.ptp(cut, axis=0) > 0).all():
        return None
    u, v = ((cut - cut.mean(axis=0)) / cut.std(axis=0)).T
    r = float(np.clip(np.mean(u * v), -ALMOST_ONE, ALMOST_ONE))
    return Relation(float(np.arctanh(r)), np.asarray((u * v - r * (u**2 + v**2) / 2) / (1 - r**2), dtype=np.float64))


def relations(matrix: FloatMatrix) -> list[tuple[int, int, Relation]]:
    """Return the correlation of each two columns that have one, their own tails cut (records x columns)."""
    d = matrix.shape[1]
    pairs = [(one, other) for one in range(d) for other in range(one + 1, d)]
    known = [(one, other, _known(matrix, one, other)) for one, other in pairs]
    found = [(one, other, relation(values, _bounds(values))) for one, other, values in known]
    return [(one, other, there) for one, other, there in found if there is not None]


def moved_relations(before: FloatMatrix, after: FloatMatrix) -> MovedRelations:
    """Return how far the correlations of each two columns moved, each over the records that have both values.

    Both files are cut where the original has 2.5 % of its values below and above.
    """
    d = before.shape[1]
    moved, lost = np.full((d, d), np.nan), np.full((d, d), np.nan)
    for one, other, old in relations(before):
        new = relation(_known(after, one, other), _bounds(_known(before, one, other)))
        moved[one, other] = np.inf if new is None else _errors_apart(new.z, old)
        lost[one, other] = _errors_apart(0.0, old)
    return MovedRelations(moved, lost)


def _errors_apart(z: float, old: Relation) -> float:
    apart = abs(z - old.z)
    if apart <= ROUNDING * abs(old.z):
        return 0.0
    return apart / old.error if old.error > 0 else np.inf


def _bounds(pairs: FloatMatrix) -> FloatMatrix:
    """Return the values below and above which the tails lie (2 x columns)."""
    if not len(pairs):
        return np.zeros((2, 2))
    return np.asarray(np.quantile(pairs, [CUT, 1 - CUT], axis=0), dtype=np.float64)


def _known(matrix: FloatMatrix, one: int, other: int) -> FloatMatrix:
    """Return two columns in the records that have both."""
    pairs = matrix[:, [one, other]]
    return np.asarray(pairs[~np.isnan(pairs).any(axis=1)], dtype=np.float64)
