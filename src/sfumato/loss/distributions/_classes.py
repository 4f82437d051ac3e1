"""A column of both files in the same classes: its categories, or quantile classes of the original's numbers."""

from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import CodeColumn, FloatColumn


@dataclass(frozen=True, eq=False)
class Classes:
    """A column of both files as classes 0, 1, ...; the last class is that of the missing values.

    Parameters
    ----------
    original, masked
        The class of each record.
    count
        How many classes there are, empty ones among them.
    """

    original: CodeColumn
    masked: CodeColumn
    count: int

    @property
    def counts(self) -> tuple[FloatColumn, FloatColumn]:
        """How many records of each file are in each class."""
        return count_classes(self.original, self.count), count_classes(self.masked, self.count)


def classes_alike(original: Microdata, masked: Microdata, name: str, classes: int) -> Classes:
    """Return a column of both files in classes; continuous ones in about so many, by quantiles of the original."""
    if original.schema[name].kind is not Kind.CONTINUOUS:
        before, after, categories = common_codes(original, masked, name)
        count = len(categories)
        return Classes(np.where(before < 0, count, before), np.where(after < 0, count, after), count + 1)
    values = original.values(name)
    edges = class_edges(values[~np.isnan(values)], classes)
    return Classes(_number_classes(values, edges), _number_classes(masked.values(name), edges), len(edges) + 2)


def cross_columns(first: Classes, second: Classes) -> Classes:
    """Return the cells of the cross table of two columns as classes; empty ones are left out where most would be."""
    before, after = (
        one * second.count + other for one, other in ((first.original, second.original), (first.masked, second.masked))
    )
    count = first.count * second.count
    if count > before.size + after.size:  # a table of two columns with thousands of categories is nearly empty
        cells, both = np.unique(np.concatenate([before, after]), return_inverse=True)
        before, after, count = both[: before.size], both[before.size :], cells.size
    return Classes(before, after, count)


def class_edges(values: FloatColumn, classes: int) -> FloatColumn:
    """Return the edges between quantile classes; class i holds the numbers from edge i - 1 up to below edge i.

    A value that two quantiles fall on, such as an income of 0 that many have, is a class of its own.

    Examples
    --------
    >>> edges = class_edges(np.array([5.0, 5.0, 5.0, 6.0, 7.0, 8.0]), 4)  # below 5, 5, up to 7, above
    >>> np.searchsorted(edges, np.array([4.0, 5.0, 6.0, 7.0, 8.0]), side="right")
    array([0, 1, 2, 2, 3])
    """
    cuts = np.quantile(values, np.arange(1, classes) / classes, method="inverted_cdf")
    ends, times = np.unique(cuts, return_counts=True)  # each class up to a quantile, the quantile itself included
    return np.union1d(np.nextafter(ends, np.inf), ends[times > 1])


def count_classes(codes: CodeColumn, count: int) -> FloatColumn:
    """Return how many records are in each of the classes 0 .. count - 1."""
    return np.bincount(codes, minlength=count).astype(np.float64)


def hellinger(first: FloatColumn, second: FloatColumn) -> float:
    """Return the Hellinger distance between two distributions, given as counts over the same classes.

    It is 0 for equal shares and 1 where no class holds records of both.

    Examples
    --------
    >>> hellinger(np.array([1.0, 1.0]), np.array([3.0, 3.0])), hellinger(np.array([2.0, 0.0]), np.array([0.0, 5.0]))
    (0.0, 1.0)
    """
    one, other = np.sqrt(first / first.sum()), np.sqrt(second / second.sum())
    return float(np.minimum(np.sqrt(((one - other) ** 2).sum() / 2), 1.0))


def _number_classes(column: FloatColumn, edges: FloatColumn) -> CodeColumn:
    missing = np.isnan(column)
    return np.where(missing, len(edges) + 1, np.searchsorted(edges, column, side="right"))
