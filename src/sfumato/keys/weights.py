"""Sampling weights: how many persons of the population each record stands for."""

from math import inf
from typing import Protocol

import numpy as np

from sfumato.data import Kind, Microdata, Role, Schema
from sfumato.data.summary import Summary
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.keys.counted_records import CountedRecords
from sfumato.numerics.arrays import FloatColumn

LARGEST_POPULATION = (
    1e12  # persons: beyond, the differences of log factorials in population models are lost in rounding
)
NORMALISED_WITHIN = 0.1  # normalised weights are 1 on average, but for the records that were left out since
SCALE_WEIGHTS = (
    "tell how many persons the population has (the option population_size), or multiply the weights by that "
    "number over their sum"
)
CORRECT_WEIGHTS = (
    "correct the weights, leave these records out, or give the column the role other to have the risk without weights"
)


class Weighted(Protocol):
    """Records with weights: a file in memory, or one that is larger."""

    @property
    def n(self) -> int:
        """The number of records."""

    @property
    def schema(self) -> Schema:
        """What each column is and is for."""

    @property
    def summary(self) -> Summary:
        """What is known of the whole file."""


def sampling_weights(who: str, data: Microdata, name: str | None) -> FloatColumn | None:
    """Return the weights of the records: of the named column or of that with the role weight; none where there is none.

    A weight says how many of the population a record stands for, itself included: one below 1 counts as 1, which
    `weight_remark` tells. Of records that were counted it is the sum of each kind.
    """
    if isinstance(data, CountedRecords):
        return data.weights
    weights = _given_weights(who, data, name)
    return None if weights is None else np.maximum(weights, 1.0)


def weight_remark(who: str, data: Microdata, name: str | None) -> str:
    """Return what is to be said of weights below 1, which normalisation and calibration give; nothing without such."""
    if isinstance(data, CountedRecords):
        return data.weight_remark
    weights = _given_weights(who, data, name)
    return "" if weights is None else remark_on_weights(int(np.count_nonzero(weights < 1)), weights.mean(), data.n)


def remark_on_weights(few: int, mean: float, records: int) -> str:
    """Return what is to be said where a few of the weights, or more, are below 1; their mean is given too."""
    if not few:
        return ""
    if abs(mean - 1) <= NORMALISED_WITHIN:
        return (
            "the mean of the weights is about 1, so they look normalised: the file then counts almost as the whole "
            f"population, and the risk is overstated. To have it right, {SCALE_WEIGHTS}"
        )
    if few == records:
        return (
            "all weights are below 1 and count as 1: the file then counts as the whole population, and the risk is "
            f"overstated. If they are probabilities of selection, "
            f"divide 1 by each, and if they are shares, {SCALE_WEIGHTS}"
        )
    return f"{few:,} of {records:,} weights are below 1 and count as 1, as each record stands for itself at least"


def dominant_weight_remark(weights: FloatColumn | None) -> str:
    """Return what to say where one record holds most of the sum of the weights; nothing elsewhere.

    Examples
    --------
    >>> dominant_weight_remark(np.array([3.0, 4.0, 993.0]))[:53]
    'one record holds 99.3 % of the sum of the weights: as'
    """
    if weights is None or weights.size < 2 or 2 * weights.max() <= weights.sum():
        return ""
    return (
        f"one record holds {format_compact(100 * weights.max() / weights.sum(), 3)} % of the sum of the weights: as "
        f"estimates for the population rest on that record alone, risks may look like nothing; check its weight"
    )


def scale_weights(who: str, data: Microdata, name: str | None, population_size: float) -> Microdata:
    """Return the data with weights that add up to the size of the population."""
    factor = scale_factor(who, data, name, population_size)
    column = data.schema[weight_column(who, data.schema, name) or ""]
    return data.with_column(column.replace(missing_codes=()), data.values(column.name) * factor)


def scale_factor(who: str, data: Weighted, name: str | None, population_size: float) -> float:
    """Return by what weights are multiplied to add up to the size of the population."""
    column = weight_column(who, data.schema, name)
    if column is None:
        raise DataError(
            f"{who}.population_size is shared out by weights, and no column has the role weight; name that column as "
            f"weight, or add one that holds the size of the population divided by the number of records"
        )
    if not data.n <= population_size <= LARGEST_POPULATION:
        raise DataError(
            f"{who}.population_size must be from {data.n:,}, the number of records, to "
            f"{LARGEST_POPULATION:,.0f}; got {population_size:,.12g}"
        )
    check_weights(who, data, column)
    return population_size / (data.summary.mean(column) * data.n)


def weight_column(who: str, schema: Schema, name: str | None) -> str | None:
    """Return the column of the weights: the one that is named, or has the role; None where there is none."""
    having = [variable.name for variable in schema.variables if variable.role is Role.WEIGHT]
    if name is None and len(having) > 1:
        raise DataError(
            f"{who}.weight: the columns {', '.join(having)} have the role weight; name the one to use as weight"
        )
    return name or (having[0] if having else None)


def _given_weights(who: str, data: Microdata, name: str | None) -> FloatColumn | None:
    """Return the weights as they are in the file, refusing what is no weight."""
    column = weight_column(who, data.schema, name)
    if column is None:
        return None
    check_weights(who, data, column)
    return data.values(column)


def check_weights(who: str, data: Weighted, column: str) -> None:
    """Refuse a column that holds what is no weight."""
    kind = data.schema[column].kind
    if kind is not Kind.CONTINUOUS:
        raise DataError(
            f"{who}.weight: '{column}' is {kind}; expected a continuous column: if all of it is numbers, give it that "
            f"kind, in the schema or by the option continuous; else correct what is no number in it first"
        )
    records = data.summary.n
    bad = records - data.summary.count_between(column, 0.0, inf)
    if bad:
        raise DataError(
            f"{who}.weight: '{column}' must be above 0 in every record, which stands for itself at least; it is "
            f"missing or not above 0 in {bad} of {records}: {CORRECT_WEIGHTS}"
        )
    if records and data.summary.mean(column) * records > LARGEST_POPULATION:
        raise DataError(
            f"{who}.weight: the weights in '{column}' add up to more than {format_compact(LARGEST_POPULATION)}, "
            f"too large for a population; divide them by a unit, or leave the column out"
        )
