"""Choose the columns by which another is fitted: such as are no sums of each other, or the few that explain most."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

DEPENDENT, NEARLY_DEPENDENT = 1e-10, 1e-3  # of a column, left open by others: it adds nothing to them, or rounding
MANY = 3  # columns for which there are no more than so many records each: few of them are tried
FOR_EACH = 5  # records for each column that explains most
NOTHING = 1e-12  # of what is to be explained


def independent(columns: FloatMatrix, least: float = DEPENDENT) -> CodeColumn:
    """Return the columns that vary and are no sum of multiples of those before them, up to a part of their spread."""
    scale = np.abs(columns).max(axis=0, initial=0.0)
    places = np.flatnonzero(scale > 0)
    if not places.size:
        return np.asarray(places, dtype=np.int64)
    centred = columns[:, places] / scale[places]
    centred = centred - centred.mean(axis=0)
    size = np.sqrt((centred**2).sum(axis=0))
    is_some = size > DEPENDENT
    places, centred = places[is_some], centred[:, is_some] / size[is_some]
    if centred.shape[1] >= len(centred):
        return np.asarray(places, dtype=np.int64)
    return np.asarray(places[np.abs(np.diagonal(np.linalg.qr(centred, mode="r"))) > least], dtype=np.int64)


def independent_beyond_rounding(columns: FloatMatrix) -> CodeColumn:
    """Return the columns that are no sum of multiples of those before them, nearly and but for rounding."""
    return independent(columns, NEARLY_DEPENDENT)


def explaining(target: FloatColumn, columns: FloatMatrix) -> CodeColumn:
    """Return the columns that explain most of a target, each chosen by what it adds; all where there are few."""
    places = independent(columns)
    if places.size * MANY <= target.size:
        return places
    open_columns = columns[:, places] - columns[:, places].mean(axis=0)
    rest, chosen = target - target.mean(), list[int]()
    whole = float(rest @ rest)
    for _ in range(target.size // FOR_EACH):
        size = (open_columns**2).sum(axis=0)
        added = np.where(size > 0, (rest @ open_columns) ** 2 / np.maximum(size, np.finfo(np.float64).tiny), 0.0)
        added[chosen] = 0.0
        best = int(np.argmax(added))
        if added[best] <= NOTHING * whole:
            break
        chosen.append(best)
        axis = open_columns[:, best] / np.sqrt(size[best])
        rest = rest - axis * (axis @ rest)
        open_columns = open_columns - np.outer(axis, axis @ open_columns)
    return places[np.sort(np.array(chosen, dtype=np.int64))]
