"""The records that meet a condition over the columns of a file."""

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.expressions.expression import code_name, parse_condition
from sfumato.expressions.expression_types import check_types, compared_with_missing
from sfumato.expressions.missing_codes import check_codes, rows_with_codes
from sfumato.expressions.value_labels import check_labels
from sfumato.numerics.arrays import Booleans, FloatColumn

CATEGORICAL = (Kind.NOMINAL, Kind.ORDINAL)


def rows_where(who: str, condition: str, data: Microdata) -> Booleans:
    """Tell for each record whether it meets a condition; it does not where a missing value leaves that open.

    Parameters
    ----------
    who
        Who asks, for messages.
    condition
        As people write it: `age >= 65 and region == 'North'`.
    data
        The records.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"age": [70, 30, None], "town": ["A", "B", "A"]}))
    >>> rows_where("crosstab", "age >= 65 or town == 'B'", people)
    array([ True,  True, False])
    """
    try:
        expression = parse_condition(condition)
    except ValueError as error:
        raise ParameterError([f"{who}.where {error}"]) from None
    coded = {name: data.codes(name) for name in expression.names if data.schema[name].kind in CATEGORICAL}
    check_labels(f"{who}.where", expression, data)
    check_types(f"{who}.where", expression, data)
    for name in compared_with_missing(expression, data):
        raise DataError(
            f"{who}.where compares '{name}' with a code for no answer, which is no value; write missing({name}) or "
            f"not missing({name})"
        )
    check_codes(f"{who}.where", expression, data)
    numbers = {name: numbers_of(data, name) for name in expression.names}
    categories: dict[str, dict[object, float]] = {
        name: {category: float(code) for code, category in enumerate(known)}
        for name, (_, known) in coded.items()
        if numbers[name] is None
    }
    if (compared := expression.unknown_categories(categories)) is not None:
        raise DataError(
            f"{who}.where compares '{compared}' with what is none of its categories; write categories in quotes, as in "
            f"the file, and for no answer missing({compared})"
        )
    values = {
        name: np.where(coded[name][0] < 0, np.nan, coded[name][0]) if column is None else column
        for name, column in numbers.items()
    }
    shown = rows_with_codes([expression], data).items()
    codes = {code_name(name, code): shows.astype(np.float64) for (name, code), shows in shown}
    return np.broadcast_to(expression.is_met({**values, **codes}, categories), (data.n,)).copy()


def numbers_of(data: Microdata, name: str) -> FloatColumn | None:
    """Return a column as numbers, NaN where it is missing; None where it has categories that are no numbers.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"children": [2, 0, 2], "town": ["A", "B", "A"]}))
    >>> numbers_of(people, "children"), numbers_of(people, "town")
    (array([2., 0., 2.]), None)
    """
    if data.schema[name].kind not in CATEGORICAL:
        return data.values(name)
    codes, categories = data.codes(name)
    if any(isinstance(category, str | bool) for category in categories):
        return None
    return np.append(np.array(categories, dtype=np.float64), np.nan)[codes]
