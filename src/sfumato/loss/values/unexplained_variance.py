"""Unexplained variance: how much of each column, of any kind, the masked column no longer tells."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from sfumato.comparison.columns_left import columns_left
from sfumato.contracts import LossMeasure, Measurement, check_records, paired_rows
from sfumato.data import METRIC, Kind, Microdata, Selector
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.parameters import Columns


class UnexplainedVariance(LossMeasure):
    """Average the share of each column's variance that stays unknown to whoever sees the masked column.

    Numbers, categories, classes of numbers and gaps are held against the same yardstick, so that recipes which change
    keys can be compared with recipes which change amounts. The original numbers are explained by a straight line in
    the masked ones, by their mean in each class where they became classes, and by the mean of the gaps where they were
    suppressed. For categories the variance is the chance that two records differ, among all records and among those of
    the same masked category (Goodman and Kruskal's tau); for ordinal ones it is that of their places in the order. The
    parts are the columns.

    Parameters
    ----------
    columns
        Columns of any kind. Of a rule such as `role(key)`, a column that the masked file lacks, or has no value of,
        counts 100.

    Meaning
        0: each column is told by its masked form. 100: the masked columns tell nothing of the original ones. Numbers
        that were all doubled, or categories that were renamed, lose nothing, as it can be undone. Where few records
        share a masked category or class, the figure is too low.
    Missing values
        A value that is missing only in the masked file is told by the mean of such values alone; one that was missing
        in the original is left out. A column whose original values are all the same has nothing to lose and is left
        out of the value; its part is 0. There is no figure per record.
    Source
        Correlation ratio: Pearson (1905), On the general theory of skew correlation and non-linear regression. Tau:
        Goodman and Kruskal (1954), Measures of association for cross classifications. Tau as a share of variance:
        Light and Margolin (1971), An analysis of variance for categorical data.

    Examples
    --------
    >>> age, classes, one = np.array([20.0, 30.0, 60.0, 70.0]), np.array([0, 0, 1, 1]), np.zeros(4, dtype=np.int64)
    >>> round(around_means(age, classes) / around_means(age, one), 3)
    0.059
    """

    symbol: ClassVar[str] = "UV"
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean share of the variance that is unexplained in percent, with the part of each column."""
        left = columns_left(self, original, masked)
        check_records(type(self).__name__, original, masked)
        rows = paired_rows(original, masked)
        order = np.argsort(rows, kind="stable")
        rows, ordered = rows[order], masked.take_rows(order)
        names = original.select(self.columns) if isinstance(self.columns, Selector) else left
        shares = {name: _unexplained(original, ordered if name in left else None, name, rows) for name in names}
        known = [share for share in shares.values() if share is not None]
        value = 100 * float(np.mean(known)) if known else 0.0
        return Measurement(self.name(), self.symbol, value, parts={name: 100 * (shares[name] or 0.0) for name in names})


def around_means(values: FloatColumn, groups: CodeColumn) -> float:
    """Return the sum of squares of some values around the means of their groups."""
    sizes = np.maximum(np.bincount(groups), 1)
    return float(np.sum((values - (np.bincount(groups, values, sizes.size) / sizes)[groups]) ** 2))


def differences(codes: CodeColumn, groups: CodeColumn) -> float:
    """Return the sum over records of the chance that one of the same group has another code.

    Examples
    --------
    >>> differences(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))
    1.0
    """
    width = int(codes.max(initial=0)) + 1
    pairs, counts = np.unique(groups * width + codes, return_counts=True)
    sizes = np.bincount(groups)
    return float(codes.size - np.sum(counts**2 / sizes[pairs // width]))


def around_line(values: FloatColumn, masked: FloatColumn) -> float:
    """Return the sum of squares of some values around the straight line in their masked ones, where none is missing.

    Examples
    --------
    >>> around_line(np.array([1.0, 2.0, 6.0]), np.array([2.0, 4.0, 12.0]))
    0.0
    """
    if not values.size:
        return 0.0
    x, y = values - values.mean(), masked - masked.mean()
    spread = float(y @ y)
    slope = float(x @ y) / spread if spread else 0.0
    return float(np.sum((x - slope * y) ** 2))


def _unexplained(original: Microdata, masked: Microdata | None, name: str, rows: Rows) -> float | None:
    """Return the share of a column that is unexplained; None where there is nothing to explain."""
    if original.schema[name].kind is Kind.NOMINAL:
        codes = original.codes(name)[0][rows]
        is_known = codes >= 0
        groups = np.zeros(codes.size, dtype=np.int64) if masked is None else _groups(masked, name)
        return _share(differences, codes[is_known], groups[is_known])
    values = original.values(name)[rows]
    is_known = ~np.isnan(values)
    values = values[is_known]
    if not values.size or values.min() == values.max():
        return None
    if masked is None or masked.schema[name].kind not in METRIC:
        groups = np.zeros(rows.size, dtype=np.int64) if masked is None else _groups(masked, name)
        return _share(around_means, values, groups[is_known])
    after = masked.values(name)[is_known]
    has_value = ~np.isnan(after)
    gaps = values[~has_value]
    rest = around_line(values[has_value], after[has_value]) + around_means(gaps, np.zeros(gaps.size, dtype=np.int64))
    return min(1.0, rest / around_means(values, np.zeros(values.size, dtype=np.int64)))


def _share(spread: Callable[[Any, CodeColumn], float], column: Any, groups: CodeColumn) -> float | None:
    """Return how much of the spread of a column is left within groups; None where it has none."""
    whole = spread(column, np.zeros(groups.size, dtype=np.int64))
    return min(1.0, spread(column, groups) / whole) if whole else None


def _groups(masked: Microdata, name: str) -> CodeColumn:
    """Return the masked category of each record as a number from 0; gaps are one group."""
    return masked.codes(name)[0] + 1
