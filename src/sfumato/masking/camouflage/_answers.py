"""Answers about a camouflaged column: the least and the most that a query can be over the hull that hides it."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sfumato.errors import DataError
from sfumato.masking.camouflage._hull_optimisation import (
    highest_median,
    highest_minimum,
    highest_slope,
    smallest_variance,
)
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows

ROUNDING = (
    1e-9  # by which part of their size answers found by optimisation are widened, so that they hold the exact one
)


class Interval(NamedTuple):
    """The lowest and the highest answer that the hull allows; the exact one lies between them."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class CamouflagedAnswers:
    """Answers queries about a column by intervals that hold the exact answer.

    Parameters
    ----------
    column
        The name of the column.
    vectors
        The vectors whose convex hull hides it (vectors x records), NaN where the column has no value; confidential.

    Notes
    -----
    Every answer is the least and the most that the query is over the hull, and so a function of the hull alone: however
    many are asked for, every vector of the hull stays possible. A linear query, and the outer end of one that is convex
    or concave, is found at vectors that span the hull; the inner end of these by a linear programme (smallest and
    largest value) or as the point of the hull nearest to a given one (variance, slope); a median by branch and bound.

    One vector exceeds the column in every record and one falls below it in every record; sums, means, smallest and
    largest values and medians therefore lie strictly inside their intervals, and the width is above 0. Those of
    variances, regressions and weights of both signs hold the exact answer, but nothing forbids that they are narrow.
    """

    column: str
    vectors: FloatMatrix = field(repr=False)

    def linear(self, weights: FloatColumn) -> Interval:
        """Return the interval of a weighted sum, one weight per record; records of weight 0 need no value."""
        weights = np.asarray(weights)
        if weights.shape != self.vectors.shape[1:] or not np.isfinite(weights).all():
            raise DataError(
                f"there must be one weight, a number, for each of the {self.vectors.shape[1]} records; "
                f"got an array of shape {weights.shape}"
            )
        asked = weights != 0
        self._check(asked)
        totals = np.einsum("kn,n->k", self.vectors[:, asked], weights[asked])
        return Interval(float(totals.min()), float(totals.max()))

    def sum(self, rows: Rows) -> Interval:
        """Return the interval of the sum over a set of records, given by their rows."""
        weights = np.zeros(self.vectors.shape[1])
        weights[self._rows(rows)] = 1.0
        return self.linear(weights)

    def mean(self, rows: Rows) -> Interval:
        """Return the interval of the mean over a set of records, given by their rows."""
        low, high = self.sum(rows)
        count = self._rows(rows).size
        return Interval(low / count, high / count)

    def minimum(self, rows: Rows) -> Interval:
        """Return the interval of the smallest value of a set of records."""
        middle, apart = _centre(self._vectors(rows))
        return _move(float(apart.min()), highest_minimum(apart), middle, float(np.abs(apart).max()))

    def maximum(self, rows: Rows) -> Interval:
        """Return the interval of the largest value of a set of records."""
        middle, apart = _centre(self._vectors(rows))
        return _move(-highest_minimum(-apart), float(apart.max()), middle, float(np.abs(apart).max()))

    def median(self, rows: Rows) -> Interval:
        """Return the interval of the median of a set of records: the mean of the two in the middle of an even number.

        Of hulls of many vectors, where the search for its ends is given up, it is wider than the hull makes it.
        """
        middle, apart = _centre(self._vectors(rows))
        return _move(-highest_median(-apart), highest_median(apart), middle, float(np.abs(apart).max()))

    def variance(self, rows: Rows) -> Interval:
        """Return the interval of the variance (divisor n - 1) of a set of at least 2 records."""
        vectors = self._vectors(rows, at_least=2)
        centred = vectors - vectors.mean(axis=1, keepdims=True)
        largest = float((centred**2).sum(axis=1).max())
        low, high = (total / (vectors.shape[1] - 1) for total in (smallest_variance(centred), largest))
        return Interval(max(_widen(low, high, high).low, 0.0), _widen(low, high, high).high)

    def regression(self, explanatory: FloatMatrix, rows: Rows) -> tuple[Interval, ...]:
        """Return the intervals of the coefficients of a least squares regression of the column on others.

        Parameters
        ----------
        explanatory
            The values of other columns, which are not confidential (records x columns, or one column as it is), of all
            records of the file.
        rows
            The records that are asked about.

        Returns
        -------
        The interval of the intercept, then those of the columns.
        """
        explanatory = np.asarray(explanatory, dtype=np.float64)
        explanatory = explanatory[:, None] if explanatory.ndim == 1 else explanatory
        vectors, chosen = self._vectors(rows, at_least=explanatory.shape[1] + 1), self._rows(rows)
        design = np.column_stack([np.ones(chosen.size), self._known(explanatory)[chosen]])
        if np.linalg.matrix_rank(design) < design.shape[1]:
            raise DataError(
                f"a regression of '{self.column}' needs explanatory columns that vary and do not determine each other "
                f"in the records that are asked about"
            )
        found = np.linalg.lstsq(design, vectors.T, rcond=None)[0]
        return tuple(_widen(float(one.min()), float(one.max()), float(np.abs(one).max())) for one in found)

    def slope(self, response: FloatColumn, rows: Rows) -> Interval:
        """Return the interval of the slope of a least squares regression of another column on this one.

        Parameters
        ----------
        response
            The values of the other column, which is not confidential, of all records of the file.
        rows
            The records that are asked about.
        """
        vectors, chosen = self._vectors(rows, at_least=2), self._rows(rows)
        centred = vectors - vectors.mean(axis=1, keepdims=True)
        known = self._known(np.asarray(response, dtype=np.float64).reshape(-1, 1))[chosen, 0]
        known = known - known.mean()
        if smallest_variance(centred) <= ROUNDING * float((centred**2).sum(axis=1).max()):
            raise DataError(
                f"the slope on '{self.column}' can be anything, as its values may all be equal; ask about more records"
            )
        low, high = -highest_slope(centred, -known), highest_slope(centred, known)
        return _widen(low, high, max(abs(low), abs(high)))

    def _rows(self, rows: Rows) -> Rows:
        """Return the numbers of some records, each once; a record may be told by its row, or by true in its place."""
        n, asked = self.vectors.shape[1], np.asarray(rows)
        if asked.dtype == np.bool_ and asked.shape == (n,):
            return np.flatnonzero(asked)
        is_rows = asked.ndim == 1 and (asked.dtype.kind in "iu" or not asked.size)
        if not is_rows or (asked.size and not 0 <= asked.min() <= asked.max() < n):
            raise DataError(
                f"a query about '{self.column}' must give rows from 0 to {n - 1} as a list of whole numbers, or true "
                f"or false for each of the {n} records"
            )
        return np.unique(asked.astype(np.int64))

    def _vectors(self, rows: Rows, at_least: int = 1) -> FloatMatrix:
        """Return the vectors in some records, each once."""
        chosen = self._rows(rows)
        asked = np.zeros(self.vectors.shape[1], dtype=bool)
        asked[chosen] = True
        self._check(asked)
        if chosen.size < at_least:
            raise DataError(
                f"this query about '{self.column}' must be about at least {at_least} records; got {chosen.size}"
            )
        return np.asarray(self.vectors[:, chosen], dtype=np.float64)

    def _known(self, columns: FloatMatrix) -> FloatMatrix:
        """Return other columns, after checking that there is a value for each record."""
        if len(columns) != self.vectors.shape[1] or not np.isfinite(columns).all():
            raise DataError(
                f"a regression with '{self.column}' needs a number for each of the {self.vectors.shape[1]} records in "
                f"the other columns"
            )
        return columns

    def _check(self, asked: Booleans) -> None:
        if not asked.any():
            raise DataError(f"a query about '{self.column}' must be about at least one record; got none")
        lacking = int(np.count_nonzero(np.isnan(self.vectors[0, asked])))
        if lacking:
            raise DataError(
                f"a query about '{self.column}' must be about records that have a value; {lacking} of them have none"
            )


def _centre(vectors: FloatMatrix) -> tuple[float, FloatMatrix]:
    """Return the middle of all values, and the vectors from there: what is found is exact to a part of their spread."""
    middle = float(np.median(vectors))
    return middle, vectors - middle


def _move(low: float, high: float, middle: float, spread: float) -> Interval:
    """Return the interval of what was found from the middle on, widened, also by what this addition rounds off."""
    found = _widen(low, high, spread)
    last_digits = 4 * float(np.spacing(abs(middle) + spread))
    return Interval(found.low + middle - last_digits, found.high + middle + last_digits)


def _widen(low: float, high: float, size: float) -> Interval:
    """Return an interval, wider by what optimisation may have rounded off."""
    return Interval(low - ROUNDING * size, high + ROUNDING * size)
