"""Audit counts: what a reader of all outputs can conclude of each small group, exactly and in whole numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.count_worlds import CountWorlds
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.small_groups import Groups, hashes


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


def audit_counts(atoms: Atoms, known: Knowledge, groups: Groups, min_units: int) -> CountFindings:
    """Find for small groups whether a reader can conclude too much.

    A small cell is safe when the reader can rule out neither `min_units` records nor as many fewer than there are. Any
    other small group is safe when the reader cannot rule out `min_units` records. Where that holds for every atom, it
    holds for every group that outputs tell apart, as each is made of atoms and has at least as many records as one.

    Parameters
    ----------
    atoms
        The groups of records that outputs tell apart.
    known
        What the outputs show.
    groups
        Small groups: at least one record, and fewer than `min_units`.
    min_units
        The smallest safe number of records.
    """
    merged = _merge_atoms(atoms, known)
    inside = (groups.members @ merged.place).tocsr()
    touched, full = _where(inside, inside.data > 0), _where(inside, inside.data == merged.parts[inside.indices])
    low, high = count_levels(groups, min_units)
    seen = _Seen(groups, touched, full, low, high, min_units)
    seen.see_world(np.arange(groups.count), touched @ merged.sizes, full @ merged.sizes)
    for component in _components(merged.sets, touched, seen.open_groups):
        _search_component(merged, known, seen, component)
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

    def __init__(
        self, groups: Groups, touched: Any, full: Any, low: FloatColumn, high: FloatColumn, min_units: int
    ) -> None:
        self.touched, self.full = touched, full
        self._low, self._high, self._is_cell, self._min_units = low, high, groups.is_cell, min_units
        self.lowest, self.highest = groups.sizes.copy(), groups.sizes.copy()

    @property
    def is_open(self) -> Booleans:
        """The groups that no world seen so far makes safe."""
        cell = (self.lowest > self._low) | (self.highest < self._high)
        return np.where(self._is_cell, cell, self.highest < self._min_units)

    @property
    def open_groups(self) -> Rows:
        return np.flatnonzero(self.is_open)

    def see_world(self, groups: Rows, highest: FloatColumn, lowest: FloatColumn) -> None:
        """Take a world into account by the most and the fewest records that groups can have in it."""
        self.highest[groups] = np.maximum(self.highest[groups], highest)
        self.lowest[groups] = np.minimum(self.lowest[groups], lowest)

    def wants(self, group: int, *, is_up: bool) -> bool:
        """Tell whether a group has to be open further up, or down."""
        if not self._is_cell[group]:
            return is_up
        return bool(self.highest[group] < self._high[group] if is_up else self.lowest[group] > self._low[group])


def _search_component(merged: _Merged, known: Knowledge, seen: _Seen, component: tuple[Rows, Rows, Rows]) -> None:
    """Look for worlds that make the groups of a component safe, one group after the other."""
    columns, rows, members = component
    worlds = CountWorlds(merged.sets[rows][:, columns], known.lower[rows], known.upper[rows], float(merged.sizes.sum()))
    touched, full = seen.touched[members][:, columns], seen.full[members][:, columns]
    for place, group in enumerate(members.tolist()):
        for is_up in (False, True) if seen.lowest[group] <= 1 else (True, False):
            if not (seen.is_open[group] and seen.wants(group, is_up=is_up)):
                continue
            costs = -touched[[place]].toarray()[0] if is_up else full[[place]].toarray()[0]
            world = worlds.lowest(costs)
            if world is not None:
                seen.see_world(members, touched @ world, full @ world)


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


def _components(sets: Any, touched: Any, open_groups: Rows) -> list[tuple[Rows, Rows, Rows]]:
    """Return the merged atoms, figures and open groups that hang together."""
    from scipy.sparse import block_array, vstack
    from scipy.sparse.csgraph import connected_components

    if not open_groups.size:
        return []
    figures = sets.shape[0]
    links = vstack([sets, touched[open_groups]]).tocsr()
    labels = connected_components(block_array([[None, links], [links.T, None]]), directed=False)[1]
    of_figure, of_group, of_column = np.split(labels, [figures, figures + open_groups.size])
    return [
        (np.flatnonzero(of_column == label), np.flatnonzero(of_figure == label), open_groups[of_group == label])
        for label in np.unique(of_group).tolist()
    ]
