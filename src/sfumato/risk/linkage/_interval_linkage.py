"""What the attacks that know the method share: the nearest record inside the intervals that the method allows."""

from collections.abc import Callable
from typing import Annotated

import numpy as np
from pydantic import Field

from sfumato.contracts import Measurement, RiskMeasure
from sfumato.kernels.linkage.boxes import Boxes, share_in_box
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.numerics.standardisation import standardise_both, varies
from sfumato.risk.linkage.distance_linkage import LinkTies

MaxKeys = Annotated[int, Field(ge=1)]
"""The largest number of columns that the intruder knows."""

Ends = tuple[FloatColumn, FloatColumn]
"""The lowest and the highest masked value that a person's record may have, one of each per person."""


def link_inside_intervals(
    original: FloatMatrix,
    masked: FloatMatrix,
    rows: Rows,
    admissible: Callable[[FloatColumn, FloatColumn], Ends],
    max_keys: int,
    ties: LinkTies,
) -> FloatMatrix:
    """Return for each number of keys (a row each) how far the person `original[rows]` is linked to each masked record.

    `admissible` tells from what is known of the persons, and from the masked column, which masked values are possible;
    the intruder links each person to the nearest record that is possible in all known columns, those that lack the
    fewest of the known values first. Columns that are constant in the original are left out.
    """
    telling = np.cumsum(varies(original))[:max_keys]
    before, after = standardise_both(original, masked)
    persons, own = before[rows], np.arange(len(rows))
    ends = [admissible(known, column) for known, column in zip(persons.T, after.T, strict=True)]
    lowest, highest = (np.reshape([end[side] for end in ends], (len(ends), len(rows))).T for side in (0, 1))
    shares = [
        share_in_box(after[:, :count], Boxes(persons[:, :count], lowest[:, :count], highest[:, :count]), own)
        for count in telling
    ]
    linked = np.array(shares, dtype=np.float64)
    return linked if ties is LinkTies.SHARED else np.sign(linked)


def values_at(places: Rows, rising: FloatColumn, known: FloatColumn) -> FloatColumn:
    """Return the values in some places of a sorted column, or in its nearest place; NaN where nothing is known.

    Examples
    --------
    >>> values_at(np.array([-2, 1, 3]), np.array([10.0, 20.0, 30.0]), np.array([1.0, np.nan, 2.0]))
    array([10., nan, 30.])
    """
    return np.where(np.isnan(known), np.nan, rising[places.clip(0, rising.size - 1)])


def linkage_measurement(measure: RiskMeasure, linked: FloatMatrix) -> Measurement:
    """Return the percent of records linked, the mean over the scenarios (a row each), by scenario and by record."""
    parts = {str(keys): 100 * float(scenario.mean()) for keys, scenario in enumerate(linked, start=1)}
    value = float(np.mean(list(parts.values())))
    return Measurement(measure.name(), measure.symbol, value, parts=parts, per_record=100 * linked.mean(axis=0))
