"""Atoms that no shown figure tells apart, put together."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.small_groups import hashes


@dataclass(frozen=True, eq=False)
class MergedAtoms:
    """Atoms that no shown figure tells apart, put together: a reader may divide their records as they like.

    Parameters
    ----------
    place
        The sparse 0/1 matrix (atoms x merged) of what is put together.
    first
        The first atom of each.
    parts, sizes
        How many atoms and how many records each has.
    sets
        The known figures, as a sparse 0/1 matrix over the merged atoms.
    """

    place: Any
    first: Rows
    parts: FloatColumn
    sizes: FloatColumn
    sets: Any


def merge_atoms(atoms: Atoms, known: Knowledge) -> MergedAtoms:
    """Return the atoms put together that no known figure tells apart."""
    from scipy.sparse import csr_array

    marks = np.random.default_rng(known.lower.size).integers(1, 2**63, size=known.lower.size, dtype=np.uint64)
    _, first, place = np.unique(hashes(known.sets.T.tocsr(), marks), return_index=True, return_inverse=True)
    matrix = csr_array((np.ones(atoms.size), (np.arange(atoms.size), place)), shape=(atoms.size, first.size))
    parts = np.bincount(place, minlength=first.size).astype(np.float64)
    sizes = np.bincount(place, atoms.sizes).astype(np.float64)
    return MergedAtoms(matrix, first, parts, sizes, known.sets[:, first].tocsr())


def entries_where(matrix: Any, is_one: Booleans) -> Any:
    """Return a sparse matrix of ones at some of the entries of another."""
    from scipy.sparse import csr_array

    ones = csr_array((is_one.astype(np.float64), matrix.indices, matrix.indptr), shape=matrix.shape, copy=True)
    ones.eliminate_zeros()
    return ones
