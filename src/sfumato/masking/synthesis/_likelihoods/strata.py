"""The likelihood of a method that draws in each stratum by itself, from that of a stratum."""

from collections.abc import Callable

import numpy as np

from sfumato.contracts import Coordinate, Likelihood, MaskingMethod, paired_rows
from sfumato.data import Microdata
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import Untold
from sfumato.numerics.joint_densities import JointDensity

MAX_STRATA = 20
MAX_PAIRS = 20_000_000  # of records that are compared one by one: no coordinate of these densities serves a search

Places = tuple[JointDensity, FloatMatrix, FloatMatrix]
"""A density, and the places of the originals and of the masked records (records x coordinates)."""


def stratified_likelihood(
    method: MaskingMethod,
    original: Microdata,
    masked: Microdata,
    names: tuple[str, ...],
    state: Callable[[Microdata, Microdata], Places | None],
) -> Likelihood | None:
    """Return the coordinates of all strata; none in large files, or where an intruder lacks some of the columns.

    Parameters
    ----------
    method
        Whose columns and strata these are.
    original, masked
        The files before and after it.
    names
        The columns that the intruder knows.
    state
        Gives the density of a stratum and the places of its records, from both of its files; none where it has none.
    """
    if set(original.select(method.columns)) - set(names) or original.n * masked.n > MAX_PAIRS:
        return None
    strata = list(method.bound_to(original).split_strata(original))
    if len(strata) > MAX_STRATA or not original.n:
        return None
    rows, found = paired_rows(original, masked), []
    stratum_of = np.zeros(original.n, dtype=np.int64)
    for number, stratum in enumerate(strata):
        stratum_of[original.rows_of(stratum.row_ids)] = number
    for number, stratum in enumerate(strata):
        records = np.flatnonzero(stratum_of[rows] == number)  # strata are the same in both files
        stated = state(stratum, masked.take_rows(records))
        if stated is None:
            return None
        joint, before, after = stated
        origins, places = (np.full((n, max(before.shape[1], after.shape[1])), np.nan) for n in (original.n, masked.n))
        origins[original.rows_of(stratum.row_ids), : before.shape[1]] = before
        places[records, : after.shape[1]] = after
        found += [
            Coordinate(origin, place, Untold(), False, joint) for origin, place in zip(origins.T, places.T, strict=True)
        ]
    return tuple(found)
