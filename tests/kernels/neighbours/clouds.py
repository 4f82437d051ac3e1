"""Points to grow trees of, and what a leaf holds."""

import numpy as np

from sfumato.kernels.neighbours.kd_tree import Tree
from sfumato.numerics.arrays import Floats


def cloud(n: int, d: int, seed: int, is_rounded: bool) -> Floats:
    """Normal points, with many ties where they are rounded."""
    points = np.random.default_rng(seed).normal(size=(n, d))
    return np.rint(points) if is_rounded else points


def leaf_points(tree: Tree, leaf: int) -> Floats:
    """The points of a leaf of a tree from which none was taken, shape (size, d)."""
    d, start, size = tree.lows.shape[1], tree.starts[leaf], tree.sizes[leaf]
    return tree.values[start * d : (start + size) * d].reshape(d, size).T
