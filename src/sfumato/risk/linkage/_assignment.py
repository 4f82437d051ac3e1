"""The links that an intruder makes, one original record for one masked record, and how many of them are right."""

from dataclasses import dataclass

import numpy as np

from sfumato.kernels.linkage.assignment import Assignment, assign
from sfumato.kernels.neighbours.equal_rows import equal_rows
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows

SAME_WEIGHT = 1e-9

Linked = tuple[Rows, FloatColumn]
"""For each masked record the row of the original that it is linked to, -1 for none, and the weight of the link."""


@dataclass(frozen=True, eq=False)
class Links:
    """Pairs of records that an intruder takes for the same person, by falling weight.

    Parameters
    ----------
    masked_rows, original_rows
        The rows of the two records of each link; no record is in two links.
    weights
        How much speaks for each link.
    """

    masked_rows: Rows
    original_rows: Rows
    weights: FloatColumn

    def __len__(self) -> int:
        return len(self.weights)


def link_table(weights: FloatMatrix) -> Linked:
    """Link rows to columns one to one, with the largest total weight; a pair of weight 0 is not linked.

    Examples
    --------
    >>> link_table(np.array([[5.0, 4.0], [4.0, 0.0], [0.0, 0.0]]))
    (array([ 1, 0, -1]), array([4., 4., 0.]))
    """
    from scipy.optimize import linear_sum_assignment

    linked, weight = np.full(len(weights), -1, dtype=np.int64), np.zeros(len(weights))
    rows, columns = linear_sum_assignment(weights, maximize=True)
    some = weights[rows, columns] > SAME_WEIGHT
    linked[rows[some]] = columns[some]
    weight[rows[some]] = weights[rows[some], columns[some]]
    return linked, weight


def link_candidates(candidates: CodeMatrix, weights: FloatMatrix, floor: float, originals: int) -> Linked:
    """Link each masked record to one of its candidates, one to one, with the largest total weight above the floor.

    Parameters
    ----------
    candidates
        Rows of the original, one row per masked record; -1 is none.
    weights
        Their weights.
    floor
        The weight of disagreement in everything; a pair that is not above it is not linked.
    originals
        The number of original records.

    Examples
    --------
    >>> link_candidates(np.array([[0, 1], [0, -1]]), np.array([[5.0, 4.0], [4.0, 0.0]]), floor=-3.0, originals=2)
    (array([1, 0]), array([4., 4.]))
    """
    gains = np.where(weights > floor + SAME_WEIGHT, weights - floor, 0.0)
    linked, _ = assign_candidates(candidates, gains, originals)
    chosen = (candidates == linked[:, None]) & (linked[:, None] >= 0)
    return linked, np.where(chosen, weights, 0.0).sum(axis=1)


def assign_candidates(candidates: CodeMatrix, gains: FloatMatrix, originals: int) -> Assignment:
    """Return the assignment of masked records to candidates, where each gains more than nothing, and what was left."""
    order = np.argsort(candidates, axis=1)  # ties are settled by the rows of the originals and not by how they came
    return assign(np.take_along_axis(candidates, order, axis=1), np.take_along_axis(gains, order, axis=1), originals)


def classes(matrix: FloatMatrix, blocks: CodeColumn) -> CodeColumn:
    """Return a number for each record, the same for records of one block that are equal in every column."""
    comparable = np.where(np.isnan(matrix), np.inf, matrix + 0.0)  # 0 and -0 are equal
    return equal_rows(np.column_stack([blocks, comparable]))[1]


def chances_of_being_right(
    links: Links, rows: Rows, original_classes: CodeColumn, masked_classes: CodeColumn
) -> tuple[FloatColumn, FloatColumn]:
    """Return the chance that each link, and that the link of each masked record, is right.

    Nobody can tell records of one class apart, so that they draw lots for the links that their class has.

    Parameters
    ----------
    links
        The links.
    rows
        For each masked record the original row that it came from.
    original_classes, masked_classes
        The class of each record; records of one class are equal in all that is compared.

    Examples
    --------
    >>> links = Links(np.array([0, 1, 2]), np.array([1, 0, 2]), np.array([3.0, 3.0, 3.0]))
    >>> chances_of_being_right(links, np.array([0, 1, 2]), np.array([0, 0, 1]), np.array([0, 0, 1]))
    (array([0.5, 0.5, 1. ]), array([0.5, 0.5, 1. ]))
    """
    held, masked_held = np.bincount(original_classes), np.bincount(masked_classes)
    true_cells = masked_classes * held.size + original_classes[rows]
    linked_cells = masked_classes[links.masked_rows] * held.size + original_classes[links.original_rows]

    def chances(cells: CodeColumn, others: CodeColumn) -> FloatColumn:
        pairs = masked_held[cells // held.size] * held[cells % held.size]
        return np.asarray(_count_in(cells, others) / pairs, dtype=np.float64)

    return chances(linked_cells, true_cells), chances(true_cells, linked_cells)


def zone(weights: FloatColumn, right: FloatColumn, precision: float) -> int:
    """Return how many links there are down to the last weight where at least `precision` percent of them are right.

    Parameters
    ----------
    weights
        Weights of the links, falling. Links of one weight are taken together: nobody can tell them apart.
    right
        The chance that each link is right.
    precision
        The percent of links that are right.

    Examples
    --------
    >>> zone(np.array([9.0, 8.0, 7.0, 6.0]), np.array([1.0, 0.0, 1.0, 0.0]), 60)
    3
    """
    share = np.cumsum(right) / np.arange(1, len(right) + 1)
    is_last = np.append(weights[:-1] - weights[1:] > SAME_WEIGHT, True)[: len(weights)]
    good = np.flatnonzero(is_last & (100 * share >= precision - SAME_WEIGHT))
    return int(good[-1]) + 1 if good.size else 0


def _count_in(values: CodeColumn, others: CodeColumn) -> CodeColumn:
    """Return how often each value is among `others`."""
    by_rank = np.sort(others)
    return np.searchsorted(by_rank, values, side="right") - np.searchsorted(by_rank, values, side="left")
