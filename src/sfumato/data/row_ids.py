"""Find records by their row ids."""

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Rows
from sfumato.numerics.ranking import stable_order


def rows_of_ids(held: Rows, ids: Rows) -> Rows:
    """Return the row of each id among those that are held; an unknown id and repeated ones are refused."""
    places = _places_of(held)
    if not held.size:
        rows = np.empty(0, dtype=np.int64)
    elif (first := held[places[0]]) + held.size - 1 == held[places[-1]]:  # no number is left out: nothing to look for
        rows = places[np.clip(ids, first, held[places[-1]]) - first]
    else:
        rows = places[np.minimum(np.searchsorted(held, ids, sorter=places), held.size - 1)]
    if not np.array_equal(held[rows], ids):
        raise DataError("some masked records are not in the original file: their row ids are unknown")
    return rows


def _places_of(ids: Rows) -> Rows:
    """Return the places of the ids by rising id; refuse two records with one id, which nobody could distinguish."""
    places = stable_order(ids)
    ascending = ids[places]
    if (ascending[1:] == ascending[:-1]).any():
        raise DataError("row ids must be different for every record; some are repeated")
    return places
