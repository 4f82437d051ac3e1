"""Conditions that synthetic records must meet, such as that children are not married."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.expressions.expression import Expression, code_name, parse_condition
from sfumato.expressions.expression_types import check_types, compared_with_missing
from sfumato.expressions.missing_codes import check_codes
from sfumato.expressions.value_labels import check_labels
from sfumato.masking.synthesis._observed_columns import DrawnColumn
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows

ShownCodes = Mapping[tuple[str, object], Booleans]
"""For each column and code for no answer that is asked for which original records show it."""


def _is_condition(text: str) -> str:
    parse_condition(text)
    return text


Condition = Annotated[str, AfterValidator(_is_condition)]
"""A condition over the columns of a record, as `age >= 16 or status == 'single'`."""


def check_conditions(
    who: str, conditions: Sequence[Sequence[Expression]], data: Microdata, names: Sequence[str]
) -> None:
    """Refuse conditions over columns that are neither drawn nor given, or over categories that a column lacks.

    Each is given as the expressions that it is made of.
    """
    categories = category_numbers(data, names)
    for place, parts in enumerate(conditions, start=1):
        for name in (name for part in parts for name in part.names):
            if name not in names:
                raise DataError(
                    f"{who}.conditions: number {place} reads '{name}', which is neither in columns nor in given"
                )
        for part in parts:
            check_labels(f"{who}.conditions: number {place}", part, data)
            check_types(f"{who}.conditions: number {place}", part, data)
            check_codes(f"{who}.conditions: number {place}", part, data)
        for name in (name for part in parts for name in compared_with_missing(part, data)):
            raise DataError(
                f"{who}.conditions: number {place} compares '{name}' with a code for no answer, which is no value, so "
                f"that nothing would be asked; write missing({name}), missing({name}, code) or not missing({name})"
            )
        for compared in filter(None, (part.unknown_categories(categories) for part in parts)):
            raise DataError(
                f"{who}.conditions: number {place} compares '{compared}' with what is none of its categories; write "
                f"categories in quotes, as in the file, and for no answer missing({compared})"
            )


def unmet_conditions(
    conditions: Sequence[str], data: Microdata, values: Mapping[str, FloatColumn], codes: Mapping[str, FloatColumn]
) -> Rows:
    """Return the synthetic records that do not meet a condition, by their values and the codes that they show."""
    if not conditions:
        return np.empty(0, dtype=np.int64)
    known, categories = {**known_values(data, values), **codes}, category_numbers(data, tuple(values))
    broken = [parse_condition(condition).is_broken(known, categories) for condition in conditions]
    return np.flatnonzero(np.logical_or.reduce(broken))


def drawn_codes(shown: ShownCodes, drawn: Mapping[str, DrawnColumn], rows: Rows) -> dict[str, FloatColumn]:
    """Return by `code_name` which synthetic records show a code; a column that is not drawn is that of the rows."""
    found: dict[str, FloatColumn] = {}
    for (name, code), shows in shown.items():
        column = drawn.get(name, DrawnColumn.copied(rows))
        found[code_name(name, code)] = (shows[column.donors] & np.isnan(column.numbers)).astype(np.float64)
    return found


def known_values(data: Microdata, values: Mapping[str, FloatColumn]) -> dict[str, FloatColumn]:
    """Return the values of records as conditions read them: NaN where a category is missing, too."""
    is_nominal = {name: data.schema[name].kind is Kind.NOMINAL for name in values}
    return {
        name: np.where(column == 0, np.nan, column) if is_nominal[name] else column for name, column in values.items()
    }


def category_numbers(data: Microdata, names: Sequence[str]) -> dict[str, dict[object, float]]:
    """Return for each categorical column the number that stands for each category, as models see it."""
    numbers: dict[str, dict[object, float]] = {}
    for name in names:
        kind = data.schema[name].kind
        if kind in (Kind.NOMINAL, Kind.ORDINAL):
            first = 1 if kind is Kind.NOMINAL else 0
            numbers[name] = {category: float(code) for code, category in enumerate(data.codes(name)[1], start=first)}
    return numbers
