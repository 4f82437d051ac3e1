"""Gaps that a key had before anything was masked, and that mean something: no stay of months has a day of discharge."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.data.distinct_values import factorise
from sfumato.keys.households import Households
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, rule_out
from sfumato.keys.telling_columns import SIZE, has_order, ordered_codes, released_households, telling_names
from sfumato.keys.unit_rows import rows_of_units
from sfumato.numerics.arrays import Booleans, CodeColumn, Rows

MOST = 0.5  # of the gaps that look alike: where more mean something, who takes one for such is more often right


class OwnGaps(NamedTuple):
    """Gaps of a key that follow a rule, as those of who was not asked do: others know of whom there is no value.

    Parameters
    ----------
    key
        The key.
    column
        The column that shows it: everybody with some of its values has such a gap.
    kinds
        A number for the kind of such a gap in each record of the file before masking, 0 where there is none.
    """

    key: str
    column: str
    kinds: CodeColumn


def gap_kinds(data: Microdata, column: str) -> CodeColumn:
    """Return 0 where a column has a value, and a number for each kind of gap: 1 for an empty cell, others for codes."""
    kinds = np.zeros(data.n, dtype=np.int64)
    gaps = np.flatnonzero(~data.observed(column)) if column != SIZE else np.empty(0, dtype=np.int64)
    if gaps.size:
        is_empty = data.table[column].is_null().to_numpy()[gaps]
        kinds[gaps] = 1 if is_empty.all() else factorise(data.table[column][gaps])[0] + 2  # an empty cell is -1
    return kinds


def own_gaps(original: Microdata, names: Iterable[str]) -> list[OwnGaps]:
    """Return the gaps of keys that follow a rule, as another column shows.

    Somebody who does not answer is in all categories of other columns. Where by no chance some of them have nothing
    but gaps, a gap is no refusal: nobody below 15 has an occupation.
    """
    kinds = {name: held for name in names if (held := gap_kinds(original, name)).any()}
    if not kinds:
        return []
    homes = released_households(original)
    persons = numbers_of_persons(original, np.arange(original.n)) if homes is None else None
    found = []
    for name, held in kinds.items():
        meant = {
            int(kind): column
            for kind in np.unique(held[held > 0])
            if (column := _column_of_rule(original, name, held == kind, homes, persons))
        }
        if meant:
            found.append(OwnGaps(name, next(iter(meant.values())), np.where(np.isin(held, [*meant]), held, 0)))
    return found


def _column_of_rule(
    data: Microdata, name: str, is_gap: Booleans, homes: Households | None, persons: CodeColumn | None
) -> str:
    """Return a column some of whose values stand beside nothing but gaps of a key, by no chance; empty if none."""
    if is_gap.all():
        return ""
    for column in telling_names(data):
        if column == name:
            continue
        codes = ordered_codes(data, column)
        place = ReleasedKey(codes, codes, has_order(data, column))
        categories, count = place.categories
        lacks = np.bincount(categories[~is_gap], minlength=count)[:-1] == 0
        if not (lacks & (np.bincount(categories, minlength=count)[:-1] > 0)).any():
            continue
        has_gap = is_gap.astype(np.int64)
        ruled = rule_out(place, has_gap, rows_of_units(codes, has_gap, homes, persons), is_ordered=False)
        if ruled is not None and not ruled.allowed[ruled.kinds[np.argmin(is_gap)]][:-1].all():
            return column
    return ""


def ruled_out_by_own_gaps(gaps: Iterable[OwnGaps], masked: Microdata, rows: Rows) -> list[RuledOut]:
    """Return what gaps rule out that mean something: all persons of whom the key has a value, or another kind of gap.

    A suppressed value may look the same. Where most of the gaps that do are such, nothing is told.

    Parameters
    ----------
    gaps
        The gaps before masking.
    masked, rows
        The file as it is released, and which rows of the file before masking its records were.
    """
    found = []
    for one in gaps:
        kinds, looks = one.kinds[rows], gap_kinds(masked, one.key)
        count = int(looks.max(initial=0)) + 1
        meant = np.bincount(looks[kinds > 0], minlength=count)
        is_told = (meant > MOST * np.bincount(looks, minlength=count)) & (np.arange(count) > 0)
        told = np.where((kinds > 0) & is_told[looks], looks, 0)
        allowed = np.ones((count, int(kinds.max(initial=0)) + 1), dtype=np.bool_)
        allowed[is_told] = False
        allowed[told[told > 0], kinds[told > 0]] = True
        if told.any():
            found.append(RuledOut(told, kinds, allowed))
    return found
