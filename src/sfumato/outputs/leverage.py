"""What the predictors of a model tell of few records: their weight in their own fitted values."""

from functools import cached_property

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix

NEARLY_ALL = 0.95  # of the weight of a group in its own mean: the predictors tell the group from all others
FLAT = 1e-10  # of the largest singular value: a direction that has less adds nothing


def dummies_of(predictors: FloatMatrix) -> dict[int, Booleans]:
    """Return the predictors that stand for a category, and which records have it: those with two values.

    Examples
    --------
    >>> {place: has_it.tolist() for place, has_it in dummies_of(np.array([[1.0, 3.0, 5.0], [1.0, 7.0, 6.0]])).items()}
    {1: [False, True], 2: [False, True]}
    """
    lowest, highest = predictors.min(axis=0), predictors.max(axis=0)
    has_two = (lowest < highest) & ((predictors == lowest) | (predictors == highest)).all(axis=0)
    return {place: predictors[:, place] == highest[place] for place in np.flatnonzero(has_two).tolist()}


class Leverage:
    """The hat matrix of a model, which turns responses into fitted values.

    Parameters
    ----------
    predictors
        The predictors, a row for each record.
    """

    def __init__(self, predictors: FloatMatrix) -> None:
        u, sizes, _ = np.linalg.svd(predictors, full_matrices=False)
        self._basis = u[:, sizes > sizes.max(initial=0.0) * FLAT]

    @cached_property
    def of_records(self) -> FloatColumn:
        """The weight of each record in its own fitted value."""
        return np.asarray((self._basis**2).sum(axis=1))

    @property
    def largest(self) -> float:
        """The largest of them."""
        return float(self.of_records.max(initial=0.0))

    def singles_out(self, min_units: int) -> bool:
        """Tell whether the predictors single out a group of fewer than so many records, as a category of it would.

        The mean response of such a group is told by the coefficients. A record of a group of k has a weight of at least
        1 / k, and the records that weigh most in its fitted value are the group; of a group that a category stands for,
        these weights are all there is.
        """
        most = min_units - 1
        candidates = np.flatnonzero(self.of_records >= NEARLY_ALL / most)
        return any(self._group_weight(record, most) >= NEARLY_ALL for record in candidates.tolist())

    def _group_weight(self, record: int, most: int) -> float:
        """Return the largest weight in their own mean that a record and those nearest to it have, up to so many."""
        nearest = np.argsort(-np.abs(self._basis @ self._basis[record]), kind="stable")[:most]
        added = np.cumsum(self._basis[nearest], axis=0)
        return float(((added**2).sum(axis=1) / np.arange(1, nearest.size + 1)).max())
