"""The numbers that a regression is fitted to: one row a record, one column a coefficient."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import check_same_kind
from sfumato.data import Category, Kind, Microdata
from sfumato.errors import DataError
from sfumato.expressions.value_labels import label_hint
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix
from sfumato.regression.formula import IS, Factor, Formula

CONSTANT = "constant"
_OF_NUMBERS = {
    "": np.positive,
    "number": np.positive,
    "log": np.log,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "square": np.square,
}
_COMPARED = {">": np.greater, ">=": np.greater_equal, "<": np.less, "<=": np.less_equal}
_SMALLEST = {"log": "above 0", "log1p": "0 or more", "sqrt": "0 or more"}


@dataclass(frozen=True, eq=False)
class Design:
    """The complete records of a file as a regression needs them.

    Parameters
    ----------
    names
        What each coefficient belongs to.
    predictors
        The predictors (records x coefficients).
    response
        What is explained.
    left_out
        How many records were left out, as a value is missing.
    """

    names: tuple[str, ...]
    predictors: FloatMatrix
    response: FloatColumn
    left_out: int


def build_designs(formula: Formula, files: Sequence[Microdata]) -> list[Design]:
    """Return the design of each file; all have the same coefficients.

    Categories are those of all files, in the order of the first. The first category of a column is the one that the
    others are compared with.
    """
    for file in files:
        for name in formula.columns:
            file.schema[name]  # an unknown column is told here, by name
    levels = {
        factor: _levels(factor, files)
        for factor in dict.fromkeys([formula.response, *(one for term in formula.terms for one in term)])
        if _is_categorical(factor, files[0])
    }
    if len(levels.get(formula.response, ())) > 2:
        for file in files[1:]:
            check_same_kind("the response", files[0], file, formula.response.column)
    _check_main_effects(formula, levels)
    _check_category(formula.response, files[0])
    return [_build(formula, file, levels) for file in files]


def _is_categorical(factor: Factor, file: Microdata) -> bool:
    kind = file.schema[factor.column].kind
    if kind is Kind.DATE:
        raise DataError(f"'{factor.column}' holds dates, which a formula cannot use; make years or ages of them first")
    if factor.function == IS:
        return False
    if factor.function not in ("", "category", "number") and kind is not Kind.CONTINUOUS:
        raise DataError(f"{factor} needs numbers; '{factor.column}' is {kind}")
    return factor.function == "category" or (kind is not Kind.CONTINUOUS and factor.function != "number")


def _levels(factor: Factor, files: Sequence[Microdata]) -> tuple[Category, ...]:
    """Return the categories of a column in all files."""
    found: dict[Category, None] = {}
    for file in files:
        found |= dict.fromkeys(_codes(factor, file)[1])
    return tuple(found)


def _codes(factor: Factor, file: Microdata) -> tuple[CodeColumn, tuple[Category, ...]]:
    if file.schema[factor.column].kind is not Kind.CONTINUOUS:
        return file.codes(factor.column)
    values = file.values(factor.column)
    distinct = np.unique(values[~np.isnan(values)])
    return np.where(np.isnan(values), -1, np.searchsorted(distinct, values)), tuple(distinct.tolist())


def _check_main_effects(formula: Formula, levels: dict[Factor, tuple[Category, ...]]) -> None:
    """Refuse an interaction of a category that is not there by itself: its first category would be lost."""
    alone = {term[0] for term in formula.terms if len(term) == 1}
    for term in formula.terms:
        missing = [factor for factor in term if factor in levels and factor not in alone]
        if len(term) > 1 and missing:
            raise DataError(
                f"the interaction {':'.join(map(str, term))} needs {missing[0]} by itself, too; "
                f"write {'*'.join(map(str, term))}"
            )


def _check_category(response: Factor, file: Microdata) -> None:
    """Refuse a category that no record of the first file has."""
    if response.function == IS and not _is_asked_for(response, _codes(response, file)[1]).any():
        hint = label_hint(file.schema[response.column], response.category) or "write it as the file has it"
        raise DataError(f"no record of the original has the category of {response}; {hint}")


def _is_asked_for(factor: Factor, categories: tuple[Category, ...]) -> Booleans:
    """Tell which of the categories is the one that the response asks for."""
    return np.array([_is_written_as(category, factor.category) for category in categories], dtype=np.bool_)


def _is_written_as(category: Category, text: str) -> bool:
    if not isinstance(category, float):
        return str(category) == text
    try:
        return float(text) == category
    except ValueError:
        return False


def _build(formula: Formula, file: Microdata, levels: dict[Factor, tuple[Category, ...]]) -> Design:
    names = [CONSTANT] if formula.has_constant else []
    columns = [np.ones(file.n)] if formula.has_constant else []
    for term in formula.terms:
        shown, values = [""], [np.ones(file.n)]
        for factor in term:
            own_names, own = _factor_columns(factor, file, levels.get(factor))
            shown = [f"{left}:{right}" if left else right for left in shown for right in own_names]
            values = [left * right for left in values for right in own]
        names += shown
        columns += values
    response = _response(formula.response, file, levels.get(formula.response))
    predictors = np.column_stack(columns) if columns else np.empty((file.n, 0))
    complete = ~(np.isnan(response) | np.isnan(predictors).any(axis=1))
    return Design(tuple(names), predictors[complete], response[complete], int((~complete).sum()))


def _factor_columns(
    factor: Factor, file: Microdata, levels: tuple[Category, ...] | None
) -> tuple[list[str], list[FloatColumn]]:
    """Return the columns of a factor: itself, or one for each category but the first."""
    if levels is None:
        return [str(factor)], [_numbers(factor, file)]
    codes = _codes_among(factor, file, levels)
    shown = [f"{factor}={level}" for level in levels[1:]]
    return shown, [np.where(codes < 0, np.nan, (codes == code) * 1.0) for code in range(1, len(levels))]


def _response(factor: Factor, file: Microdata, levels: tuple[Category, ...] | None) -> FloatColumn:
    """Return the response: numbers, 1 for the category asked for, or for the second of two, and 0 for others."""
    if factor.function == IS:
        codes, categories = _codes(factor, file)
        return np.append(_is_asked_for(factor, categories), np.nan)[codes]
    if levels is None:
        return _numbers(factor, file)
    if len(levels) != 2:
        raise DataError(
            f"the response '{factor.column}' must be a number or have two categories; it has {len(levels)} "
            f"categories: write is({factor.column}, ...) with one of them, or number({factor.column}) if they are "
            f"numbers"
        )
    codes = _codes_among(factor, file, levels)
    return np.where(codes < 0, np.nan, codes.astype(np.float64))


def _codes_among(factor: Factor, file: Microdata, levels: tuple[Category, ...]) -> CodeColumn:
    codes, own = _codes(factor, file)
    place = np.array([*(levels.index(level) for level in own), -1], dtype=np.int64)
    return np.asarray(place[codes], dtype=np.int64)


def _numbers(factor: Factor, file: Microdata) -> FloatColumn:
    values = _values(factor, file)
    lowest = np.fmin.reduce(values, initial=np.inf)
    if factor.function in _SMALLEST and (lowest < 0 or (lowest == 0 and factor.function == "log")):
        raise DataError(
            f"{factor} needs numbers {_SMALLEST[factor.function]}; '{factor.column}' has others, so choose another "
            f"function or none"
        )
    if factor.function in _COMPARED:
        return np.where(np.isnan(values), np.nan, _COMPARED[factor.function](values, float(factor.category)))
    return np.asarray(_OF_NUMBERS[factor.function](values), dtype=np.float64)


def _values(factor: Factor, file: Microdata) -> FloatColumn:
    if file.schema[factor.column].kind is Kind.CONTINUOUS:
        return file.values(factor.column)
    codes, categories = file.codes(factor.column)
    try:
        numbers = np.array([*map(float, categories), np.nan])
    except ValueError:
        raise DataError(f"{factor} needs categories that are numbers; '{factor.column}' has others") from None
    return numbers[codes]
