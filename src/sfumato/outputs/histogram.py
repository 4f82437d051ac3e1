"""Classes of a number for a histogram: round limits, and outer classes that are open."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.outputs.tabulation import Dimension

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def bins_of(
    name: str, values: FloatColumn, selected: Booleans, bins: int | Sequence[float], min_units: int
) -> Dimension:
    """Return the classes of a column as a dimension.

    Parameters
    ----------
    name
        The column.
    values, selected
        Its numbers, and the records that count.
    bins
        How many classes at most, or their limits.
    min_units
        Limits lie where at least so many records are beyond them, so that they tell no extreme value.
    """
    there = values[selected & ~np.isnan(values)]
    limits = np.asarray(sorted(bins), dtype=np.float64) if not isinstance(bins, int) else _round(there, bins, min_units)
    if not limits.size:
        raise DataError(f"histogram: '{name}' needs at least one limit between classes; got none")
    if not np.isfinite(limits).all():
        raise DataError(f"histogram: the limits between classes of '{name}' must be numbers; one is none, or infinite")
    codes = np.where(np.isnan(values), -1, np.searchsorted(limits, np.nan_to_num(values), side="right"))
    shown = [format_compact(limit) for limit in limits]
    labels = [f"below {shown[0]}", *(f"{low} to {high}" for low, high in pairwise(shown))]
    return Dimension(name, codes, (*labels, f"{shown[-1]} and over"))


def _round(values: FloatColumn, bins: int, min_units: int) -> FloatColumn:
    """Return round limits between the values that enough others lie beyond."""
    if bins < 2 or values.size < 2 * min_units:
        raise DataError(f"histogram: at least 2 classes and {2 * min_units} records are needed; ask for a coarser one")
    inner = np.sort(values)[min_units - 1 : values.size - min_units + 1]
    low, high = float(inner[0]), float(inner[-1])
    if high <= low:
        return np.array([low])
    rough = (high - low) / max(bins - 1, 1)
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * one for one in STEPS if power * one >= rough * (1 - 1e-9))
    first = np.ceil(low / step) * step
    limits = np.arange(first, high + step / 2, step)
    return limits[limits <= high][: bins - 1] if limits.size else np.array([low])
