"""The parts of an audit that hang together, each small enough to be searched by itself."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from sfumato.numerics.arrays import CodeColumn, Hashes, Rows
from sfumato.outputs.audit.knowledge import Knowledge


@dataclass(frozen=True, eq=False)
class Component:
    """Figures, groups and atoms that are tied to each other and to no others.

    Parameters
    ----------
    figures, groups, atoms
        Their numbers among all.
    matrices
        What makes the sparse 0/1 matrices of the figures, and of the atoms that groups meet and hold.
    """

    figures: Rows
    groups: Rows
    atoms: Rows
    matrices: Callable[[], tuple[Any, Any, Any]] = field(repr=False)

    @cached_property
    def _blocks(self) -> tuple[Any, Any, Any]:
        return self.matrices()

    @property
    def sets(self) -> Any:
        """The figures, as a sparse 0/1 matrix over the component's atoms."""
        return self._blocks[0]

    @property
    def touched(self) -> Any:
        """The atoms that groups meet, alike."""
        return self._blocks[1]

    @property
    def full(self) -> Any:
        """The atoms that groups hold whole, alike."""
        return self._blocks[2]

    def key(self, known: Knowledge, marks: Hashes) -> bytes:
        """Return what tells a component from others: what is known of which records."""
        parts = (marks[self.figures], known.lower[self.figures], known.upper[self.figures])
        return hashlib.sha256(b"|".join(part.tobytes() for part in parts)).digest()


def components(sets: Any, touched: Any, full: Any, groups: Rows) -> Iterator[Component]:
    """Yield the parts that hang together, as far as they have one of some groups.

    Parameters
    ----------
    sets
        The figures, as a sparse 0/1 matrix over atoms.
    touched, full
        The atoms that each group meets, and those that it holds whole.
    groups
        The numbers of the groups that are asked about.
    """
    from scipy.sparse import block_array, vstack
    from scipy.sparse.csgraph import connected_components

    if not groups.size:
        return
    figures = sets.shape[0]
    links = vstack([sets, touched[groups]]).tocsr()
    labels = connected_components(block_array([[None, links], [links.T, None]]), directed=False)[1]
    of_figure, of_group, of_column = np.split(labels, [figures, figures + groups.size])
    local, widths = _places_within(of_column)
    by_figure, by_group = np.argsort(of_figure, kind="stable"), np.argsort(of_group, kind="stable")
    by_column = np.argsort(of_column, kind="stable")
    orders = of_figure[by_figure], of_group[by_group], of_column[by_column]
    matrices = sets[by_figure], touched[groups[by_group]], full[groups[by_group]]
    for label in np.unique(of_group).tolist():
        rows = [slice(*np.searchsorted(order, [label, label + 1])) for order in orders]
        build = partial(_blocks, matrices, (rows[0], rows[1], rows[1]), local, int(widths[label]))
        yield Component(by_figure[rows[0]], groups[by_group[rows[1]]], by_column[rows[2]], build)


def _blocks(matrices: Sequence[Any], rows: Sequence[slice], local: Rows, width: int) -> tuple[Any, Any, Any]:
    """Return the rows of a component, as matrices over its atoms alone; many components are known and need none."""
    sets, touched, full = (_block(matrix, chosen, local, width) for matrix, chosen in zip(matrices, rows, strict=True))
    return sets, touched, full


def _places_within(labels: CodeColumn) -> tuple[Rows, Rows]:
    """Return the place of each atom among those of its component, and how many each component has."""
    order = np.argsort(labels, kind="stable")
    local = np.empty(labels.size, dtype=np.int64)
    local[order] = np.arange(labels.size) - np.searchsorted(labels[order], labels[order])
    return local, np.bincount(labels, minlength=int(labels.max(initial=0)) + 1)


def _block(matrix: Any, rows: slice, local: Rows, width: int) -> Any:
    """Return some consecutive rows of a matrix over the atoms of their component alone."""
    from scipy.sparse import csr_array

    starts = matrix.indptr[rows.start : rows.stop + 1]
    entries = slice(int(starts[0]), int(starts[-1]))
    shape = (rows.stop - rows.start, width)
    return csr_array((matrix.data[entries], local[matrix.indices[entries]], starts - starts[0]), shape=shape)
