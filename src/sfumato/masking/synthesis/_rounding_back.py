"""Columns of whole numbers that a model knows so well that its values are rounded back to the original ones."""

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatMatrix

MAX_ROUNDED_BACK = 0.5  # of the values of a column, which rounding may make the original ones again


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
        if share > MAX_ROUNDED_BACK:
            raise DataError(
                f"{who}.columns: '{name}' holds whole numbers, and {100 * share:.0f} % of them are nearer than a half "
                f"to what is fitted to them, so that rounding would give the original values back; leave it out, or "
                f"give fewer columns"
            )
