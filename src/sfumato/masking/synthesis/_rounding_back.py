"""Columns that a model knows so well that it gives their values back: by rounding, or from donors with the same one."""

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, FloatMatrix

MAX_GIVEN_BACK = 0.5  # of the values of a column, which may become the original ones again


def check_rounding(who: str, block: Microdata, names: tuple[str, ...], residuals: FloatMatrix) -> None:
    """Refuse an integer column in which most values differ by less than a half from what a model fits to them.

    Parameters
    ----------
    who
        The name of the method, for messages.
    block, names
        The file and the columns.
    residuals
        The values less what is fitted to them, one column per row.
    """
    for name, apart in zip(names, residuals, strict=True):
        if not block.table[name].dtype.is_integer() or not apart.size:
            continue
        share = np.count_nonzero(np.abs(apart) < 0.5) / apart.size
        if share > MAX_GIVEN_BACK:
            raise DataError(
                f"{who}.columns: '{name}' holds whole numbers, and {100 * share:.0f} % of them are nearer than a half "
                f"to what is fitted to them, so that rounding would give the original values back; leave it out, or "
                f"give fewer columns"
            )


def check_donors(who: str, name: str, values: FloatColumn, same: float) -> None:
    """Refuse a column in which most values that a blind draw would change are given back by donors with the same one.

    Parameters
    ----------
    who, name
        The names of the method and of the column, for messages.
    values
        The values of the column.
    same
        The share of records whose donor, by what is given, has the same value as they.

    Notes
    -----
    A column that is nearly always 0 is not refused for that: a donor without regard to what is given would have the
    same value as often.
    """
    sizes = np.unique(values, return_counts=True)[1]
    by_chance = float((sizes * (sizes - 1)).sum() / max(values.size * (values.size - 1), 1))
    if same - by_chance > MAX_GIVEN_BACK * (1 - by_chance):
        raise DataError(
            f"{who}.columns: '{name}' is known so well from what is given that {100 * same:.0f} % of its values would "
            f"be borrowed from records with the same value, and stay as they are; leave it out, or give fewer columns"
        )
