"""What somebody learns of confidential numbers who knows a person's keys, without finding the record."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Kind, Microdata, Role
from sfumato.data.distinct_values import factorise
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.reports.release.fitting_records import WITHIN, chances_by_fit, fitting_looks_of
from sfumato.risk import IntervalDisclosure
from sfumato.risk.intervals.interval_disclosure import share_within

MAX_GAIN = 10.0  # points that keys may add to the chance of coming near a number
ROTATIONS = 2  # other persons whose values stand in for those of a person, where chance is counted


class LearntColumn(NamedTuple):
    """How often a number is learnt nearly, in percent, and by chance; of all, and of the persons who do not have 0.

    `by_keys` is of somebody who also knows what became of a person's keys, and `without_own` the same without the
    person's own record; `by_fit` of somebody who knows the keys alone, None where nobody knows what a
    person would show, and `gaining` how many persons gain more than 10 points by that. `of_record` is of somebody who
    has found the person's own record.
    """

    name: str
    by_keys: float
    by_chance: float
    not_zero_by_keys: float
    not_zero_by_chance: float
    not_zero: int
    by_fit: float | None = None
    without_own: float | None = None
    gaining: float | None = None
    of_record: float = 0.0

    @property
    def beyond(self) -> float:
        """What knowing the keys alone adds to chance; what became of them, too, where that alone is known."""
        return (self.by_keys if self.by_fit is None else self.by_fit) - self.by_chance


class LearntNumbers(NamedTuple):
    """How often a number read off a record with the same keys is nearly the true one, in percent, and by chance."""

    columns: tuple[LearntColumn, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The confidential numbers."""
        return tuple(one.name for one in self.columns)

    @property
    def most(self) -> LearntColumn:
        """The number that keys tell most of beyond chance."""
        return max(self.columns, key=lambda one: one.by_keys - one.by_chance)

    @property
    def most_by_fit(self) -> LearntColumn:
        """The number that the keys alone tell most of beyond chance."""
        return max(self.columns, key=lambda one: one.beyond)

    @property
    def by_fit(self) -> float | None:
        """The mean over columns, with the keys alone; None where that is not known."""
        known = [one.by_fit for one in self.columns if one.by_fit is not None]
        return float(np.mean(known)) if known else None

    @property
    def without_own(self) -> float | None:
        """The mean over columns, without the person's own record."""
        known = [one.without_own for one in self.columns if one.without_own is not None]
        return float(np.mean(known)) if known else None

    @property
    def of_record(self) -> float:
        """The mean over columns, read off the person's own record."""
        return float(np.mean([one.of_record for one in self.columns]))

    @property
    def by_keys(self) -> float:
        """The mean over columns, with the keys."""
        return float(np.mean([one.by_keys for one in self.columns]))

    @property
    def by_chance(self) -> float:
        """The mean over columns, without the keys."""
        return float(np.mean([one.by_chance for one in self.columns]))


def learnt_numbers(aligned: Microdata, released: Microdata, keys: tuple[str, ...]) -> LearntNumbers | None:
    """Return how often somebody comes within 10 % of a confidential number of a person by a record with their keys.

    The record is drawn from the released ones with the keys that the person's own record shows, a gap being a value of
    its own; by chance it is drawn from all. The mean over persons of each column, then over columns. None where no
    released number is confidential.

    Parameters
    ----------
    aligned, released
        The original records of the released ones, in the same order, and these.
    keys
        What is known of a person.
    """
    names = tuple(
        one.name
        for one in aligned.schema.variables
        if one.role is Role.CONFIDENTIAL
        and one.kind is Kind.CONTINUOUS
        and one.name in released.schema
        and released.schema[one.name].kind is Kind.CONTINUOUS
        and released.observed(one.name).any()
        and aligned.observed(one.name).any()
    )
    if not names:
        return None
    groups, fitting = _groups(released, keys), fitting_looks_of(aligned, released, keys)
    everybody = np.zeros_like(groups)
    columns = []
    for name in names:
        truth, shown = aligned.values(name), released.values(name)
        not_zero = np.where(truth == 0, np.nan, truth)
        asked = truth, truth if np.isnan(not_zero).all() else not_zero
        shares = [100 * _share_near(one, shown, some) for one in asked for some in (groups, everybody)]
        count = int(np.count_nonzero(~np.isnan(not_zero)))
        by_fit = gaining = None
        if fitting is not None:
            chances = chances_by_fit(truth, shown, fitting)
            by_fit, gaining = 100 * float(chances.by_fit.mean()), 100 * chances.gaining(MAX_GAIN)
        without = 100 * _share_near(truth, shown, groups, own=False)
        near = np.abs(shown - truth) <= WITHIN / 100 * np.abs(truth)
        of_record = 100 * float(near[~np.isnan(truth)].mean())
        columns.append(
            LearntColumn(name, shares[0], shares[1], shares[2], shares[3], count, by_fit, without, gaining, of_record)
        )
    return LearntNumbers(tuple(columns))


def _groups(released: Microdata, keys: tuple[str, ...]) -> CodeColumn:
    """Return the number of the group of records with equal keys that each record is in."""
    groups = np.zeros(released.n, dtype=np.int64)
    for name in keys:
        codes = factorise(released.table[name])[0] + 1
        groups = np.unique(groups * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)[1]
    return groups


def _share_near(truth: FloatColumn, shown: FloatColumn, groups: CodeColumn, *, own: bool = True) -> float:
    """Return the chance that a value drawn from the group of a record is near the true one, the mean over records.

    Without the `own` record of each the value is drawn from all where the group has no other.
    """
    known = ~np.isnan(shown)
    ordered = np.sort(shown[known])
    ranks = np.empty(ordered.size, dtype=np.int64)
    ranks[np.argsort(shown[known], kind="stable")] = np.arange(ordered.size)
    size = ordered.size + 1
    places = np.sort(groups[known] * size + ranks)
    asked = ~np.isnan(truth)
    reach = WITHIN / 100 * np.abs(truth[asked])
    low = np.searchsorted(ordered, truth[asked] - reach, side="left")
    high = np.searchsorted(ordered, truth[asked] + reach, side="right")
    first = groups[asked] * size
    near = np.searchsorted(places, first + high) - np.searchsorted(places, first + low)
    members = np.searchsorted(places, first + size) - np.searchsorted(places, first)
    if not own:
        has_own = known[asked]
        near = near - (has_own & (np.abs(shown[asked] - truth[asked]) <= reach))
        members = members - has_own
        by_chance = (high - low) / max(ordered.size, 1)
        return float(np.mean(np.where(members > 0, near / np.maximum(members, 1), by_chance)))
    return float(np.mean(near / np.maximum(members, 1)))


def interval_disclosure_by_chance(measure: IntervalDisclosure, aligned: Microdata, released: Microdata) -> float:
    """Return interval disclosure where the values of others stand in for those of each person, in percent.

    The others are the persons a third and two thirds of the file away.
    """
    names = measure.common_columns(aligned, released)
    steps = [round(aligned.n * turn / (ROTATIONS + 1)) for turn in range(1, ROTATIONS + 1)]
    found = [
        np.nanmean(
            share_within(np.roll(aligned.values(name), step), released.values(name), measure.widths, measure.ties)
        )
        for name in names
        for step in steps
        if aligned.observed(name).any()
    ]
    return 100 * float(np.mean(found)) if found else 0.0
