"""Earth mover's distances between distributions of a confidential column, for three ways to say how values differ.

On a tree the distance is a sum over its edges: the length of each, times the difference between the two distributions
in what lies beyond it. Values that are all equally far apart, values on a line, and a hierarchy are such trees.
"""

import numpy as np

from sfumato.data import Category, Hierarchy
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.risk.attributes._value_counts import ValueCounts


def equal_distances(counts: ValueCounts) -> FloatColumn:
    """Return how far each class is from the file where all values are 1 apart: what is more frequent must be moved."""
    return counts.sum_by_class(np.maximum(counts.shares - counts.file_shares[counts.values], 0.0))


def ordered_distances(differences: FloatMatrix) -> FloatColumn:
    """Return how far distributions are apart where the values lie on a line from 0 to 1, all steps equal.

    Parameters
    ----------
    differences
        Between the shares of each value (classes x values, in their order).

    Examples
    --------
    >>> ordered_distances(np.array([[1.0, 0.0, -1.0], [1.0, -1.0, 0.0]]))
    array([1. , 0.5])
    """
    steps = differences.shape[1] - 1
    if not steps:
        return np.abs(differences[:, 0])  # one value: only NaN for a class that shows none, else 0
    beyond = np.abs(np.cumsum(differences, axis=1)[:, :steps])
    return np.asarray(beyond.sum(axis=1) / steps, dtype=np.float64)


def hierarchical_distances(
    differences: FloatMatrix, categories: tuple[Category, ...], hierarchy: Hierarchy
) -> FloatColumn:
    """Return how far distributions are apart where two values differ by the height of their lowest common group.

    The root is 1 high and the lowest leaf 0; an edge is half the difference in height, as a way goes up and down it.

    Parameters
    ----------
    differences
        Between the shares of each value (classes x values).
    categories
        The values; each is in the hierarchy.
    hierarchy
        The tree.

    Examples
    --------
    >>> places = Hierarchy.from_levels([("Pisa", "Tuscany", "Italy"), ("Lucca", "Tuscany", "Italy"), ("Rome", "Italy")])
    >>> hierarchical_distances(np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0]]), ("Pisa", "Lucca", "Rome"), places)
    array([0.5, 1. ])
    """
    height = heights(hierarchy)
    tallest = max(height[hierarchy.root], 1)
    place = {category: column for column, category in enumerate(categories)}
    beyond = {code: np.zeros(len(differences)) for code in hierarchy.codes}
    distances = np.zeros(len(differences))
    for code in reversed(hierarchy.codes):  # what is under a code comes before it
        if code in place:
            beyond[code] = beyond[code] + differences[:, place[code]]
        parent = hierarchy.parent(code)
        if parent is not None:
            distances += np.abs(beyond[code]) * (height[parent] - height[code]) / (2 * tallest)
            beyond[parent] = beyond[parent] + beyond[code]
    return distances


def heights(hierarchy: Hierarchy) -> dict[Category, int]:
    """Return how many steps each code is above the lowest leaf under it.

    Examples
    --------
    >>> heights(Hierarchy.from_levels([("Pisa", "Tuscany", "Italy"), ("Rome", "Italy")]))
    {'Rome': 0, 'Pisa': 0, 'Tuscany': 1, 'Italy': 2}
    """
    height: dict[Category, int] = {}
    for code in reversed(hierarchy.codes):
        height[code] = max((height[child] + 1 for child in hierarchy.children(code)), default=0)
    return height
