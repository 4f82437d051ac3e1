"""Records that share their key values: what every risk of categorical keys counts first."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from sfumato.contracts import FileRisk, check_column
from sfumato.data import Category, Kind, Microdata
from sfumato.errors import DataError
from sfumato.kernels.keys.counting import classes_of, matching_sums, matching_totals
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn

KEY_KINDS = frozenset(Kind)
"""What a key may be: a number, such as an age, or a date is known as it stands, so that each value is a category."""

UNIQUE_SHARE = 0.5  # a key that makes so many records unique by itself leaves nothing to the others


class MissingKeys(StrEnum):
    """What a missing key value is to somebody who looks for a person."""

    CATEGORY = "category"
    """A value like others: records agree when both lack it, and show the same code for that or none."""
    WILDCARD = "wildcard"
    """It fits every value: records agree when one of them lacks it."""


def coded_keys(measure: FileRisk, data: Microdata, missing: MissingKeys) -> tuple[tuple[str, ...], CodeMatrix]:
    """Return the names and codes of the keys that a measure asks for, after checking that they can be used.

    Where a gap is a value of its own, so is each code that stands for missing, as in `visible_codes`.
    """
    who = f"{type(measure).__name__}.columns"
    names = data.select(measure.columns)
    if not names:
        raise DataError(
            f"{who}: {measure.columns} picks no column of this file; name the keys, or give columns the role key: "
            f"schema.with_roles(key=[...])"
        )
    for name in names:
        check_column(type(measure), data, name, needs_values=False)
        if name in measure.part_symbols:
            raise DataError(f"{who}: a column called '{name}' cannot be told from the figure of that name; rename it")
    codes = key_codes(data, names)
    for name, column in zip(names, codes, strict=True):
        if column.max(initial=-1) < 0 and not keys_shown(data, (name,)):
            raise DataError(f"{who}: '{name}' has no observed value; leave it out")
    return names, visible_codes(data, names) if missing is MissingKeys.CATEGORY and (codes < 0).any() else codes


def key_codes(data: Microdata, names: tuple[str, ...]) -> CodeMatrix:
    """Return the keys as codes, missing as -1, one key after another (keys x records)."""
    codes = np.empty((len(names), data.n), dtype=np.int64)
    for place, name in enumerate(names):
        codes[place] = data.codes(name)[0]
    return codes


def visible_codes(data: Microdata, names: tuple[str, ...]) -> CodeMatrix:
    """Return the keys as codes, where a value that stands for missing is a category of its own, as readers see it."""
    codes = key_codes(data, names)
    for column, name in zip(codes, names, strict=True):
        gaps = np.flatnonzero(column < 0)
        cells = data.table[name][gaps]
        if cells.null_count() == gaps.size:  # nothing is shown of any of them
            continue
        marked = zip(cells.to_list(), cells.is_null().to_list(), strict=True)  # pandas' NA cannot be compared
        shown = [None if empty or value != value else value for value, empty in marked]
        number = {value: int(column.max(initial=-1)) + 1 + place for place, value in enumerate(_different(shown))}
        column[gaps] = [-1 if value is None else number[value] for value in shown]
    return codes


def keys_shown(data: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys that tell records apart or have a value: gaps of two kinds, a code and none, do so by themselves.

    Where all values of a key are suppressed and others had a code for "not applicable", an empty cell tells that a
    person had a value.
    """
    return tuple(
        name
        for name in names
        if data.observed(name).any() or np.unique(visible_codes(data, (name,))).size > 1  # the second look is rare
    )


def class_sizes(codes: CodeMatrix, missing: MissingKeys, copies: CodeColumn | None = None) -> CodeColumn:
    """Return for each record how many records have its keys, itself included.

    Parameters
    ----------
    codes
        The keys as codes, missing as -1 (keys x records).
    missing
        What a missing key is.
    copies
        How many records each stands for; one when not given.

    Examples
    --------
    >>> keys = np.array([[0, 0, 1, -1]])
    >>> class_sizes(keys, MissingKeys.CATEGORY), class_sizes(keys, MissingKeys.WILDCARD)
    (array([2, 2, 1, 1]), array([3, 3, 2, 4]))
    """
    if _are_classes(codes, missing):
        classes = classes_of(codes)
        return classes.sizes(copies)[classes.numbers]
    held = np.ones(codes.shape[1]) if copies is None else copies.astype(np.float64)
    return np.rint(matching_totals(codes, held)).astype(np.int64)


def class_weights(codes: CodeMatrix, weights: FloatColumn, missing: MissingKeys) -> FloatColumn:
    """Return for each record the sum of the weights of the records that have its keys, its own included.

    Examples
    --------
    >>> class_weights(np.array([[0, 0, 1, -1]]), np.array([2.0, 3.0, 4.0, 5.0]), MissingKeys.WILDCARD)
    array([10., 10.,  9., 14.])
    """
    if _are_classes(codes, missing):
        classes = classes_of(codes)
        return classes.totals(weights)[classes.numbers]
    return matching_totals(codes, weights)


def class_sizes_and_weights(
    codes: CodeMatrix, weights: FloatColumn, missing: MissingKeys, copies: CodeColumn | None = None
) -> tuple[CodeColumn, FloatColumn]:
    """Return what `class_sizes` and `class_weights` do, in the time of one.

    Examples
    --------
    >>> class_sizes_and_weights(np.array([[0, 0, 1, -1]]), np.array([2.0, 3.0, 4.0, 5.0]), MissingKeys.WILDCARD)
    (array([3, 3, 2, 4]), array([10., 10.,  9., 14.]))
    """
    classes = classes_of(codes)
    sizes, totals = classes.sizes(copies), classes.totals(weights)
    if not _are_classes(codes, missing):
        held = np.column_stack([sizes.astype(np.float64), totals])
        sizes, totals = matching_sums(codes[:, classes.first_rows()], held).T
    return np.rint(sizes).astype(np.int64)[classes.numbers], totals[classes.numbers]


def identifying_keys_remark(names: tuple[str, ...], codes: CodeMatrix, copies: CodeColumn | None = None) -> str:
    """Return a sentence about the keys that make most records unique by themselves; nothing where there are none.

    `copies` is how many records each row stands for, one when not given.
    """
    held = np.ones(codes.shape[1], dtype=np.int64) if copies is None else copies
    telling = [name for name, column in zip(names, codes, strict=True) if _unique_share(column, held) >= UNIQUE_SHARE]
    if not telling:
        return ""
    one = len(telling) == 1
    return (
        f"{' and '.join(map(repr, telling))} {'makes' if one else 'make'} most records unique by "
        f"{'itself' if one else 'themselves'}: recode {'it' if one else 'them'} into classes, or drop "
        f"{'it' if one else 'them'} if nobody can know {'it' if one else 'them'}"
    )


def _different(values: Sequence[Category | None]) -> list[Category]:
    """Return the values that are there, each once."""
    return [value for value in dict.fromkeys(values) if value is not None]


def _are_classes(codes: CodeMatrix, missing: MissingKeys) -> bool:
    """Tell whether records fall into classes: where wildcards are, A may fit B and B fit C without A fitting C."""
    return missing is MissingKeys.CATEGORY or bool((codes >= 0).all())


def _unique_share(column: CodeColumn, copies: CodeColumn) -> float:
    """Return the share of the records whose value in one key nobody else has."""
    held = np.bincount(column + 1, weights=copies.astype(np.float64))[1:]
    return float(np.count_nonzero(held == 1)) / max(int(copies.sum()), 1)
