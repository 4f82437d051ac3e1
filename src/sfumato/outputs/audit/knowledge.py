"""What a reader of all outputs knows: bounds of sums over sets of atoms, without what follows from the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.small_groups import hashes
from sfumato.outputs.facts import Facts


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Bounds of what sets of atoms add up to.

    Parameters
    ----------
    sets
        The sparse 0/1 matrix (sets x atoms).
    lower, upper
        What a reader knows of each; equal where the figure itself is shown.
    """

    sets: Any  # scipy.sparse.csr_array
    lower: FloatColumn
    upper: FloatColumn

    @property
    def is_exact(self) -> Booleans:
        """Which figures are known themselves."""
        return np.asarray(self.lower == self.upper, dtype=np.bool_)


def known_counts(facts: Sequence[Facts], atoms: Atoms, *, with_total: bool = True) -> Knowledge:
    """Return what the shown counts of outputs tell; how many records there are in all is known, too, if they count."""
    everybody = np.ones((1, atoms.size)), np.array([atoms.sizes.sum()])
    rows, lower, upper = _visible_sets(facts, atoms, atoms.sizes)
    covers_all = any(_tells_every_group(fact) and (fact.groups >= 0).all() for fact in facts)
    if with_total and not covers_all:
        rows, lower, upper = [*rows, everybody[0]], [*lower, everybody[1]], [*upper, everybody[1]]
    return _without_repeats(rows, lower, upper, atoms)


def known_sums(facts: Sequence[Facts], atoms: Atoms, sums: FloatColumn) -> Knowledge:
    """Return what the shown sums of a variable tell."""
    return _without_repeats(*_visible_sets(facts, atoms, sums, exact=True), atoms)


def _visible_sets(
    facts: Sequence[Facts], atoms: Atoms, amounts: FloatColumn, *, exact: bool = False
) -> tuple[list[Any], list[FloatColumn], list[FloatColumn]]:
    rows, lower, upper = [], [], []
    for fact, cells in zip(facts, atoms.cells, strict=True):
        chosen = np.flatnonzero(fact.is_shown & ~_follows_from_parts(fact))
        figures = cells[chosen] @ amounts
        ends = (figures, figures) if exact else fact.bounds(figures)
        rows.append(cells[chosen])
        lower.append(ends[0])
        upper.append(ends[1])
    return rows, lower, upper


def _visible_groups(fact: Facts) -> Booleans:
    """Tell which finest groups of an output are shown as cells of their own."""
    alone = fact.is_shown & (np.diff(fact.cells.indptr) == 1)
    shown = np.zeros(fact.cells.shape[1], dtype=np.bool_)
    shown[fact.cells[np.flatnonzero(alone)].indices] = True
    return shown


def _tells_every_group(fact: Facts) -> bool:
    return not fact.rounding and bool(_visible_groups(fact).all())


def _follows_from_parts(fact: Facts) -> Booleans:
    """Tell which totals a reader can add up from shown parts; rounded figures do not add up."""
    if fact.rounding:
        return np.zeros(fact.size, dtype=np.bool_)
    parts = np.diff(fact.cells.indptr)
    return np.asarray((parts > 1) & (fact.cells @ _visible_groups(fact).astype(float) == parts), dtype=np.bool_)


def _without_repeats(
    rows: Sequence[Any], lower: Sequence[FloatColumn], upper: Sequence[FloatColumn], atoms: Atoms
) -> Knowledge:
    from scipy.sparse import csr_array, vstack

    sets = vstack([csr_array((0, atoms.size)), *map(csr_array, rows)]).tocsr()
    low, high = np.concatenate([np.empty(0), *lower]), np.concatenate([np.empty(0), *upper])
    _, first, place = np.unique(hashes(sets, atoms.marks), return_index=True, return_inverse=True)
    tightest_low, tightest_high = np.full(first.size, -np.inf), np.full(first.size, np.inf)
    np.maximum.at(tightest_low, place, low)
    np.minimum.at(tightest_high, place, high)
    return Knowledge(sets[first], tightest_low, tightest_high)
