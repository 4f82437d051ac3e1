"""How far apart the values of two records are: the metrics of probabilistic linkage."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from sfumato.comparison.side_by_side import CategoricalComparison, Comparison, categories_side_by_side, side_by_side
from sfumato.contracts import Correspondence, Measure
from sfumato.data import METRIC, Microdata
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.ranking import middle_ranks
from sfumato.numerics.standardisation import standard_deviations, varies

SMALLEST_BASE = 0.1  # what a difference is divided by at least, in both relative metrics
DIFFERENT = 1e9  # the discrepancy of two different categories
# how far categories are apart beside ranks that go from 0 to 1, when near records are looked for; measured on seven
# files with 3 to 6 categories, 0 to 50 % of them changed: 0.1 links most or nearly so, 1 links 33 to 99 % of that
CATEGORY_SPAN = 0.1


class Metric(StrEnum):
    """How the difference of an original number a and a masked number b is measured."""

    RELATIVE = "relative"
    """|a - b| / max(|a|, 0.1): the d metric of the source."""
    LOGARITHMIC = "logarithmic"
    """|ln a - ln b| / max(|ln a|, 0.1): the l metric of the source."""
    RANK = "rank"
    """The difference of their ranks, each in its own file, as a share of the records."""
    STANDARDISED = "standardised"
    """|a - b| in standard deviations of the original column."""

    @property
    def tolerance(self) -> float:
        """The discrepancy from which on two numbers disagree in full, where weights fall linearly."""
        return TOLERANCES[self]

    @property
    def reach(self) -> float:
        """The discrepancy from which on all count as the same, where weights are estimated."""
        return REACHES[self]


# relative and logarithmic: what gives the rates of the source; the others: what links most on made files, normal and
# lognormal, 3 to 10 columns, masked in eight ways (rank 0.4 to 1 and standardised 1.5 to 5 are equally good)
TOLERANCES = {Metric.RELATIVE: 0.2, Metric.LOGARITHMIC: 0.15, Metric.RANK: 0.5, Metric.STANDARDISED: 2.0}
REACHES = {Metric.RELATIVE: 1.0, Metric.LOGARITHMIC: 0.6, Metric.RANK: 0.5, Metric.STANDARDISED: 1.0}


@dataclass(frozen=True, eq=False)
class Discrepancies:
    """The compared columns of both files; a discrepancy is |original - masked| times the scale of the original value.

    Parameters
    ----------
    names
        The compared columns, without those that are constant in the original.
    original, masked
        Their values, records x columns; missing is NaN.
    scales
        What a difference is multiplied with, for each original value.
    is_categorical
        Tells for each column whether its discrepancies are only 0 and 1e9 or more: categories are equal or not.
    original_places, masked_places
        Where the values stand, to look for near records: numbers by rank from 0 to 1, categories from 0 to 0.1; missing
        is in the middle.
    """

    names: tuple[str, ...]
    original: FloatMatrix
    masked: FloatMatrix
    scales: FloatMatrix
    is_categorical: Booleans
    original_places: FloatMatrix
    masked_places: FloatMatrix

    def take(self, original_rows: Rows, masked_rows: Rows) -> "Discrepancies":
        """Return some records of each file, in the given order."""
        return Discrepancies(
            self.names,
            self.original[original_rows],
            self.masked[masked_rows],
            self.scales[original_rows],
            self.is_categorical,
            self.original_places[original_rows],
            self.masked_places[masked_rows],
        )


def discrepancies(
    measure: Measure,
    original: Microdata,
    masked: Microdata,
    metric: Metric,
    correspondence: Correspondence = Correspondence.TRUE_RECORD,
) -> Discrepancies:
    """Return the columns that a measure asks for, numbers on the scale of a metric and categories as codes."""
    names = measure.common_columns(original, masked)
    numbers = tuple(name for name in names if original.schema[name].kind in METRIC)
    categories = tuple(name for name in names if name not in numbers)
    parts = []
    if numbers:
        files = side_by_side(measure.replace(columns=numbers), original, masked, correspondence)
        parts.append(numeric_discrepancies(files, metric))
    if categories:
        parts.append(
            categorical_discrepancies(categories_side_by_side(measure.replace(columns=categories), original, masked))
        )
    return parts[0] if len(parts) == 1 else _join(*parts)


def numeric_discrepancies(files: Comparison, metric: Metric) -> Discrepancies:
    """Return numeric columns on the scale of a metric, without those that are constant in the original."""
    telling = varies(files.original)
    names = tuple(name for name, tells in zip(files.names, telling, strict=True) if tells)
    original, masked = files.original[:, telling], files.masked[:, telling]
    places = [np.column_stack([middle_ranks(column) for column in file.T] or [file]) for file in (original, masked)]
    if metric is Metric.RANK:
        before, after = places
    elif metric is Metric.STANDARDISED:
        before, after = (file / standard_deviations(original) for file in (original, masked))
    elif metric is Metric.LOGARITHMIC:
        before, after = logarithms(original, masked)
    else:
        before, after = original, masked
    is_relative = metric in (Metric.RELATIVE, Metric.LOGARITHMIC)
    scales = 1 / np.maximum(np.abs(before), SMALLEST_BASE) if is_relative else np.ones(before.shape)
    standing = [np.where(np.isnan(file), 0.5, file) for file in places]
    return Discrepancies(names, before, after, scales, np.zeros(len(names), dtype=np.bool_), standing[0], standing[1])


def categorical_discrepancies(files: CategoricalComparison) -> Discrepancies:
    """Return categorical columns as codes, without those that have one category in the original."""
    telling = [j for j, codes in enumerate(files.original.T) if len(np.unique(codes[codes >= 0])) > 1]
    names = tuple(files.names[j] for j in telling)
    before, after = files.original[:, telling], files.masked[:, telling]
    places = [
        code_places(before[:, place], after[:, place], len(files.categories[j])) for place, j in enumerate(telling)
    ]
    values = [np.where(codes < 0, np.nan, codes.astype(np.float64)) for codes in (before, after)]
    standing = [np.column_stack([pair[side] for pair in places] or [values[side]]) for side in (0, 1)]
    scales, is_categorical = np.full(before.shape, DIFFERENT), np.ones(len(names), dtype=np.bool_)
    return Discrepancies(names, values[0], values[1], scales, is_categorical, standing[0], standing[1])


def logarithms(original: FloatMatrix, masked: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return the logarithms of both files.

    Where a column of the original has a value that is not above 0, they are sign(x) ln(1 + |x|), which keep the order;
    elsewhere a masked value that is not above 0 is minus infinity and agrees with none.

    Examples
    --------
    >>> before, after = logarithms(np.array([[1.0, 0.0], [np.e, 5.0]]), np.array([[-3.0, 0.0], [1.0, -1.0]]))
    >>> before.round(2).tolist(), after.round(2).tolist()
    ([[0.0, 0.0], [1.0, 1.79]], [[-inf, 0.0], [0.0, -0.69]])
    """
    is_positive = np.nanmin(original, axis=0, initial=np.inf) > 0

    def take_logarithm(file: FloatMatrix) -> FloatMatrix:
        plain = np.log(file, out=np.where(np.isnan(file), np.nan, -np.inf), where=file > 0)
        return np.where(is_positive, plain, np.sign(file) * np.log1p(np.abs(file)))

    return take_logarithm(original), take_logarithm(masked)


