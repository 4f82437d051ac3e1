"""Columns in which randomised values are suppressed or have categories that the column did not have."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Category, Kind, Microdata, Variable
from sfumato.data.column_recoding import missing_codes_after, recode_column, set_missing
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn


def check_new_categories(data: Microdata, name: str, made: tuple[Category, ...]) -> None:
    """Refuse categories that the column has already, that have no place in its order, or that stand for missing."""
    variable, known = data.schema[name], data.summary.categories(name)
    if not made:
        return
    who = "Pram.new_categories"
    if set(made) & set(known):
        raise DataError(f"{who}: '{name}' has one of its new categories already; leave it out of new_categories")
    if variable.kind is Kind.ORDINAL:
        raise DataError(
            f"{who}: '{name}' is ordinal, so that a new category has no place in its order; list it in the "
            f"'categories' of the schema instead, or set its kind to nominal"
        )
    if len({isinstance(category, str) for category in (*known, *made)}) > 1:
        raise DataError(f"{who}: the categories of '{name}' must be all text or all numbers; they are mixed")
    if set(made) & set(data.summary.missing_codes(name)) or any(map(variable.is_in_missing_range, made)):
        raise DataError(f"{who}: a new category of '{name}' is one of its missing codes; choose another")


def with_other_categories(
    block: Microdata, name: str, drawn: CodeColumn, made: tuple[Category, ...]
) -> tuple[Variable, nw.Series[Any]]:
    """Return a column with drawn codes: of its categories, then of new ones; higher ones are suppressed.

    A code of -1 stands for a value that was missing, which stays as it is.
    """
    variable, series = block.schema[name], block.table[name]
    categories = (*block.summary.categories(name), *made)
    is_suppressed = drawn >= len(categories)
    places = np.where(is_suppressed, -1, drawn)
    missing = missing_codes_after(series, categories, block.summary.missing_codes(name))
    changed = set_missing(recode_column(series, categories, places, missing), is_suppressed)
    listed = (*variable.categories, *made) if variable.categories else ()
    return variable.replace(categories=listed), changed
