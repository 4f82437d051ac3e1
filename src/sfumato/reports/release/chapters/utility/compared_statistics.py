"""The statistics that a user of a release would compute, from both files: means, correlations, tables."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.comparison.recoding import has_same_classes
from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

MAX_TABLE_COLUMNS = 12
MAX_TABLE_CATEGORIES = 60
MAX_CORRELATED = 20
ROUNDING = 1e-9  # of a mean: what is smaller is left over from computing, as the spread of a constant
MIN_GROUP = 20  # records of a category whose means are compared


class FileWeights(NamedTuple):
    """The sampling weights of both files, and the variable that holds them."""

    name: str
    before: FloatColumn
    after: FloatColumn


class ComparedMean(NamedTuple):
    """The mean, the standard deviation and the total of a variable in both files."""

    name: str
    before: float
    after: float
    deviation_before: float
    deviation_after: float
    total_before: float
    total_after: float

    @property
    def change(self) -> float:
        """How far the mean moved, in percent of the standard deviation that the variable had."""
        rounding = ROUNDING * abs(self.before)
        if not self.deviation_before > rounding:
            return 0.0 if abs(self.after - self.before) <= rounding else 100.0
        return 100 * (self.after - self.before) / self.deviation_before

    @property
    def relative_change(self) -> float:
        """How far the mean moved, in percent of what it was; 0 where it was and is 0."""
        if self.before == 0:
            return 0.0 if self.after == 0 else 100.0
        return 100 * (self.after - self.before) / abs(self.before)

    @property
    def total_change(self) -> float:
        """How far the total moved, in percent of what it was; 0 where it was and is 0."""
        if self.total_before == 0:
            return 0.0 if self.total_after == 0 else 100.0
        return 100 * (self.total_after - self.total_before) / abs(self.total_before)


class GroupMean(NamedTuple):
    """The mean of a number within a category of a variable in both files; None where no released record is left.

    With how many original records have the number, and the standard error of the mean in each file.
    """

    number: str
    by: str
    mean: ComparedMean | None
    records: int
    error_before: float
    error_after: float


class ComparedTable(NamedTuple):
    """How much of the records, or weights, counts in another cell of the table of two variables, in percent."""

    names: tuple[str, str]
    moved: float


def numbers_of_both(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the variables that describe persons and are numbers in both files, with values in both."""
    return tuple(
        one.name
        for one in original.schema.variables
        if one.role in CONTENT_ROLES
        and one.kind is Kind.CONTINUOUS
        and one.name in released.schema
        and released.schema[one.name].kind is Kind.CONTINUOUS
        and original.observed(one.name).any()
        and released.observed(one.name).any()
    )


def differs(data: Microdata, name: str) -> bool:
    """Tell whether a number has more than one value."""
    values = data.values(name)
    known = values[~np.isnan(values)]
    return bool(known.size) and bool(np.ptp(known) > 0)


def weights_of_both(original: Microdata, released: Microdata) -> FileWeights | None:
    """Return the weights of both files; None where one of them has none that users could count with."""
    before, after = map(_weights, (original, released))
    if before is None or after is None:
        return None
    return FileWeights(released.select(role("weight"))[0], before, after)


def compare_means(original: Microdata, released: Microdata) -> list[ComparedMean]:
    """Return means and totals of all numbers, weighted where both files have the weight; the farthest moved first."""
    weights = weights_of_both(original, released)
    found = []
    for name in numbers_of_both(original, released):
        before = _moments(original.values(name), None if weights is None else weights.before)
        after = _moments(released.values(name), None if weights is None else weights.after)
        found.append(ComparedMean(name, *_side_by_side(before, after)))
    return sorted(found, key=lambda one: -abs(one.change))


def compare_group_means(original: Microdata, released: Microdata) -> list[GroupMean]:
    """Return the means of all numbers within each category that has at least 20 records with the number.

    Weighted where both files have the weight; without a mean after where no released record is left.
    """
    weights = weights_of_both(original, released)
    counted = (None, None) if weights is None else (weights.before, weights.after)
    numbers = {name: (original.values(name), released.values(name)) for name in numbers_of_both(original, released)}
    found = []
    for by in categories_of_both(original, released):
        *codes, categories = common_codes(original, released, by)
        for name, values in numbers.items():
            before, after = (
                _moments_of_codes(one, code, weight, len(categories))
                for one, code, weight in zip(values, codes, counted, strict=True)
            )
            for place in np.flatnonzero(before[0] >= MIN_GROUP):
                both = [[float(part[place]) for part in side[1:]] for side in (before, after)]
                mean = ComparedMean(name, *_side_by_side(both[0], both[1])) if after[0][place] else None
                found.append(GroupMean(name, by, mean, int(before[0][place]), both[0][-1], both[1][-1]))
    return found


