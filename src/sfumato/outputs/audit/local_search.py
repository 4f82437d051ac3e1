"""Search a large part of an audit around each group, and remember the worlds that were found."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.outputs.audit.components import Component
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.local_worlds import LocalWorlds, Moved
from sfumato.outputs.audit.merged_atoms import MergedAtoms
from sfumato.outputs.audit.seen_counts import SeenCounts


def search_locally(
    part: Component, lower: FloatColumn, upper: FloatColumn, sizes: FloatColumn, seen: SeenCounts
) -> list[Moved]:
    """Look for worlds that make the groups of a part safe, each by moving records around one group.

    Groups of one atom come first: where an atom can have enough records, so can every group that it lies in.

    Parameters
    ----------
    part
        The part.
    lower, upper
        The bounds of its figures.
    sizes
        The records of its atoms.
    seen
        What is known of the groups so far; it is added to.
    """
    worlds = LocalWorlds(part.sets, lower, upper, sizes)
    search = _Search(part, sizes, seen)
    found = []
    by_atoms = np.argsort(np.diff(part.touched.indptr), kind="stable")
    for is_up in (True, False):
        for place in by_atoms.tolist():
            if seen.wants(int(part.groups[place]), is_up=is_up):
                moved = worlds.move(*search.goal(place, is_up=is_up), search.wanted)
                if moved is not None:
                    found.append(moved)
                    search.see(moved)
    return found


class _Search:
    """The groups of a part, and what worlds that move few records do to them."""

    def __init__(self, part: Component, sizes: FloatColumn, seen: SeenCounts) -> None:
        self._part, self._sizes, self._seen = part, sizes, seen
        self._matrices = part.touched.tocsc(), part.full.tocsc()
        self._counts = part.touched @ sizes, part.full @ sizes
        self._single = np.flatnonzero(np.diff(part.touched.indptr) == 1)
        self._atom_of = part.touched.indices[part.touched.indptr[self._single]]
        self.wanted = np.zeros(sizes.size)
        self._want()

    def goal(self, place: int, *, is_up: bool) -> tuple[Rows, float]:
        """Return the atoms of a group, and how many records more it must have, or less where negative."""
        matrix = self._part.touched if is_up else self._part.full
        atoms = matrix.indices[matrix.indptr[place] : matrix.indptr[place + 1]]
        count = self._counts[0 if is_up else 1][place]
        goal = self._seen.min_units if is_up else self._seen.goal(int(self._part.groups[place]), is_up=False)
        return atoms, float(goal - count)

    def see(self, moved: Moved) -> None:
        """Take a world into account."""
        highest, lowest = (
            count + matrix[:, moved.atoms] @ moved.records
            for count, matrix in zip(self._counts, self._matrices, strict=True)
        )
        self._seen.see_world(self._part.groups, highest, lowest)
        self._want()

    def _want(self) -> None:
        """Note how many records atoms lack that no world seen so far gives enough."""
        is_short = self._seen.highest[self._part.groups[self._single]] < self._seen.min_units
        self.wanted[:] = 0.0
        atoms = self._atom_of[is_short]
        self.wanted[atoms] = self._seen.min_units - self._sizes[atoms]


class SeenWorlds:
    """Worlds that audits of the same atoms found; each counts again where it still gives all that is shown."""

    def __init__(self) -> None:
        self._worlds: list[Moved] = []

    def keep(self, worlds: Sequence[Moved], merged: MergedAtoms, atoms: Rows) -> None:
        """Keep worlds of a part, given its atoms among the merged ones."""
        self._worlds += [Moved(merged.first[atoms[one.atoms]], one.records) for one in worlds]

    def replay(self, merged: MergedAtoms, known: Knowledge, touched: Any, full: Any, seen: SeenCounts) -> None:
        """Let those worlds count that give the figures that are shown now."""
        if not self._worlds:
            return
        moves = (self._matrix(merged.place.shape[0]) @ merged.place).tocsr()
        figures = known.sets[:, merged.first] @ merged.sizes
        changes = (moves @ merged.sets.T).tocsr()
        is_valid = _holds_in_rows(moves, moves.data + merged.sizes[moves.indices] >= 0)
        rests = changes.data + figures[changes.indices]
        is_kept = (rests >= known.lower[changes.indices]) & (rests <= known.upper[changes.indices])
        moves = moves[np.flatnonzero(is_valid & _holds_in_rows(changes, is_kept))]
        highest, lowest = seen.highest.copy(), seen.lowest.copy()
        up, down = (moves @ touched.T).tocoo(), (moves @ full.T).tocoo()
        np.maximum.at(highest, up.col, (touched @ merged.sizes)[up.col] + up.data)
        np.minimum.at(lowest, down.col, (full @ merged.sizes)[down.col] + down.data)
        seen.see_world(np.arange(highest.size), highest, lowest)

    def _matrix(self, atoms: int) -> Any:
        from scipy.sparse import csr_array

        starts = np.cumsum([0, *(one.atoms.size for one in self._worlds)])
        places = np.concatenate([one.atoms for one in self._worlds])
        records = np.concatenate([one.records for one in self._worlds])
        return csr_array((records, places, starts), shape=(len(self._worlds), atoms))


def _holds_in_rows(matrix: Any, holds: Any) -> Any:
    """Tell for each row of a sparse matrix whether something holds for all its entries."""
    fails = np.concatenate([[0], np.cumsum(~holds)])
    return fails[matrix.indptr[1:]] == fails[matrix.indptr[:-1]]
