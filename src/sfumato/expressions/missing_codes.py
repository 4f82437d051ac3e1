"""Conditions that ask for one code for no answer, as `missing(pay, -8)`: which cells show it."""

from collections.abc import Iterable

import numpy as np

from sfumato.data import Microdata
from sfumato.data.column_recoding import text_of
from sfumato.data.columns import is_missing_value
from sfumato.errors import DataError
from sfumato.expressions.expression import Expression
from sfumato.numerics.arrays import Booleans


def check_codes(where: str, condition: Expression, data: Microdata) -> None:
    """Refuse a condition that asks for a code which is none of the column's codes for no answer."""
    for name, code in condition.codes_asked():
        variable = data.schema[name]
        if not is_missing_value(code, variable):
            known = ", ".join(map(text_of, variable.missing_codes))
            has = f"its codes are {known}" if known else "it has none"
            raise DataError(
                f"{where} asks missing({name}, {code!r}), which is no code for no answer of '{name}'; {has}: state "
                f"codes as missing_codes in the schema"
            )


def rows_with_codes(conditions: Iterable[Expression], data: Microdata) -> dict[tuple[str, object], Booleans]:
    """Return for each column and code that conditions ask for which records show the code.

    Examples
    --------
    >>> from polars import DataFrame
    >>> from sfumato.data import Schema
    >>> from sfumato.expressions.expression import parse_condition
    >>> schema = Schema.from_yaml("variables: {pay: {kind: continuous, missing_codes: [-8, -9]}}")
    >>> people = Microdata(DataFrame({"pay": [100, -8, -9, None]}), schema)
    >>> rows_with_codes([parse_condition("pay > 0 or missing(pay, -8)")], people)
    {('pay', -8): array([False,  True, False, False])}
    """
    asked = dict.fromkeys(pair for condition in conditions for pair in condition.codes_asked())
    return {(name, code): _shows(data, name, code) for name, code in asked}


def _shows(data: Microdata, name: str, code: object) -> Booleans:
    shows = np.zeros(data.n, dtype=np.bool_)
    gaps = np.flatnonzero(~data.observed(name))
    wanted = text_of(code)  # type: ignore[arg-type]  # a constant is a number, a text or a truth value
    shows[gaps] = [
        value is not None and value == value and text_of(value) == wanted
        for value in data.table.get_column(name)[gaps].to_list()
    ]
    return shows
