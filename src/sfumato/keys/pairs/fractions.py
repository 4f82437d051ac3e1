"""Shares and means whose denominator is a key: 33.3 % of the employees are women of 3, 6, 9 ... and of no 4."""

import numpy as np

from sfumato.keys.ruled_out import RuledOut, as_kinds
from sfumato.numerics.arrays import FloatColumn

SCALES = (100.0, 1.0)  # percent, and means
MAX_DECIMALS = 6
LOOKED = 2_000  # records, by which most columns are left aside
MIN_RECORDS = 20  # for which a whole number would be chance
MAX_BY_CHANCE = 0.5  # how likely a product is near a whole number: records for which it is likelier say nothing
HELD = 0.9  # of those records, of which the product is whole: others are wrong entries
FEWER = 0.5  # times as many as that would miss a whole number by chance, at most
MAX_CELLS = 4_000_000  # values of the column times those of the key


def ruled_out_by_fraction(key: FloatColumn, column: FloatColumn, released: FloatColumn) -> RuledOut | None:
    """Return which values of a key a share or a mean rules out, as its numerator would be no whole number.

    Parameters
    ----------
    key
        The key before it was masked, whole numbers.
    column, released
        Another column before masking, and as it is released: what was changed rules out nothing.

    Examples
    --------
    >>> firms = np.arange(1.0, 61)
    >>> women = np.floor(firms / 3)
    >>> share = (100 * women / firms).round(1)
    >>> found = ruled_out_by_fraction(firms, share, share)
    >>> np.flatnonzero(found.allowed[found.kinds[9]][:20]) + 1
    array([10, 20])
    """
    known = np.isfinite(key) & np.isfinite(column) & (key > 0)
    rows = np.flatnonzero(known)
    few = rows[:: max(rows.size // LOOKED, 1)]
    decimals = _decimals(column[few])
    scale = next((one for one in SCALES if _is_fraction(key[few], column[few], decimals, one)), None)
    if scale is None or (key[rows] != np.floor(key[rows])).any():
        return None
    sizes, shown = np.unique(key[np.isfinite(key)]), np.unique(column[known & (released == column)])
    if not shown.size or shown.size * sizes.size > MAX_CELLS:
        return None
    allowed = np.ones((shown.size + 1, sizes.size + 1), dtype=np.bool_)
    allowed[:-1, :-1] = (_miss(sizes[None, :], shown[:, None], scale) <= _rounding(sizes, decimals, scale)) | (
        sizes <= 0
    )
    places = np.searchsorted(shown, np.where(np.isfinite(column), column, -np.inf)).clip(max=shown.size - 1)
    is_shown = (released == column) & (shown[places] == column)
    kinds = as_kinds(np.where(is_shown, places, shown.size), shown.size + 1)
    place = np.searchsorted(sizes, np.where(np.isfinite(key), key, sizes[0]))
    return RuledOut(kinds, np.where(np.isfinite(key), place, sizes.size), allowed)


def _is_fraction(key: FloatColumn, column: FloatColumn, decimals: int, scale: float) -> bool:
    """Tell whether a column times a key is a whole number far more often than by chance."""
    rounding = _rounding(key, decimals, scale)
    chance = 2 * rounding
    tells = (chance <= MAX_BY_CHANCE) & (column / scale != np.floor(column / scale))
    if np.count_nonzero(tells) < MIN_RECORDS:
        return False
    holds = (_miss(key[tells], column[tells], scale) <= rounding[tells]).mean()
    return bool(holds >= HELD and 1 - holds <= FEWER * (1 - chance[tells]).mean())


def _miss(key: FloatColumn, column: FloatColumn, scale: float) -> FloatColumn:
    """Return how far a share or a mean times its denominator is from a whole number."""
    product = column * key / scale
    return np.asarray(np.abs(product - np.rint(product)))


def _rounding(key: FloatColumn, decimals: int, scale: float) -> FloatColumn:
    """Return how far it may be by the rounding of the share or mean."""
    return np.asarray(0.5 * 10.0**-decimals / scale * key * (1 + 1e-6) + 1e-9)


def _decimals(column: FloatColumn) -> int:
    """Return to how many decimals a column is rounded."""
    for decimals in range(MAX_DECIMALS):
        if np.abs(column - column.round(decimals)).max(initial=0.0) <= 1e-9:
            return decimals
    return MAX_DECIMALS