def code_places(original: CodeColumn, masked: CodeColumn, categories: int) -> tuple[FloatColumn, FloatColumn]:
    """Return for codes of both files where the category stands among those of the original, from 0 to 0.1.

    Missing values, and categories that the original does not have, are in the middle.

    Examples
    --------
    >>> code_places(np.array([0, 0, 0, 1]), np.array([1, 2, -1]), categories=3)
    (array([0.0375, 0.0375, 0.0375, 0.0875]), array([0.0875, 0.05 , 0.05 ]))
    """
    held = np.bincount(original[original >= 0], minlength=categories)
    middle = (np.cumsum(held) - held / 2) / held.sum()
    lookup = CATEGORY_SPAN * np.append(np.where(held > 0, middle, 0.5), 0.5)  # the last entry serves the code -1
    return lookup[original], lookup[masked]


def _join(one: Discrepancies, other: Discrepancies) -> Discrepancies:
    return Discrepancies(
        one.names + other.names,
        np.hstack([one.original, other.original]),
        np.hstack([one.masked, other.masked]),
        np.hstack([one.scales, other.scales]),
        np.concatenate([one.is_categorical, other.is_categorical]),
        np.hstack([one.original_places, other.original_places]),
        np.hstack([one.masked_places, other.masked_places]),
    )
