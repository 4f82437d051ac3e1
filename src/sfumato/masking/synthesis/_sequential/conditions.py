"""Conditions that synthetic records must meet, such as that children are not married."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.masking.synthesis._expressions import parse_condition
from sfumato.numerics.arrays import FloatColumn, Rows


def _is_condition(text: str) -> str:
    parse_condition(text)
    return text


Condition = Annotated[str, AfterValidator(_is_condition)]
"""A condition over the columns of a record, as `age >= 16 or status == 'single'`."""


def check_conditions(conditions: Sequence[str], data: Microdata, names: Sequence[str]) -> None:
    """Refuse conditions over columns that are neither drawn nor given, or over categories that a column lacks."""
    categories = _categories(data, names)
    for place, condition in enumerate(conditions, start=1):
        parsed = parse_condition(condition)
        for name in parsed.names:
            if name not in names:
                raise DataError(
                    f"SequentialSynthesis.conditions: number {place} reads '{name}', which is neither in columns nor "
                    f"in given"
                )
            if data.schema[name].kind is Kind.DATE:
                raise DataError(
                    f"SequentialSynthesis.conditions: number {place} reads '{name}', a date; conditions read numbers "
                    f"and categories"
                )
        if parsed.unknown_categories(categories):
            raise DataError(
                f"SequentialSynthesis.conditions: number {place} compares a categorical column with what is none of "
                f"its categories, or a number with text; write categories in quotes, as in the file"
            )


def unmet_conditions(conditions: Sequence[str], data: Microdata, values: Mapping[str, FloatColumn]) -> Rows:
    """Return the synthetic records that do not meet a condition."""
    if not conditions:
        return np.empty(0, dtype=np.int64)
    categories = _categories(data, tuple(values))
    is_nominal = {name: data.schema[name].kind is Kind.NOMINAL for name in values}
    known = {
        name: np.where(column == 0, np.nan, column) if is_nominal[name] else column for name, column in values.items()
    }
    broken = [parse_condition(condition).is_broken(known, categories) for condition in conditions]
    return np.flatnonzero(np.logical_or.reduce(broken))


def _categories(data: Microdata, names: Sequence[str]) -> dict[str, dict[object, float]]:
    """Return for each categorical column the number that stands for each category, as models see it."""
    numbers: dict[str, dict[object, float]] = {}
    for name in names:
        kind = data.schema[name].kind
        if kind in (Kind.NOMINAL, Kind.ORDINAL):
            first = 1 if kind is Kind.NOMINAL else 0
            numbers[name] = {category: float(code) for code, category in enumerate(data.codes(name)[1], start=first)}
    return numbers
