"""Nearest records, one to one: an intruder who knows that no two masked records are the same person."""

import numpy as np

from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.ranking import stable_order
from sfumato.risk.linkage._assignment import Links, chances_of_being_right, classes, link_candidates
from sfumato.risk.linkage._candidates import GOLDEN, LEAF_SIZE, LOT, SILVER, lots

FAR = 1e6  # squared distances that are longer by more are equally long, so that no extreme record outweighs the others


def one_to_one_share(original: FloatMatrix, masked: FloatMatrix, rows: Rows, count: int) -> FloatColumn:
    """Return for each masked record the chance that it is linked to the original in its row of `rows`.

    Each masked record may be linked to one of its `count` nearest originals, each original to one masked record, and
    the total of the squared distances is as small as it can be. Records that are equal to others draw lots. All values
    must be there.

    Examples
    --------
    >>> original, masked = np.array([[0.0], [5.0]]), np.array([[3.0], [4.0]])  # the nearest of both is the second
    >>> one_to_one_share(original, masked, np.array([0, 1]), count=2)
    array([1., 1.])
    """
    if not original.shape[1]:
        return np.zeros(len(rows))
    # records are taken in the order of their lots, so that their places in the files tell nothing
    before = stable_order(lots(np.arange(len(original)), GOLDEN))
    after = stable_order(lots(rows, SILVER))
    near, squared = _near(original[before], masked[after], count)
    farther = np.minimum(squared - squared.min(axis=1, keepdims=True), FAR)  # than the nearest
    linked, _ = link_candidates(near, FAR + 1 - farther, 0.0, len(original))
    some = np.flatnonzero(linked >= 0)
    links = Links(after[some], before[linked[some]], np.zeros(len(some)))
    alike = [classes(file, np.zeros(len(file), dtype=np.int64)) for file in (original, masked)]
    return chances_of_being_right(links, rows, alike[0], alike[1])[1]


def _near(points: FloatMatrix, queries: FloatMatrix, count: int) -> tuple[CodeMatrix, FloatMatrix]:
    """Return the rows of the nearest points, of equally near ones by lot, and their squared distances."""
    from scipy.spatial import cKDTree

    drawn = [LOT * lots(np.arange(len(file)), step) for file, step in ((points, GOLDEN), (queries, SILVER))]
    tree = cKDTree(np.column_stack([points, drawn[0]]), leafsize=LEAF_SIZE)
    wanted = np.arange(1, min(count, len(points)) + 1)
    distances, found = tree.query(np.column_stack([queries, drawn[1]]), k=wanted, workers=-1)
    return np.asarray(found, dtype=np.int64), np.asarray(distances**2, dtype=np.float64)
