"""How often each value of a confidential column occurs among records with the same keys."""

from dataclasses import dataclass

import numpy as np

from sfumato.kernels.keys.counting import classes_of, matching_sums
from sfumato.keys.classes import MissingKeys
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn

AT_ONCE = 32  # values that are counted at a time where keys are wildcards


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """How often each value of a confidential column occurs in each class, and in the file.

    Parameters
    ----------
    numbers
        The class of each record.
    total
        How many classes there are.
    classes, values, counts
        A class, a value that occurs in it, and how often; only what occurs.
    file_shares
        The share of each value of the column among all records that have one.
    """

    numbers: CodeColumn
    total: int
    classes: CodeColumn
    values: CodeColumn
    counts: FloatColumn
    file_shares: FloatColumn

    @property
    def shares(self) -> FloatColumn:
        """The share that each value has among the known ones of its class."""
        return self.counts / self.sum_by_class(self.counts)[self.classes]

    def sum_by_class(self, amounts: FloatColumn) -> FloatColumn:
        """Return the sum over the values of each class; NaN for a class that shows no value."""
        sums = np.bincount(self.classes, weights=amounts, minlength=self.total)
        return np.where(np.bincount(self.classes, minlength=self.total) > 0, sums, np.nan)

    def largest(self, amounts: FloatColumn) -> FloatColumn:
        """Return the largest amount among the values of each class; NaN for a class that shows no value."""
        most = np.full(self.total, -np.inf)
        np.maximum.at(most, self.classes, amounts)
        return np.where(np.isneginf(most), np.nan, most)


def value_counts(
    codes: CodeMatrix, values: CodeColumn, domain: int, missing: MissingKeys, copies: CodeColumn
) -> ValueCounts:
    """Count the values of a column by classes of keys.

    Parameters
    ----------
    codes
        The keys as codes, missing as -1 (keys x records).
    values
        The confidential column as codes, missing as -1.
    domain
        How many different values it may have.
    missing
        What a missing key is. As a wildcard, the class of a record holds all records that fit it.
    copies
        How many records each row stands for.
    """
    known, held_copies = values >= 0, copies.astype(np.float64)
    shares = np.bincount(values[known], weights=held_copies[known], minlength=domain) / held_copies[known].sum()
    whole = classes_of(codes)
    if missing is MissingKeys.CATEGORY or (codes >= 0).all():
        pairs = classes_of(np.stack([whole.numbers[known], values[known]]))
        first = np.flatnonzero(known)[pairs.first_rows()]
        counts = pairs.totals(held_copies[known])
        return ValueCounts(whole.numbers, whole.count, whole.numbers[first], values[first], counts, shares)
    distinct = codes[:, whole.first_rows()]
    found = []
    for start in range(0, domain, AT_ONCE):
        some = known & (values >= start) & (values < start + AT_ONCE)
        held = np.zeros((whole.count, min(AT_ONCE, domain - start)))
        np.add.at(held, (whole.numbers[some], values[some] - start), held_copies[some])
        table = matching_sums(distinct, held)
        classes, places = np.nonzero(table)
        found.append((classes, places + start, table[classes, places]))
    classes, occurring, times = (np.concatenate(part) for part in zip(*found, strict=True))
    return ValueCounts(whole.numbers, whole.count, classes, occurring, times, shares)
