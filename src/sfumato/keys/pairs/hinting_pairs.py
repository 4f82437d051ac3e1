"""Pairs of columns that help to guess a key: income and income by head tell the size of many households."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import Households
from sfumato.keys.pairs.column_pairs import SECOND_LOOK, ColumnPair, in_cells, promising_pairs
from sfumato.keys.ruled_out import BY_CHANCE_IF_MADE, ReleasedKey, RuledOut, rule_out
from sfumato.keys.telling_columns import TOLD
from sfumato.keys.unit_rows import rows_of_units
from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.hashing import rows_by_content
from sfumato.numerics.ranking import in_order

MIN_TOLD = 0.05  # of the records, told by values between others: two columns that merely go with a key tell its ends
MIN_TOLD_AT_ENDS = 0.5  # of the records, told by any values
MAX_PAIRS = 5  # of a key, those that tell it of most records


class PairHint(NamedTuple):
    """A key, the pair of columns that rules out some of its categories, in words, and what it rules out."""

    key: str
    words: str
    ruled: RuledOut


def hinting_pairs(
    masked: Microdata,
    pairs: Sequence[ColumnPair],
    keys: Mapping[str, ReleasedKey],
    homes: Households | None,
    persons: CodeColumn | None = None,
) -> list[PairHint]:
    """Return the pairs of columns that tell a masked key of a part of the records, and what they rule out of it.

    So much of a key follows from two columns, and from neither alone, where one was computed from the other by it. What
    two columns tell that merely go with a key is not looked for.

    Parameters
    ----------
    masked, pairs
        The file as it is released, and the pairs to look at.
    keys
        The keys that were masked.
    homes, persons
        The households, where they are released, and the person of each record, where some have several.
    """
    rows = np.arange(masked.n) if persons is None else np.unique(persons, return_index=True)[1]
    columns = dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second))
    numbers = {name: masked.values(name) for name in columns}
    content = [*(key.before for key in keys.values()), *numbers.values()]
    drawn = rows[rows_by_content(*(one[rows] for one in content))][:SECOND_LOOK] if content else rows[:0]
    values = {name: column[drawn] for name, column in numbers.items()}
    before = {name: key.before[drawn] for name, key in keys.items()}
    found: dict[str, list[tuple[float, PairHint]]] = {name: [] for name in keys}
    for name, pair in promising_pairs(values, pairs, before):
        ruled = _ruled_out(masked, pair, keys[name], homes, persons)
        if ruled is not None:
            told = np.count_nonzero(ruled.allowed[ruled.kinds], axis=1).mean()
            found[name].append((float(told), PairHint(name, pair.words, ruled)))
    best = [sorted(hints, key=lambda one: one[0])[:MAX_PAIRS] for hints in found.values()]
    return [hint for hints in best for _, hint in hints]


def _ruled_out(
    masked: Microdata, pair: ColumnPair, key: ReleasedKey, homes: Households | None, persons: CodeColumn | None
) -> RuledOut | None:
    """Return what a pair rules out of a key that it tells of enough records; None where it does not.

    Records that have both values in common, as in a group, count once. Once it is no chance that the key was used to
    compute a column, the rule by which that was done is known, and tells also what few records show.
    """
    values = {name: masked.values(name) for name in (pair.first, pair.second)}
    together = pair.of_values(values)
    both = np.where(np.isfinite(together), classes_of(np.array([in_order(one) for one in values.values()])).numbers, -1)
    units, cells = rows_of_units(key.before, both, homes, persons), in_order(in_cells(together))
    if not _is_made_from(cells, rule_out(key, cells, units, is_ordered=True)):
        return None
    return rule_out(key, cells, units, is_ordered=True, by_chance=BY_CHANCE_IF_MADE)


def _is_made_from(cells: CodeColumn, ruled: RuledOut | None) -> bool:
    """Tell whether values leave one category of a key, or such as few records have, in enough records.

    The larger two columns that go with a key, the larger it is, so that the ends of what they give together tell it. A
    column that was made by the key tells it between the ends too.
    """
    if ruled is None:
        return False
    held = np.bincount(ruled.categories, minlength=ruled.allowed.shape[1])[:-1]
    left = ruled.allowed[:, :-1] & (held > 0)
    is_told = (np.count_nonzero(left, axis=1) == 1) | (left @ held <= TOLD * held.sum())
    told = np.where(is_told, left.argmax(axis=1), -1)[ruled.kinds]
    known = np.flatnonzero(cells >= 0)
    _, first, place = np.unique(cells[known], return_index=True, return_inverse=True)
    of_cell = told[known[first]]
    run = np.concatenate([[0], np.cumsum(of_cell[1:] != of_cell[:-1])])
    between = (run > 0) & (run < run[-1]) & (of_cell >= 0)
    records = np.bincount(place)
    return bool(
        records[between].sum() >= MIN_TOLD * cells.size or records[of_cell >= 0].sum() >= MIN_TOLD_AT_ENDS * cells.size
    )
