"""Confidential columns and the classes of equal keys: which columns they are, and what is found about them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import CATEGORICAL, Kind, Microdata, Selection, Selector
from sfumato.errors import DataError, KindError
from sfumato.keys.checks import MAKE_CLASSES
from sfumato.keys.classes import MissingKeys, coded_keys, identifying_keys_remark
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.risk.attributes._value_counts import ValueCounts, value_counts


@dataclass(frozen=True, eq=False)
class SensitiveClasses:
    """The confidential columns of a file by the classes of its keys.

    Parameters
    ----------
    columns
        For each confidential column how often its values occur.
    remark
        A sentence about the keys, if there is something to say.
    copies
        How many records each row stands for.
    """

    columns: Mapping[str, ValueCounts]
    remark: str
    copies: CodeColumn


def sensitive_classes(
    measure: FileRisk,
    data: Microdata,
    sensitive: Selection,
    missing: MissingKeys,
    *,
    numbers: Collection[str] = (),
    numbers_need: str = MAKE_CLASSES,
) -> SensitiveClasses:
    """Return the confidential columns that a measure looks at, counted by the classes of its keys.

    Parameters
    ----------
    measure
        Who asks.
    data, sensitive, missing
        The file, its confidential columns, and what a missing key is.
    numbers
        The continuous columns that the measure takes.
    numbers_need
        What to do for others.
    """
    names, codes = coded_keys(measure, data, missing)
    copies = copies_of(data)
    counted = {
        name: value_counts(codes, *_sensitive_codes(measure, data, name), missing, copies)
        for name in _sensitive_columns(measure, data, sensitive, names, numbers, numbers_need)
    }
    return SensitiveClasses(counted, identifying_keys_remark(names, codes, copies), copies)


def diversity_measurement(
    measure: FileRisk, found: SensitiveClasses, violates: Mapping[str, Booleans], figures: Mapping[str, float]
) -> Measurement:
    """Return the percent of records in a class that violates what is asked for in some confidential column.

    Parameters
    ----------
    measure
        Who asks.
    found
        The confidential columns by classes.
    violates
        For each column whether its classes do.
    figures
        Further parts, by symbol.
    """
    by_column = {name: np.where(violates[name][counts.numbers], 100.0, 0.0) for name, counts in found.columns.items()}
    records = np.asarray(np.maximum.reduce(list(by_column.values())), dtype=np.float64)
    shares = {name: mean_of_records(of_records, found.copies) for name, of_records in by_column.items()}
    parts = {**shares, **figures}
    value = mean_of_records(records, found.copies)
    return Measurement(measure.name(), measure.symbol, value, parts=parts, per_record=records, remark=found.remark)


def smallest(figures: Mapping[str, FloatColumn]) -> float:
    """Return the smallest figure of any class in any column, of those that show a value."""
    return float(min(np.nanmin(by_class) for by_class in figures.values()))


def largest(figures: Mapping[str, FloatColumn]) -> float:
    """Return the largest figure of any class in any column, of those that show a value."""
    return float(max(np.nanmax(by_class) for by_class in figures.values()))


def _sensitive_columns(
    measure: FileRisk,
    data: Microdata,
    sensitive: Selection,
    keys: tuple[str, ...],
    numbers: Collection[str],
    numbers_need: str,
) -> tuple[str, ...]:
    """Return the names of the confidential columns; a rule leaves out the keys, and numbers that are not taken."""
    who = f"{type(measure).__name__}.sensitive"
    names = data.select(sensitive)
    if isinstance(sensitive, Selector):
        takes = {name for name in names if data.schema[name].kind in CATEGORICAL or name in numbers}
        names = tuple(name for name in names if name not in keys and name in takes)
        if not names:
            raise DataError(
                f"{who}: {sensitive} picks no nominal or ordinal column beside the keys; name the confidential "
                f"columns; where one is continuous, {numbers_need}"
            )
    for name in names:
        if name in keys:
            raise DataError(f"{who}: '{name}' is also in columns; name it in one of the two")
        if name in measure.part_symbols:
            raise DataError(f"{who}: a column called '{name}' cannot be told from the figure of that name; rename it")
        kind = data.schema[name].kind
        if kind not in CATEGORICAL and not (kind is Kind.CONTINUOUS and name in numbers):
            raise KindError(f"{who}: '{name}' is {kind}; expected nominal or ordinal columns: {numbers_need}")
    return names


def _sensitive_codes(measure: FileRisk, data: Microdata, name: str) -> tuple[CodeColumn, int]:
    values, categories = data.codes(name)
    if values.max(initial=-1) < 0:
        raise DataError(f"{type(measure).__name__}.sensitive: '{name}' has no observed value; leave it out")
    return values, len(categories)
