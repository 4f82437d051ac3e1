"""The cells of key columns: as codes, what they are worth, and a file without some of them."""

from typing import Annotated

import numpy as np
from pydantic import Field

from sfumato.data import Microdata
from sfumato.data.column_recoding import set_missing
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.keys.households import Households, cell_numbers, households_of
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

Importance = dict[str, Annotated[float, Field(gt=0)]]


def told_codes(codes: CodeColumn, households: Households) -> CodeColumn:
    """Return the codes of a household column, where a member lacks it that of the others, who tell of it.

    Examples
    --------
    >>> from sfumato.keys.households import grouped
    >>> told_codes(np.array([2, -1, -1, 5]), grouped(np.array([0, 0, 1, 2])))
    array([ 2,  2, -1,  5])
    """
    return np.where(codes < 0, -households.least(-codes)[households.number], codes)


def worth_of(names: tuple[str, ...], importance: Importance | None) -> FloatColumn:
    """Return what a cell of each column costs.

    Examples
    --------
    >>> worth_of(("region", "sex"), {"sex": 0.5})
    array([1. , 0.5])
    """
    return np.array([(importance or {}).get(name, 1.0) for name in names])


def without_cells(block: Microdata, names: tuple[str, ...], cells: Booleans) -> Microdata:
    """Return the block without the values of some cells (records x columns)."""
    for name, column in zip(names, cells.T, strict=True):
        block = block.with_column(block.schema[name], set_missing(block.table[name], column))
    return block


def check_keys(who: str, names: tuple[str, ...], importance: Importance | None, most: int) -> None:
    """Refuse too many keys, and an importance of a column that is not a key."""
    if len(names) > most:
        raise DataError(
            f"{who}.columns: there may be at most {most}; got {len(names)}: leave out those that an intruder "
            f"does not know"
        )
    for name in importance or {}:
        if name not in names:
            raise ParameterError([f"{who}.importance: '{name}' is not one of the columns{did_you_mean(name, names)}"])


def check_size(who: str, n: int, k: int) -> None:
    """Refuse a file or stratum with fewer records than a group must have."""
    if n < k:
        raise DataError(f"{who}.k must be at most {n}, the number of records (of a stratum); got {k}")


def check_household_columns(
    who: str,
    data: Microdata,
    keys: tuple[str, ...],
    shared: tuple[str, ...],
    household: tuple[str, ...],
    within: tuple[str, ...],
) -> None:
    """Refuse household columns that are no keys, come without households, or differ inside one; strata likewise."""
    if not shared:
        return
    for name in shared:
        if name not in keys:
            raise ParameterError(
                [f"{who}.household_columns: '{name}' is not one of the columns{did_you_mean(name, keys)}"]
            )
    if not household:
        raise DataError(
            f"{who}.household must name the column that tells the households when there are household_columns; got "
            f"none: name it, or give it the role household"
        )
    households = households_of(data, household)
    for name in shared:
        apart = households.mixed(told_codes(data.codes(name)[0], households))
        if apart:
            raise DataError(
                f"{who}.household_columns: the members of {_counted(apart)} differ in '{name}'; make them equal first, "
                f"or leave '{name}' out"
            )
    for name in within:
        apart = households.mixed(cell_numbers(data, (name,)))
        if apart:
            raise DataError(
                f"{who}.within: the members of {_counted(apart)} differ in '{name}', or only some of them have a "
                f"value; make them equal first, or leave '{name}' out"
            )


def _counted(households: int) -> str:
    return "1 household" if households == 1 else f"{households} households"
