"""The different records of a file by its keys, and how many records there are of each kind: all that risks count."""

from dataclasses import dataclass, field

import numpy as np

from sfumato.data import Microdata
from sfumato.data.column_recoding import text_of
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import key_codes, visible_codes
from sfumato.keys.exact_weights import join_weights
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn


@dataclass(frozen=True, eq=False)
class CountedRecords(Microdata):
    """One record of each kind, with what all records of that kind add up to.

    Parameters
    ----------
    copies
        How many records are of each kind.
    weights
        The sum of their weights, each counted as 1 at least; None where there are no weights.
    weight_remark
        What is to be said of the weights.
    """

    copies: CodeColumn = field(default=None, repr=False)  # type: ignore[arg-type]
    weights: FloatColumn | None = field(default=None, repr=False)
    weight_remark: str = ""


def copies_of(data: Microdata) -> CodeColumn:
    """Return how many records each row of a file stands for: one, unless they were counted."""
    return data.copies if isinstance(data, CountedRecords) else np.ones(data.n, dtype=np.int64)


def mean_of_records(figures: FloatColumn, copies: CodeColumn) -> float:
    """Return the mean of a figure over all records.

    Examples
    --------
    >>> mean_of_records(np.array([1.0, 5.0]), np.array([3, 1]))
    2.0
    """
    return float((figures * copies).sum() / copies.sum())


def count_records(
    data: Microdata,
    keys: tuple[str, ...],
    others: tuple[str, ...] = (),
    *,
    copies: CodeColumn | None = None,
    weights: CodeMatrix | None = None,
    weight_remark: str = "",
) -> CountedRecords:
    """Count the records that are equal in keys and other columns; kinds come in the order of their categories.

    Parameters
    ----------
    data
        The file, or kinds of records that were counted before.
    keys, others
        The keys, in which every code for a missing value is seen, and the other columns, in which all are one.
    copies, weights
        How many records each row stands for, one when not given, and the sum of their weights as `split_weights` has
        them, none when not given.
    weight_remark
        What is to be said of the weights.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"sex": ["m", "f", "m"], "age": [31, 45, 31]}))
    >>> counted = count_records(people, ("sex", "age"))
    >>> counted.frame.rows(), counted.copies
    ([('f', 45), ('m', 31)], array([1, 2]))
    """
    codes = np.vstack([_visible_codes_in_order(data, keys), key_codes(data, others)])
    classes = classes_of(codes)
    first = classes.first_rows()
    order = np.lexsort(codes[::-1, first])
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    kinds, counted = place[classes.numbers], np.zeros(order.size, dtype=np.int64)
    np.add.at(counted, kinds, 1 if copies is None else copies)
    totals = None
    if weights is not None:
        parts = np.zeros((len(weights), order.size), dtype=np.int64)
        for part, of_rows in zip(parts, weights, strict=True):
            np.add.at(part, kinds, of_rows)
        totals = join_weights(parts)
    rows = data.take_columns((*keys, *others)).take_rows(first[order])
    return CountedRecords(
        rows.frame,
        rows.schema,
        np.arange(order.size),
        copies=counted,
        weights=totals,
        weight_remark=weight_remark,
    )


def _visible_codes_in_order(data: Microdata, names: tuple[str, ...]) -> CodeMatrix:
    """Return the keys as `visible_codes` does, the codes for missing values by their text, whatever the rows' order."""
    plain, codes = key_codes(data, names), visible_codes(data, names)
    for name, hidden, column in zip(names, plain, codes, strict=True):
        marked = np.flatnonzero((hidden < 0) & (column >= 0))
        if not marked.size:
            continue
        shown, first = np.unique(column[marked], return_index=True)
        texts = [text_of(cell) for cell in data.table[name][marked[first]].to_list()]
        ranks = np.empty(shown.size, dtype=np.int64)
        ranks[np.argsort(texts, kind="stable")] = np.arange(shown.size)
        column[marked] = shown[0] + ranks[np.searchsorted(shown, column[marked])]
    return codes


def kinds_by_keys(counted: CountedRecords, keys: tuple[str, ...]) -> CodeColumn:
    """Return for each kind of records, counted by keys and other columns, the number of its kind by the keys alone."""
    codes = _visible_codes_in_order(counted, keys)
    is_next = (codes[:, 1:] != codes[:, :-1]).any(axis=0)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(is_next)])