def _moments_of_codes(
    values: FloatColumn, codes: CodeColumn, weights: FloatColumn | None, size: int
) -> tuple[FloatColumn, ...]:
    """Return for each code how many records have it and a value, and their mean, standard deviation, total and error.

    The error is the standard error of the mean, linearised where records have weights; NaN of a single record.
    """
    known = ~np.isnan(values) & (codes >= 0)
    values, codes = values[known], codes[known]
    shares: FloatColumn = np.ones(values.size) if weights is None else weights[known]
    whole = np.maximum(np.bincount(codes, shares, minlength=size), 1e-300)
    totals: FloatColumn = np.bincount(codes, shares * values, minlength=size).astype(np.float64)
    means = totals / whole
    squares = (values - means[codes]) ** 2
    variances = np.bincount(codes, shares * squares, minlength=size) / whole
    counts = np.bincount(codes, minlength=size).astype(np.float64)
    correction = np.divide(counts, counts - 1, out=np.full(size, np.nan), where=counts > 1)
    errors = np.sqrt(correction * np.bincount(codes, shares**2 * squares, minlength=size)) / whole
    return counts, means, np.sqrt(variances), totals, errors


def _side_by_side(before: Sequence[float], after: Sequence[float]) -> tuple[float, float, float, float, float, float]:
    return before[0], after[0], before[1], after[1], before[2], after[2]


def correlations(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    """Return the correlations of each two variables over the records that have both; NaN where one does not vary."""
    matrix = data.matrix(names)
    found = np.eye(len(names))
    for one, other in combinations(range(len(names)), 2):
        both = matrix[:, [one, other]]
        both = both[~np.isnan(both).any(axis=1)]
        varies = len(both) > 1 and bool((np.ptp(both, axis=0) > 0).all())
        found[one, other] = found[other, one] = _correlation(both) if varies else np.nan
    return found


def _correlation(both: FloatMatrix) -> float:
    centred = both - both.mean(axis=0)
    sums = centred.T @ centred
    return float(sums[0, 1] / np.sqrt(sums[0, 0] * sums[1, 1]))


def categories_of_both(original: Microdata, released: Microdata) -> list[str]:
    """Return the first variables that describe persons and have the same categories in both files, not too many."""
    return [
        one.name
        for one in original.schema.variables
        if one.role in CONTENT_ROLES
        and one.kind in CATEGORICAL
        and one.name in released.schema
        and 1 < original.summary.distinct(one.name) <= MAX_TABLE_CATEGORIES
        and has_same_classes(original, released, one.name)
    ][:MAX_TABLE_COLUMNS]


def compare_tables(original: Microdata, released: Microdata) -> list[ComparedTable]:
    """Return for each two categorical variables how much of their table moved; that which moved most first.

    The tables are weighted where both files have the weight.
    """
    weights = weights_of_both(original, released)
    counted = (None, None) if weights is None else (weights.before, weights.after)
    names = categories_of_both(original, released)
    coded = {name: common_codes(original, released, name) for name in names}
    found = []
    for one, other in combinations(names, 2):
        size = len(coded[other][2]) + 1
        shares = []
        for rows, columns, weight in zip(coded[one][:2], coded[other][:2], counted, strict=True):
            cells = (rows + 1) * size + columns + 1
            counts = np.bincount(cells, weight, minlength=(len(coded[one][2]) + 1) * size)
            shares.append(counts / max(float(counts.sum()), 1e-300))
        found.append(ComparedTable((one, other), 50 * float(np.abs(shares[0] - shares[1]).sum())))
    return sorted(found, key=lambda one: -one.moved)


def _weights(data: Microdata) -> FloatColumn | None:
    names = data.select(role("weight"))
    if len(names) != 1 or data.schema[names[0]].kind is not Kind.CONTINUOUS:
        return None
    weights = data.values(names[0])
    return weights if bool((weights > 0).all()) else None


def _moments(values: FloatColumn, weights: FloatColumn | None) -> tuple[float, float, float]:
    """Return the mean, the standard deviation and the total of the values that are known."""
    known = ~np.isnan(values)
    if weights is None:
        return float(values[known].mean()), float(values[known].std()), float(values[known].sum())
    mean = float(np.average(values[known], weights=weights[known]))
    deviation = float(np.sqrt(np.average((values[known] - mean) ** 2, weights=weights[known])))
    return mean, deviation, float(values[known] @ weights[known])
