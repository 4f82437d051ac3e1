"""Audit counts: what a reader of all outputs can conclude of each small group, exactly and in whole numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.components import Component, components
from sfumato.outputs.audit.count_worlds import CountWorlds
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.small_groups import Groups, hashes

MIN_FILLED = 3  # fewer groups are made safe one by one

Cache = dict[bytes, tuple[FloatColumn, FloatColumn]]
"""The most and the fewest records of the groups of parts that were searched."""


@dataclass(frozen=True, eq=False)
class CountFindings:
    """What was found of each group; it holds confidential figures.

    Parameters
    ----------
    lowest, highest
        Counts that some world has, so that a reader cannot rule them out.
    is_safe
        Whether that is enough.
    """

    lowest: FloatColumn
    highest: FloatColumn
    is_safe: Booleans


def count_levels(groups: Groups, min_units: int) -> tuple[FloatColumn, FloatColumn]:
    """Return how far down and up the count of each small cell must be open: from below as far as from above.

    A reader must be unable to tell a cell of few records from a safe one, which has `min_units`.
    """
    lacking = min_units - groups.sizes
    return groups.sizes - np.minimum(lacking, groups.sizes), np.full(groups.count, float(min_units))


def audit_counts(
    atoms: Atoms, known: Knowledge, groups: Groups, low: FloatColumn, min_units: int, cache: Cache | None = None
) -> CountFindings:
    """Find for small groups whether a reader can conclude too much.

    A small group is safe when the reader cannot rule out `min_units` records, nor as few as a given number. Where the
    first holds for every atom, it holds for every group that outputs tell apart, as each is made of atoms and has at
    least as many records as one.

    Parameters
    ----------
    atoms
        The groups of records that outputs tell apart.
    known
        What the outputs show.
    groups
        Small groups: at least one record, and fewer than `min_units`.
    low
        For each group how few records a reader must be unable to rule out; its own number for no such demand.
    min_units
        The smallest safe number of records.
    cache
        What earlier audits of the same atoms found of parts that hang together; it is added to.
    """
    merged = _merge_atoms(atoms, known)
    inside = (groups.members @ merged.place).tocsr()
    touched, full = _where(inside, inside.data > 0), _where(inside, inside.data == merged.parts[inside.indices])
    seen = _Seen(groups, low, min_units)
    seen.see_world(np.arange(groups.count), touched @ merged.sizes, full @ merged.sizes)
    marks = hashes(known.sets, atoms.marks), hashes(groups.members, atoms.marks)
    found = {} if cache is None else cache
    for part in components(merged.sets, touched, full, seen.open_groups):
        key = part.key(known, marks) + low[part.groups].tobytes()
        if key not in found:
            worlds = CountWorlds(part.sets, known.lower[part.figures], known.upper[part.figures], merged.sizes.sum())
            _search(worlds, part, seen)
            found[key] = seen.highest[part.groups], seen.lowest[part.groups]
        seen.see_world(part.groups, *found[key])
    return CountFindings(seen.lowest, seen.highest, ~seen.is_open)


@dataclass(frozen=True, eq=False)
class _Merged:
    """Atoms that no shown figure tells apart, put together: a reader may divide their records as they like."""

    place: Any  # (atoms x merged)
    parts: FloatColumn
    sizes: FloatColumn
    sets: Any


class _Seen:
    """The worlds seen so far, by the lowest and highest count of each group in them."""

    def __init__(self, groups: Groups, low: FloatColumn, min_units: int) -> None:
        self._low, self.min_units = low, min_units
        self.lowest, self.highest = groups.sizes.copy(), groups.sizes.copy()

    @property
    def is_open(self) -> Booleans:
        """The groups that no world seen so far makes safe."""
        return np.asarray((self.lowest > self._low) | (self.highest < self.min_units), dtype=np.bool_)

    @property
    def open_groups(self) -> Rows:
        return np.flatnonzero(self.is_open)

    def see_world(self, groups: Rows, highest: FloatColumn, lowest: FloatColumn) -> None:
        """Take a world into account by the most and the fewest records that groups can have in it."""
        self.highest[groups] = np.maximum(self.highest[groups], highest)
        self.lowest[groups] = np.minimum(self.lowest[groups], lowest)

    def goal(self, group: int, *, is_up: bool) -> float:
        """Return how many records a world must give a group: as a cost, which is negative for a number from below."""
        return float(-self.min_units if is_up else self._low[group])

    def wants(self, group: int, *, is_up: bool) -> bool:
        """Tell whether a group has to be open further up, or down."""
        return bool(self.highest[group] < self.min_units if is_up else self.lowest[group] > self._low[group])


def _search(worlds: CountWorlds, part: Component, seen: _Seen) -> None:
    """Look for worlds that make the groups of a component safe: first many groups at once, then one by one."""
    _fill_many(worlds, part, seen)
    for place, group in enumerate(part.groups.tolist()):
        for is_up in (False, True):
            if not seen.wants(group, is_up=is_up):
                continue
            costs = -part.touched[[place]].toarray()[0] if is_up else part.full[[place]].toarray()[0]
            world = worlds.lowest(costs, seen.goal(group, is_up=is_up))
            if world is not None:
                seen.see_world(part.groups, part.touched @ world, part.full @ world)


def _fill_many(worlds: CountWorlds, part: Component, seen: _Seen) -> None:
    """Look for worlds in which many groups of a single atom have enough records, until one helps no more."""
    is_single = np.diff(part.touched.indptr) == 1
    while True:
        wanted = [seen.wants(group, is_up=True) for group in part.groups.tolist()]
        chosen = np.flatnonzero(is_single & np.array(wanted))
        if chosen.size < MIN_FILLED:
            return
        columns = np.unique(part.touched.indices[part.touched.indptr[chosen]])
        world = worlds.fill(columns, seen.min_units)
        if world is None or not (part.touched[chosen] @ world >= seen.min_units).any():
            return
        seen.see_world(part.groups, part.touched @ world, part.full @ world)


def _merge_atoms(atoms: Atoms, known: Knowledge) -> _Merged:
    from scipy.sparse import csr_array

    marks = np.random.default_rng(known.lower.size).integers(1, 2**63, size=known.lower.size, dtype=np.uint64)
    _, first, place = np.unique(hashes(known.sets.T.tocsr(), marks), return_index=True, return_inverse=True)
    matrix = csr_array((np.ones(atoms.size), (np.arange(atoms.size), place)), shape=(atoms.size, first.size))
    parts = np.bincount(place, minlength=first.size).astype(np.float64)
    return _Merged(matrix, parts, np.bincount(place, atoms.sizes).astype(np.float64), known.sets[:, first].tocsr())


def _where(matrix: Any, is_one: Booleans) -> Any:
    """Return a sparse matrix of ones at some of the entries of another."""
    from scipy.sparse import csr_array

    ones = csr_array((is_one.astype(np.float64), matrix.indices, matrix.indptr), shape=matrix.shape, copy=True)
    ones.eliminate_zeros()
    return ones
