"""Two partitions of the same records: how far they agree, by the classic indices."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn


@dataclass(frozen=True, eq=False)
class ContingencyTable:
    """How many records two partitions put together: the cells that hold any, and the sizes of the clusters.

    Parameters
    ----------
    cells
        The number of records in each pair of clusters that share some.
    first, second
        The sizes of the clusters of each partition.

    Examples
    --------
    >>> table = contingency(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1]))
    >>> rand(table), jaccard(table), round(wallace(table), 3)
    (0.5, 0.25, 0.408)
    >>> adjusted_rand(table), round(mantaras_distance(table), 3)
    (0.0, 0.792)
    """

    cells: FloatColumn
    first: FloatColumn
    second: FloatColumn

    @property
    def pairs(self) -> float:
        """The number of pairs of records."""
        return _pairs(np.array([self.cells.sum()]))

    @property
    def together(self) -> float:
        """The number of pairs that both partitions keep together."""
        return _pairs(self.cells)

    @property
    def together_first(self) -> float:
        """The number of pairs that the first partition keeps together."""
        return _pairs(self.first)

    @property
    def together_second(self) -> float:
        """The number of pairs that the second partition keeps together."""
        return _pairs(self.second)


def contingency(first: CodeColumn, second: CodeColumn) -> ContingencyTable:
    """Return the table of two partitions of the same records, given as cluster numbers from 0."""
    cells = np.unique(first * (second.max(initial=0) + 1) + second, return_counts=True)[1]
    sizes = [np.bincount(partition) for partition in (first, second)]
    return ContingencyTable(*(counts[counts > 0].astype(np.float64) for counts in (cells, *sizes)))


def rand(table: ContingencyTable) -> float:
    """Return the share of pairs on which the partitions agree, to keep them together or apart."""
    apart = table.pairs - table.together_first - table.together_second + table.together
    return (table.together + apart) / table.pairs


def jaccard(table: ContingencyTable) -> float:
    """Return the share of the pairs together in one partition or the other that both keep; 1 where there are none."""
    either = table.together_first + table.together_second - table.together
    return table.together / either if either else 1.0


def adjusted_rand(table: ContingencyTable) -> float:
    """Return the Rand index corrected for chance: 1 for equal partitions, on average 0 for random ones of the sizes."""
    expected = table.together_first * table.together_second / table.pairs
    largest = (table.together_first + table.together_second) / 2
    # all records in one cluster, or each in its own, in both partitions: they are equal and nothing is left to chance
    return (table.together - expected) / (largest - expected) if largest > expected else 1.0


def wallace(table: ContingencyTable) -> float:
    """Return the geometric mean of Wallace's two indices, which is that of Fowlkes and Mallows.

    Each of the two is the share of the pairs together in one partition that the other keeps together. Where one
    partition has no pair together, the index is 1 if the other has none either, else 0.
    """
    sides = table.together_first * table.together_second
    if sides:
        return float(table.together / np.sqrt(sides))
    return float(table.together_first == table.together_second)


def mantaras_distance(table: ContingencyTable) -> float:
    """Return 1 - mutual information / joint entropy: 0 for equal partitions, 1 for independent ones."""
    joint = _entropy(table.cells)
    if joint == 0:  # all records in one cluster in both partitions
        return 0.0
    return float(np.clip(2 - (_entropy(table.first) + _entropy(table.second)) / joint, 0.0, 1.0))


def _pairs(counts: FloatColumn) -> float:
    return float((counts * (counts - 1)).sum() / 2)


def _entropy(counts: FloatColumn) -> float:
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum()) + 0.0  # not -0.0
