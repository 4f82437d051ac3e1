"""Conditions that synthetic records must meet."""

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


Rule = Annotated[str, AfterValidator(_is_condition)]
"""A condition over the columns of a record, as `age >= 16 or status == 'single'`."""


def check_rules(rules: Sequence[str], data: Microdata, names: Sequence[str]) -> None:
    """Refuse a rule over columns that are neither drawn nor given, or over categories that a column does not have."""
    categories = _categories(data, names)
    for place, rule in enumerate(rules, start=1):
        parsed = parse_condition(rule)
        for name in parsed.names:
            if name not in names:
                raise DataError(
                    f"SequentialSynthesis.rules: rule {place} reads '{name}', which is neither in columns nor in given"
                )
            if data.schema[name].kind is Kind.DATE:
                raise DataError(
                    f"SequentialSynthesis.rules: rule {place} reads '{name}', a date; rules read numbers and categories"
                )
        if parsed.unknown_categories(categories):
            raise DataError(
                f"SequentialSynthesis.rules: rule {place} compares a categorical column with what is none of its "
                f"categories, or a number with text; write categories in quotes, as in the file"
            )


def broken_rules(rules: Sequence[str], data: Microdata, values: Mapping[str, FloatColumn]) -> Rows:
    """Return the synthetic records that break a rule."""
    if not rules:
        return np.empty(0, dtype=np.int64)
    categories = _categories(data, tuple(values))
    is_nominal = {name: data.schema[name].kind is Kind.NOMINAL for name in values}
    known = {
        name: np.where(column == 0, np.nan, column) if is_nominal[name] else column for name, column in values.items()
    }
    broken = [parse_condition(rule).is_broken(known, categories) for rule in rules]
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
