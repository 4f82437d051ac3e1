"""The groups that a reader of several outputs may be after: cells, what is left of one without another, and atoms."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Hashes, Rows
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.facts import Facts

ROWS_AT_ONCE = 2000  # of the cells that are crossed with all others
MAX_NAMED = 3  # outputs that an atom is described by


@dataclass(frozen=True, eq=False)
class Groups:
    """Sets of atoms.

    Parameters
    ----------
    members
        The sparse 0/1 matrix (groups x atoms).
    sizes
        For each group how many records it has.
    is_cell
        Whether it is a cell of an output; others are what is left of one cell without another, or common to some.
    numbers, describe
        A number for each, and what a group of that number is called.
    """

    members: Any  # scipy.sparse.csr_array
    sizes: FloatColumn
    is_cell: Booleans
    numbers: Rows
    describe: Callable[[int], str] = field(repr=False)

    @property
    def count(self) -> int:
        """How many groups there are."""
        return self.numbers.size

    @property
    def names(self) -> tuple[str, ...]:
        """What each is called."""
        return tuple(map(self.describe, self.numbers.tolist()))

    def take(self, chosen: Rows) -> "Groups":
        """Return some of the groups."""
        return Groups(
            self.members[chosen], self.sizes[chosen], self.is_cell[chosen], self.numbers[chosen], self.describe
        )


def cells_and_atoms(facts: Sequence[Facts], atoms: Atoms, crossed: Any = None) -> Groups:
    """Return each cell of the outputs, then some more groups if given, then each atom; every set once."""
    from scipy.sparse import csr_array, eye_array, vstack

    more = csr_array((0, atoms.size)) if crossed is None else crossed
    members = vstack([*atoms.cells, more, eye_array(atoms.size, format="csr")]).tocsr()
    cells = sum(fact.size for fact in facts)
    starts = np.cumsum([0, *(fact.size for fact in facts)])

    def describe(number: int) -> str:
        if number < cells:
            place = int(np.searchsorted(starts, number, side="right")) - 1
            return f"{facts[place].output}: {facts[place].names[number - starts[place]]}"
        return _describe_atoms(facts, atoms, members[[number]].indices)

    marks = hashes(members, atoms.marks)
    _, first = np.unique(marks, return_index=True)
    first = np.sort(first[marks[first] > 0])
    taken = members[first]
    return Groups(taken, taken @ atoms.sizes, first < cells, first, describe)


def crossed_cells(facts: Sequence[Facts], atoms: Atoms) -> Any:
    """Return each difference and each intersection of two shown cells that overlap, as a sparse 0/1 matrix.

    The records that an output is about count as a shown cell too, as shown cells may add up to them.
    """
    from scipy.sparse import csr_array, vstack

    return vstack([csr_array((0, atoms.size)), *_crossed(_visible_cells(facts, atoms), atoms)]).tocsr()


def _describe_atoms(facts: Sequence[Facts], atoms: Atoms, places: Rows) -> str:
    """Return how a set of atoms lies among the outputs: in which of their cells, and outside which outputs."""
    parts = []
    for fact, cells, by_atom in zip(facts, atoms.cells, atoms.by_atom, strict=True):
        inside = [by_atom.indices[slice(*by_atom.indptr[atom : atom + 2])] for atom in places.tolist()]
        has = np.bincount(np.concatenate(inside), minlength=fact.size)
        around = np.flatnonzero(has == places.size)
        if around.size:
            smallest = around[np.argmin(cells[around] @ atoms.sizes)]
            parts.append(f"in {fact.output}: {fact.names[smallest]}")
        elif not has.any():
            parts.append(f"not in {fact.output}")
    more = f" and {len(parts) - MAX_NAMED} more" if len(parts) > MAX_NAMED else ""
    return f"records {', '.join(parts[:MAX_NAMED])}{more}"


def hashes(members: Any, marks: Hashes) -> Hashes:
    """Return for each set of atoms a number that is the same for the same set; 0 for the empty one."""
    added = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(marks[members.indices], dtype=np.uint64)])
    ends: Hashes = added[members.indptr[1:]] - added[members.indptr[:-1]]
    return ends


def _visible_cells(facts: Sequence[Facts], atoms: Atoms) -> Any:
    """Return the shown cells of all outputs and the records that each is about, every set once."""
    from scipy.sparse import csr_array, vstack

    parts = [csr_array((0, atoms.size))]
    for fact, cells in zip(facts, atoms.cells, strict=True):
        parts.append(cells[np.flatnonzero(fact.is_shown)])
        parts.append(csr_array((np.asarray(cells.sum(axis=0)).reshape(1, -1) > 0) * 1.0))
    stacked = vstack(parts).tocsr()
    return stacked[np.sort(np.unique(hashes(stacked, atoms.marks), return_index=True)[1])]


def _crossed(shown: Any, atoms: Atoms) -> Iterator[Any]:
    """Yield intersections and differences of two cells that overlap, every set once."""
    from scipy.sparse import csr_array

    marked = csr_array((atoms.marks[shown.indices], shown.indices, shown.indptr), shape=shown.shape)
    ones = csr_array((np.ones(shown.nnz, dtype=np.uint64), shown.indices, shown.indptr), shape=shown.shape)
    whole = hashes(shown, atoms.marks)
    seen = set(whole.tolist())
    for start in range(0, shown.shape[0], ROWS_AT_ONCE):
        both = (marked[start : start + ROWS_AT_ONCE] @ ones.T).tocoo()
        one, other, common = both.row + start, both.col, both.data
        for is_difference, marks in ((False, common), (True, whole[one] - common)):
            fresh, first = np.unique(marks, return_index=True)
            keep = first[[mark not in seen and mark != 0 for mark in fresh.tolist()]]
            seen.update(marks[keep].tolist())
            joint = shown[one[keep]].multiply(shown[other[keep]]).tocsr()
            made = (shown[one[keep]] - joint).tocsr() if is_difference else joint
            made.eliminate_zeros()
            yield made
