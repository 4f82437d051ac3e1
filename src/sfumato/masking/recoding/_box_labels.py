"""What is released of a key for a box of records: its mean or range, the group that holds all, or all it may be."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import Category, Kind
from sfumato.data.column_recoding import text_of
from sfumato.kernels.keys.mondrian import box_extremes
from sfumato.masking.recoding._key_places import KeyPlaces
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters.class_names import ClassNames
from sfumato.parameters.hierarchies import EVERYTHING


def means(values: FloatColumn, numbers: CodeColumn) -> FloatColumn:
    """Return the mean of the values of each box.

    Examples
    --------
    >>> means(np.array([1.0, 2.0, 6.0]), np.array([0, 1, 1]))
    array([1., 4.])
    """
    return np.asarray(np.bincount(numbers, weights=values) / np.bincount(numbers), dtype=np.float64)


def medians(values: FloatColumn, numbers: CodeColumn) -> FloatColumn:
    """Return the median of the values of each box.

    Examples
    --------
    >>> medians(np.array([9.0, 1.0, 2.0, 6.0]), np.array([1, 0, 1, 1]))
    array([1., 6.])
    """
    ordered = values[np.lexsort((values, numbers))]
    sizes = np.bincount(numbers)
    first = np.cumsum(sizes) - sizes
    return np.asarray((ordered[first + (sizes - 1) // 2] + ordered[first + sizes // 2]) / 2, dtype=np.float64)


def set_labels(codes: CodeColumn, numbers: CodeColumn, categories: Sequence[Category]) -> list[str]:
    """Return for each box the categories that its records have, in their order; `*` for all of several.

    Examples
    --------
    >>> set_labels(np.array([0, 2, 1, 2, 1, 0]), np.array([0, 0, 1, 2, 2, 2]), ("Lucca", "Pisa", "Rome"))
    ['Lucca, Rome', 'Pisa', '*']
    """
    count = len(categories)
    pairs = np.unique(numbers * count + codes)
    names = [text_of(category) for category in categories]
    sets: list[list[str]] = [[] for _ in range(int(numbers.max()) + 1)]
    for box, code in zip((pairs // count).tolist(), (pairs % count).tolist(), strict=True):
        sets[box].append(names[code])
    return [EVERYTHING if len(held) == count > 1 else ", ".join(held) for held in sets]


def category_labels(key: KeyPlaces, numbers: CodeColumn, kind: Kind, names: ClassNames) -> Sequence[Category]:
    """Return what each box is called in a categorical key of which no record is missing.

    It is the lowest group of the hierarchy that holds all; without one, for an ordinal key the range, and for a nominal
    one all categories.
    """
    if not key.is_tree and kind is Kind.NOMINAL:
        return set_labels(key.codes, numbers, key.categories)
    low, high = box_extremes(key.codes, numbers, int(numbers.max()) + 1)
    if key.is_tree:
        found = [key.categories[code] for code in key.above(low, high).tolist()]
        return [text_of(code) for code in found] if any(isinstance(code, str) for code in found) else found
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return [names.of_range(key.categories[first], key.categories[last]) for first, last in ends]
