"""What the attacks that know the method share: the nearest record inside the intervals that the method allows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Self

import numpy as np
from pydantic import Field

from sfumato.contracts import Measurement, RiskMeasure
from sfumato.display import format_percent
from sfumato.kernels.linkage.boxes import Boxes, Placed, only_in_box, place_points, share_in_box
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.standardisation import standardise_both, varies
from sfumato.risk.linkage.distance_linkage import LinkTies

MaxKeys = Annotated[int, Field(ge=1)]
"""The largest number of columns that the intruder knows."""

Ends = tuple[FloatColumn, FloatColumn]
"""The lowest and the highest masked value that a person's record may have, one of each per person."""


class BoxLinks(NamedTuple):
    """What the intruder finds, a row per number of known keys and a column per person.

    Parameters
    ----------
    linked
        How far the person is linked to the own record, from 0 to 1.
    sure
        1 where a single record is possible and it is the right one, so that the intruder knows the link to be right.
    mistaken
        1 where a single record is possible and it is a wrong one: the file was not masked as the intruder believes.
    """

    linked: FloatMatrix
    sure: FloatMatrix
    mistaken: FloatMatrix


def link_inside_intervals(
    original: FloatMatrix,
    masked: FloatMatrix,
    rows: Rows,
    admissible: Callable[[FloatColumn, FloatColumn], Ends],
    max_keys: int,
    ties: LinkTies,
) -> BoxLinks:
    """Return by number of keys how far each masked record is linked to its person `original[rows]`, and how surely.

    `admissible` tells from what is known of the persons, and from the masked column, which masked values are possible;
    the intruder links each person to the nearest record that is possible in all known columns, those that lack the
    fewest of the known values first. What is missing must fit as far as masking left it: see `gap_boxes`. Of columns
    that are constant in the original nothing else is used.
    """
    scenarios = _Scenarios.of(original, masked, rows, admissible)
    count, own = min(max_keys, original.shape[1]), np.arange(len(rows))
    linked, sure, mistaken = np.zeros((3, count, len(rows)))
    for last in range(count):
        records, boxes = scenarios.place(last)
        linked[last] = share_in_box(records, boxes, own)
        only = only_in_box(records, boxes)
        sure[last], mistaken[last] = only == own, (only >= 0) & (only != own)
    return BoxLinks(linked if ties is LinkTies.SHARED else np.sign(linked), sure, mistaken)


def share_inside_intervals(
    original: FloatMatrix, masked: FloatMatrix, rows: Rows, admissible: Callable[[FloatColumn, FloatColumn], Ends]
) -> FloatColumn:
    """Return how far each masked record is linked to its person where all columns are known, equally near ones by lot.

    This is the last row of `linked` of `link_inside_intervals`, without the scenarios of fewer keys.
    """
    records, boxes = _Scenarios.of(original, masked, rows, admissible).place(original.shape[1] - 1)
    return share_in_box(records, boxes, np.arange(len(rows)))


@dataclass(frozen=True, eq=False)
class _Scenarios:
    """Persons with their intervals, and masked records, of which the first columns are known in each scenario."""

    telling: Rows
    gaps: FloatMatrix
    gap_ends: FloatMatrix
    boxes: Boxes
    masked: FloatMatrix

    @classmethod
    def of(
        cls,
        original: FloatMatrix,
        masked: FloatMatrix,
        rows: Rows,
        admissible: Callable[[FloatColumn, FloatColumn], Ends],
    ) -> Self:
        gaps, gap_ends = gap_boxes(np.isnan(original[rows]), np.isnan(masked))
        before, after = standardise_both(original, masked)
        persons = before[rows]
        ends = [admissible(known, column) for known, column in zip(persons.T, after.T, strict=True)]
        lowest, highest = (np.reshape([end[side] for end in ends], (len(ends), len(rows))).T for side in (0, 1))
        return cls(np.cumsum(varies(original)), gaps, gap_ends, Boxes(persons, lowest, highest), after)

    def place(self, last: int) -> tuple[Placed, Boxes]:
        """Return the masked records and the boxes where the columns up to the `last` are known."""
        telling_gaps = np.flatnonzero(~np.isnan(self.gap_ends).all(axis=0))
        some, count = telling_gaps[telling_gaps <= last], self.telling[last]
        boxes = Boxes(*(np.hstack([self.gap_ends[:, some], side[:, :count]]) for side in self.boxes))
        return place_points(np.hstack([self.gaps[:, some], self.masked[:, :count]])), boxes


def gap_boxes(lacking: Booleans, lacking_masked: Booleans) -> tuple[FloatMatrix, FloatMatrix]:
    """Return for each masked record and column whether the value is missing, and what it must be for each person.

    Where no value of the column was filled in, who lacks one cannot be a record that has it; where none was suppressed,
    who has a value cannot be a record that lacks it. Methods that leave missing values alone do neither, and an
    intruder who knows the method knows this. NaN where both are possible, or all records are alike.

    Examples
    --------
    >>> gap_boxes(np.array([[True], [False], [False]]), np.array([[True], [True], [False]]))[1]  # one was suppressed
    array([[ 1.],
           [nan],
           [nan]])
    """
    is_filled, is_suppressed = (
        np.any(found, axis=0) for found in (lacking & ~lacking_masked, lacking_masked & ~lacking)
    )
    is_open = np.where(lacking, is_filled, is_suppressed) | (lacking_masked == lacking_masked[:1]).all(axis=0)
    return lacking_masked.astype(np.float64), np.where(is_open, np.nan, lacking.astype(np.float64))


def values_at(places: Rows, rising: FloatColumn, known: FloatColumn) -> FloatColumn:
    """Return the values in some places of a sorted column, or in its nearest place; NaN where nothing is known.

    Examples
    --------
    >>> values_at(np.array([-2, 1, 3]), np.array([10.0, 20.0, 30.0]), np.array([1.0, np.nan, 2.0]))
    array([10., nan, 30.])
    """
    return np.where(np.isnan(known), np.nan, rising[places.clip(0, rising.size - 1)])


def linkage_measurement(measure: RiskMeasure, found: BoxLinks, remark: str = "") -> Measurement:
    """Return the percent of records linked: the mean over the scenarios, by scenario, by record, and surely."""
    parts = {str(keys): 100 * float(scenario.mean()) for keys, scenario in enumerate(found.linked, start=1)}
    value = float(np.mean(list(parts.values())))
    parts[measure.part_symbols[0]] = 100 * float(found.sure.mean())
    per_record = 100 * found.linked.mean(axis=0)
    return Measurement(measure.name(), measure.symbol, value, parts=parts, per_record=per_record, remark=remark)


def remark_on_mistakes(found: BoxLinks) -> str:
    """Say of links that look sure and are not that the file was masked otherwise; nothing where there are none."""
    if not found.mistaken.any():
        return ""
    percent = 100 * found.mistaken.sum() / (found.sure.sum() + found.mistaken.sum())
    return (
        f"where only one record is possible, it is a wrong one in {format_percent(percent)} of cases: the file was not "
        f"masked as this intruder believes, or was changed afterwards, and a low figure tells little"
    )
