"""Atoms: the groups of records that the outputs of a project can tell apart, and every cell as a set of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn, Hashes, Rows
from sfumato.outputs.facts import Facts

HASH_SEED = 20_22


@dataclass(frozen=True, eq=False)
class Atoms:
    """Records with the same place in every output form one atom; every cell of every output is a set of atoms.

    Parameters
    ----------
    of_record
        For each record its atom.
    sizes
        For each atom how many records it has.
    cells
        For each output the sparse 0/1 matrix (cells x atoms).
    """

    of_record: CodeColumn
    sizes: FloatColumn
    cells: tuple[Any, ...]  # of scipy.sparse.csr_array

    @property
    def size(self) -> int:
        """How many atoms there are."""
        return self.sizes.size

    @cached_property
    def marks(self) -> Hashes:
        """A number for each atom: sets of atoms are the same where the sums of their marks are.

        It adds up random numbers of the atom's records, so that the same records have the same mark in every audit.
        """
        rng = np.random.default_rng(HASH_SEED)
        of_records = rng.integers(1, 2**63, size=self.of_record.size, dtype=np.uint64)
        marks = np.zeros(self.size, dtype=np.uint64)
        np.add.at(marks, self.of_record, of_records)
        return marks

    @cached_property
    def by_atom(self) -> tuple[Any, ...]:
        """The same matrices by columns, to look up the cells of an atom."""
        return tuple(cells.tocsc() for cells in self.cells)

    def sums(self, values: FloatColumn) -> FloatColumn:
        """Return what a variable adds up to in each atom."""
        return np.bincount(self.of_record, values, minlength=self.size).astype(np.float64)


def atoms_of(facts: Sequence[Facts], records: int) -> Atoms:
    """Return the atoms of some outputs.

    Parameters
    ----------
    facts
        The outputs.
    records
        How many records the project has.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> shown = np.ones(2, dtype=bool)
    >>> one = Facts("one", np.array([0, 0, 1, -1]), csr_array(np.eye(2)), ("a", "b"), shown, shown)
    >>> atoms_of([one], 4).of_record.tolist()
    [1, 1, 2, 0]
    """
    from scipy.sparse import csr_array

    of_record = np.zeros(records, dtype=np.int64)
    for fact in facts:
        _, of_record = np.unique(of_record * (fact.cells.shape[1] + 1) + fact.groups + 1, return_inverse=True)
    _, first, of_record, sizes = np.unique(of_record, return_index=True, return_inverse=True, return_counts=True)
    matrices = []
    for fact in facts:
        group = fact.groups[first]
        inside: Rows = np.flatnonzero(group >= 0)
        place = csr_array((np.ones(inside.size), (group[inside], inside)), shape=(fact.cells.shape[1], sizes.size))
        matrices.append((fact.cells @ place).tocsr())
    return Atoms(of_record, sizes.astype(np.float64), tuple(matrices))
