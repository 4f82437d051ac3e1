"""Classes and other listed categories as SPSS and Stata keep them: whole numbers with value labels."""

from collections.abc import Sequence
from itertools import count, islice
from typing import TYPE_CHECKING

from sfumato.data import Category, Schema, Variable
from sfumato.data.column_recoding import free_codes

if TYPE_CHECKING:
    import polars as pl

MAX_CATEGORIES = 10_000  # more are names rather than classes, and Stata has room for 65 536 labels


def with_class_codes(frame: "pl.DataFrame", schema: Schema) -> "tuple[pl.DataFrame, Schema]":
    """Return the frame and its schema with numbers and labels for each column whose type lists its categories.

    Such are classes that were made of numbers, and categoricals. A category that is a whole number is its own code, if
    all are; otherwise codes count from 1 and leave out what stands for missing. Codes for missing that were numbers are
    these numbers again, with their labels.
    """
    columns, variables = [], []
    for series in frame.iter_columns():
        variable = schema[series.name]
        categories = _categories(series, variable)
        if 0 < len(categories) <= MAX_CATEGORIES:
            missing = _missing_numbers(variable, len(categories))
            numbers = dict(zip(categories, _class_numbers(categories, variable, missing), strict=True))
            columns.append(_as_numbers(series, {**numbers, **missing}))
            variables.append(_coded_variable(variable, numbers, missing))
    return frame.with_columns(columns), schema.with_variables(*variables)


def _categories(series: "pl.Series", variable: Variable) -> tuple[str, ...]:
    """Return the categories of a column whose type lists them, in order and without missing codes; else none."""
    import polars as pl

    if isinstance(series.dtype, pl.Enum):
        listed = series.dtype.categories.to_list()
    elif series.dtype == pl.Categorical:
        found = series.drop_nulls().cast(pl.String).unique().sort().to_list()
        listed = [*map(str, variable.categories), *(each for each in found if each not in variable.categories)]
    else:
        return ()
    return tuple(category for category in listed if category not in variable.missing_codes)


def _missing_numbers(variable: Variable, classes: int) -> dict[str, int | float]:
    """Return the number of each missing code: the one that its text tells, else one above those of the classes."""
    known = {str(code): _number(str(code)) for code in variable.missing_codes}
    taken = {number for number in known.values() if number is not None}
    free = (number for number in count(classes + 1) if number not in taken)
    return {text: next(free) if number is None else number for text, number in known.items()}


def _class_numbers(categories: Sequence[str], variable: Variable, missing: dict[str, int | float]) -> list[int]:
    """Return the code of each category: its own number where all have one, else the next that is free."""
    own = [_number(category) for category in categories]
    whole = [number for number in own if isinstance(number, int) and not _is_taken(number, variable, missing)]
    if len(set(whole)) == len(categories) and whole == sorted(whole):
        return whole
    return list(islice(free_codes(variable, missing.values(), 1), len(categories)))


def _is_taken(number: int, variable: Variable, missing: dict[str, int | float]) -> bool:
    return number in missing.values() or variable.is_in_missing_range(number)


def _number(text: str) -> int | float | None:
    """Return the number that a text is written out of, as `text_of` writes it; None for other text.

    Examples
    --------
    >>> _number("-9"), _number("2.5"), _number("07"), _number("20 to 29")
    (-9, 2.5, None, None)
    """
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if str(number) == text:
            return number
    return None


def _as_numbers(series: "pl.Series", numbers: dict[str, int | float]) -> "pl.Series":
    import polars as pl

    dtype = pl.Int64 if all(isinstance(number, int) for number in numbers.values()) else pl.Float64
    return series.cast(pl.String).replace_strict(
        list(numbers), list(numbers.values()), default=None, return_dtype=dtype
    )


def _coded_variable(variable: Variable, numbers: dict[str, int], missing: dict[str, int | float]) -> Variable:
    labels = {str(code): text for code, text in variable.value_labels.items()}
    beside_ranges: dict[Category, str] = {
        number: text
        for code, text in labels.items()
        if code not in numbers and (number := missing.get(code, _number(code))) is not None
    }
    return variable.replace(
        value_labels={**{numbers[text]: labels.get(text, text) for text in numbers}, **beside_ranges},
        missing_codes=tuple(number for number in missing.values() if not variable.is_in_missing_range(number)),
        categories=(),
    )
