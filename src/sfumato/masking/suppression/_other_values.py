"""Values of columns that are no keys and rule out all but a few records or persons: some are made missing too."""

from collections.abc import Mapping, Sequence

import numpy as np

from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.hinting_columns import Hint
from sfumato.keys.ruled_out import RuledOut
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

MAX_PERSONS = 200  # who are helped at a time: what is suppressed for one helps others

Lost = dict[str, Booleans]
"""For some columns the records that lose their value."""


def values_for_records(file: FittingPersons, hints: Sequence[Hint], may_lose: Sequence[str], k: int) -> Lost:
    """Return the values that records lose themselves which fewer than k persons fit, whatever their keys show.

    Each record loses the one after which most persons fit, k being enough; where more is needed, this is asked again.
    """
    nothing = np.zeros(len(file.classes.shown), dtype=np.bool_)
    rows = file.exposed(k)[0]
    rows = rows[file.counts_without(rows, nothing, k) < k]
    sources = [name for name in may_lose if any(hint.source == name for hint in hints)]
    if not rows.size or not sources:
        return {}
    before = file.counts_without(rows, nothing, k)
    after = np.array(
        [
            file.ruled_by([hint.ruled for hint in hints if hint.source != name]).counts_without(rows, nothing, k)
            for name in sources
        ]
    )
    best = after.argmax(axis=0)
    lost: Lost = {}
    for row, place in zip(rows, np.where(after.max(axis=0) > before, best, -1), strict=True):
        if place >= 0:
            lost.setdefault(sources[place], np.zeros(file.classes.is_unknown.size, dtype=np.bool_))[row] = True
    return lost


def values_for_persons(
    file: FittingPersons,
    hints: Sequence[Hint],
    gaps: Sequence[RuledOut],
    may_lose: Sequence[str],
    importance: FloatColumn,
    k: int,
) -> tuple[Booleans, Lost]:
    """Return the cells of keys (records x keys) and the other values to suppress so that k records fit each person.

    Parameters
    ----------
    file, hints, gaps
        The released records and the persons, what other columns rule out, and what gaps of keys do.
    may_lose
        The columns that may lose values; where others rule out a person, or gaps do, nothing helps.
    importance, k
        What a cell of each key costs, where another value costs 1, and how many records must fit.
    """
    cells = np.zeros(file.classes.shown.T.shape, dtype=np.bool_)
    lost: Lost = {}
    for person in _persons_with_few(file, gaps, k)[:MAX_PERSONS]:
        rows, differs, told = _nearest_records(file, hints, gaps, may_lose, importance, k, person, cells, lost)
        cells[rows] |= differs[:, rows].T
        for name, is_told in told.items():
            if is_told[rows].any():
                lost.setdefault(name, np.zeros(len(cells), dtype=np.bool_))[rows[is_told[rows]]] = True
    return cells, lost


def _persons_with_few(file: FittingPersons, gaps: Sequence[RuledOut], k: int) -> Rows:
    return np.flatnonzero(file.ruled_by((*file.ruled, *gaps)).record_counts(k) < k)


def _nearest_records(
    file: FittingPersons,
    hints: Sequence[Hint],
    gaps: Sequence[RuledOut],
    may_lose: Sequence[str],
    importance: FloatColumn,
    k: int,
    person: int,
    cells: Booleans,
    lost: Mapping[str, Booleans],
) -> tuple[Rows, Booleans, Lost]:
    """Return the k records that need lose least to fit a person, none where k cannot, and what each would have to lose.

    The latter are the keys that differ (keys x records), and for other columns the records that rule out the person.
    """
    shown = np.where(cells.T, -1, file.classes.shown)
    differs = (shown >= 0) & (shown != file.classes.known[:, [person]])
    blocked = np.zeros(shown.shape[1], dtype=np.bool_)
    told: Lost = {}
    for hint in hints:
        is_out = _is_ruled_out(hint.ruled, person)
        if hint.source not in may_lose:
            blocked |= is_out
        elif is_out.any():
            is_out &= ~lost[hint.source] if hint.source in lost else True
            told[hint.source] = told.get(hint.source, np.zeros_like(is_out)) | is_out
    for ruled in gaps:
        blocked |= _is_ruled_out(ruled, person)
    cost = importance @ differs + sum(is_told.astype(np.float64) for is_told in told.values())
    able: CodeColumn = np.flatnonzero(~blocked)
    nearest = able[np.argsort(cost[able], kind="stable")[:k]]
    return nearest if nearest.size == k else nearest[:0], differs, told


def _is_ruled_out(ruled: RuledOut, person: int) -> Booleans:
    """Tell which records rule out a person."""
    return np.asarray(~ruled.allowed[ruled.kinds, ruled.categories[person]])
