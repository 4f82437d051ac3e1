"""Sampling weights: how many persons of the population each record stands for."""

import numpy as np

from sfumato.data import Kind, Microdata, Role
from sfumato.display import format_compact
from sfumato.errors import DataError
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


def sampling_weights(who: str, data: Microdata, name: str | None) -> FloatColumn | None:
    """Return the weights of the records: of the named column or of that with the role weight; none where there is none.

    A weight says how many of the population a record stands for, itself included: one below 1 counts as 1, which
    `weight_remark` tells.
    """
    weights = _given_weights(who, data, name)
    return None if weights is None else np.maximum(weights, 1.0)


def weight_remark(who: str, data: Microdata, name: str | None) -> str:
    """Return what is to be said of weights below 1, which normalisation and calibration give; nothing without such."""
    weights = _given_weights(who, data, name)
    few = 0 if weights is None else int(np.count_nonzero(weights < 1))
    if weights is None or not few:
        return ""
    if abs(weights.mean() - 1) <= NORMALISED_WITHIN:
        return (
            "the mean of the weights is about 1, so they look normalised: the file then counts almost as the whole "
            f"population, and the risk is overstated. To have it right, {SCALE_WEIGHTS}"
        )
    if few == data.n:
        return (
            "all weights are below 1 and count as 1: the file then counts as the whole population, and the risk is "
            f"overstated. If they are probabilities of selection, "
            f"divide 1 by each, and if they are shares, {SCALE_WEIGHTS}"
        )
    return f"{few:,} of {data.n:,} weights are below 1 and count as 1, as each record stands for itself at least"


def scale_weights(who: str, data: Microdata, name: str | None, population_size: float) -> Microdata:
    """Return the data with weights that add up to the size of the population."""
    weights = _given_weights(who, data, name)
    if weights is None:
        raise DataError(
            f"{who}.population_size is shared out by weights, and no column has the role weight; name that column as "
            f"weight, or add one that holds the size of the population divided by the number of records"
        )
    if not data.n <= population_size <= LARGEST_POPULATION:
        raise DataError(
            f"{who}.population_size must be from {data.n:,}, the number of records, to "
            f"{LARGEST_POPULATION:,.0f}; got {population_size:,.12g}"
        )
    column = data.schema[_weight_column(who, data, name) or ""]
    return data.with_column(column.replace(missing_codes=()), weights * (population_size / weights.sum()))


def _weight_column(who: str, data: Microdata, name: str | None) -> str | None:
    having = [variable.name for variable in data.schema.variables if variable.role is Role.WEIGHT]
    if name is None and len(having) > 1:
        raise DataError(
            f"{who}.weight: the columns {', '.join(having)} have the role weight; name the one to use as weight"
        )
    return name or (having[0] if having else None)


def _given_weights(who: str, data: Microdata, name: str | None) -> FloatColumn | None:
    """Return the weights as they are in the file, refusing what is no weight."""
    column = _weight_column(who, data, name)
    if column is None:
        return None
    kind = data.schema[column].kind
    if kind is not Kind.CONTINUOUS:
        raise DataError(
            f"{who}.weight: '{column}' is {kind}; expected a continuous column: correct what is no number in it, and "
            f"give it that kind in the schema"
        )
    weights = data.values(column)
    bad = int(np.count_nonzero(~(weights > 0)))
    if bad:
        raise DataError(
            f"{who}.weight: '{column}' must be above 0 in every record, which stands for itself at least; it is "
            f"missing or not above 0 in {bad} of {data.n}: {CORRECT_WEIGHTS}"
        )
    if weights.sum() > LARGEST_POPULATION:
        raise DataError(
            f"{who}.weight: the weights in '{column}' add up to more than {format_compact(LARGEST_POPULATION)}, "
            f"too large for a population; divide them by a unit, or leave the column out"
        )
    return weights
