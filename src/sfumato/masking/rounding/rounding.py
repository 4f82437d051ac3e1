"""Rounding: each value becomes the nearest of a set of points."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod, Spans
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns

HALFWAY = 1e-6  # of the distance of two points, by which arithmetic may miss them


class Rounding(MaskingMethod):
    """Replace each value by the nearest multiple of a base, or the nearest of given points.

    Parameters
    ----------
    columns
        Continuous columns; each value is rounded on its own. Integer columns take only points that are integers as
        such.
    base
        The distance between the points, which are all its multiples, 0 included. Give this or `points`.
    points
        The points themselves, rising. With b, 2b, ..., rb they are the rounding set of the source: everything below
        1.5 b becomes b, and everything above becomes at most rb.

    Effect on risk
        Hides differences smaller than the distance of the points; the highest and lowest values stay recognisable
        unless the points end before them.
    Effect on utility
        No value moves further than half the distance of the points around it. Means and covariances change little while
        that distance is small beside the standard deviation.
    Missing values
        Stay missing.
    Source
        Willenborg and De Waal (2001), Elements of Statistical Disclosure Control; sets of attraction as in
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, Example 4. A
        value halfway between two points goes to the higher.

    Examples
    --------
    >>> nearest_points(np.array([12.0, 15.0, 94.0, 7.0]), np.array([10.0, 20.0, 30.0]))
    array([10., 20., 30., 10.])
    """

    family: ClassVar[str] = "rounding"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    base: Annotated[float, Field(gt=0)] | None = None
    points: tuple[float, ...] = ()

    @model_validator(mode="after")
    def _check_points(self) -> Self:
        if (self.base is None) == (not self.points):
            raise ValueError(
                "Rounding needs either base or points; got " + ("neither" if self.base is None else "both")
            )
        if any(high <= low for low, high in zip(self.points, self.points[1:], strict=False)):
            raise ValueError("Rounding.points must rise; sort them and name each once")
        return self

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with rounded columns."""
        return block.map_columns(self.columns, lambda _, column: self._round(column))

    def values_before(self, masked: Microdata, name: str, after: Spans) -> Spans:
        """Return the bounds of all values that become one of the points in the span."""
        if self.base is not None:
            first, last = np.ceil(after.low / self.base - HALFWAY), np.floor(after.high / self.base + HALFWAY)
            return Spans((first - 0.5) * self.base, (last + 0.5) * self.base)
        return spans_of_points(after, np.array(self.points))

    def _round(self, column: FloatColumn) -> FloatColumn:
        return (
            nearest_points(column, np.array(self.points)) if self.base is None else nearest_multiples(column, self.base)
        )


def nearest_multiples(column: FloatColumn, base: float) -> FloatColumn:
    """Return each value as the nearest multiple of `base`, halfway values as the higher.

    Of a base such as 0.01, of which a whole number makes one, multiples come out as they are written: 0.07.

    Examples
    --------
    >>> nearest_multiples(np.array([0.0691, 12.5, -3.0]), 0.01).tolist()
    [0.07, 12.5, -3.0]
    """
    parts = round(1 / base) if base < 1 else 0
    multiples = np.floor(column / base + 0.5)
    return np.asarray(multiples / parts if parts and 1 / parts == base else multiples * base, dtype=np.float64)


def nearest_points(column: FloatColumn, points: FloatColumn) -> FloatColumn:
    """Return each value as the nearest of the rising `points`, halfway values as the higher."""
    middles = (points[1:] + points[:-1]) / 2
    return np.asarray(points[np.searchsorted(middles, column, side="right")], dtype=np.float64)


def spans_of_points(after: Spans, points: FloatColumn) -> Spans:
    """Return the bounds of all values whose nearest of the rising `points` lies in the span.

    Examples
    --------
    >>> spans_of_points(Spans(np.array([10.0, 20.0]), np.array([10.0, np.inf])), np.array([10.0, 20.0, 30.0]))
    Spans(low=array([-inf,  15.]), high=array([15., inf]))
    """
    bounds = np.concatenate([[-np.inf], (points[1:] + points[:-1]) / 2, [np.inf]])
    away = HALFWAY * np.diff(points).min(initial=1.0)
    first = np.minimum(np.searchsorted(points, after.low - away), len(points) - 1)
    last = np.maximum(np.searchsorted(points, after.high + away, side="right") - 1, 0)
    is_known = ~np.isnan(after.low)
    return Spans(np.where(is_known, bounds[first], np.nan), np.where(is_known, bounds[last + 1], np.nan))
