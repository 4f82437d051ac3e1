"""Walk from the finest cells of a table to all of its totals, each once."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, Rows
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.relations import strides


class Keyed(Protocol):
    """Whatever belongs to cells, by their keys."""

    @property
    def keys(self) -> CodeColumn:
        """The key of the cell of each entry."""


K = TypeVar("K", bound=Keyed)


def each_layer(
    finest: K, dimensions: Sequence[Dimension], merged: Callable[[K, Booleans, CodeColumn], K]
) -> Iterator[K]:
    """Yield what belongs to the cells of every choice of layers, one of each dimension; each cell comes once.

    Coarse cells are added up from cells that were added up already, and one way up is followed to its end before the
    next, so that little is held at a time.

    Parameters
    ----------
    finest
        What belongs to the cells of the finest level.
    dimensions
        What adds up to what.
    merged
        Given entries, those of them that have a cell one layer up, and the keys of these cells: returns the entries of
        that layer, equal cells put together.
    """
    steps = strides(dimensions)
    waiting = [(finest, 0)]
    while waiting:
        entries, position = waiting.pop()
        if position == len(dimensions):
            yield entries
            continue
        dimension, step = dimensions[position], int(steps[position])
        places = entries.keys // step % len(dimension.codes)
        waiting.append((entries, position + 1))  # the first layer: the leaves themselves
        for layer in dimension.layers[1:]:
            above = layer[places]
            there = above >= 0
            keys = entries.keys[there] + (above - places)[there] * step
            waiting.append((merged(entries, there, keys), position + 1))


def codes_of_keys(keys: CodeColumn, dimensions: Sequence[Dimension]) -> CodeMatrix:
    """Return the place of each cell's code in each dimension."""
    steps = strides(dimensions)
    return np.stack(
        [keys // step % len(dimension.codes) for dimension, step in zip(dimensions, steps, strict=True)], axis=1
    )


def lowest_ranks(cells: Rows, ranks: CodeColumn, cell_count: int, kept: int, nobody: int) -> CodeMatrix:
    """Return the `kept` lowest ranks of each cell, ascending.

    Parameters
    ----------
    cells, ranks
        A cell and a rank in it.
    cell_count
        How many cells there are.
    kept
        How many ranks to return for each.
    nobody
        The rank that stands for nobody, above all others; it fills the places of cells with fewer ranks.
    """
    lowest = np.full((cell_count, kept), nobody, dtype=np.int64)
    if not kept:
        return lowest
    real = ranks < nobody
    ordered = np.sort(cells[real] * (nobody + 1) + ranks[real])
    owners = ordered // (nobody + 1)
    place = np.arange(owners.size) - np.searchsorted(owners, np.arange(cell_count))[owners]
    near = place < kept
    lowest[owners[near], place[near]] = ordered[near] % (nobody + 1)
    return lowest
