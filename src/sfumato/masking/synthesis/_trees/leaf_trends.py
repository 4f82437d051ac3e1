"""How numbers rise within the leaves of a tree, so that what is linear is not cut into steps.

A leaf knows one distribution for all records in it. Where the response rises along the score of the tree, a record at
the upper end of its leaf should draw larger numbers than one at the lower end. So the donor is drawn as before, and the
place that its number has in the leaf is moved by as much as the score of the new record is above that of the donor.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._trees.additive_scores import AdditiveScore, shrunk_slope
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

MIN_LEFT = 0.1  # of the variance of a response, within the leaves, for a trend in them
END = 1e-9  # how near to 0 or 1 a place in a leaf may be


@dataclass(frozen=True, eq=False)
class LeafTrend:
    """By how many deviations of its leaf a response rises along a score.

    Parameters
    ----------
    score
        The score, fitted to all records.
    slopes
        For each node of the tree by how many deviations of the leaf the response rises where the score rises by one.
    """

    score: AdditiveScore
    slopes: FloatColumn

    def pull(self, leaves: CodeColumn, predictors: Sequence[FloatColumn]) -> FloatColumn:
        """Return how far each record is drawn up within its leaf; only differences within a leaf mean something."""
        return np.asarray(self.slopes[leaves] * self.score(predictors, leaves.size), dtype=np.float64)


def leaf_slopes(
    leaves: CodeColumn, response: FloatColumn, scores: FloatColumn, is_held_out: Booleans, nodes: int
) -> FloatColumn:
    """Return for each node of a tree by how many deviations of the leaf the response rises with the score.

    Within every leaf both go together by one correlation, that of the held-out records, drawn to 0 as far as chance
    explains it. What the leaves explain nearly altogether is left to them: it has kinks, as a sum has where one part is
    0, that no line within a leaf follows.

    Parameters
    ----------
    leaves, response, scores, is_held_out
        For each record its leaf, its response, its score, and whether neither tree nor score has seen it.
    nodes
        How many nodes the tree has.
    """
    counts = np.maximum(np.bincount(leaves, minlength=nodes), 1)
    apart = [_centred(values, leaves, nodes) for values in (response, scores)]
    if float((apart[0] ** 2).sum()) < MIN_LEFT * float(((response - response.mean()) ** 2).sum()):
        return np.zeros(nodes)
    deviations = [np.sqrt(np.bincount(leaves, part**2, minlength=nodes) / counts) for part in apart]
    is_wide = (deviations[0] > 0) & (deviations[1] > 0)
    scales = [np.divide(1.0, one, out=np.zeros(nodes), where=is_wide) for one in deviations]
    seen = leaves[is_held_out]
    rises, along = (
        _centred(values[is_held_out], seen, nodes) * scale[seen]
        for values, scale in zip((response, scores), scales, strict=True)
    )
    noise = float((rises**2).sum()) / max(rises.size, 1)
    return np.asarray(max(shrunk_slope(rises, along, noise), 0.0) * scales[1], dtype=np.float64)


def moved_places(shares: FloatColumn, pull: FloatColumn) -> FloatColumn:
    """Return places in a leaf, from 0 to 1, moved by deviations of a normal distribution.

    Examples
    --------
    >>> moved_places(np.array([0.5, 0.5, 0.9]), np.array([0.0, 1.0, -1.0])).round(2)
    array([0.5 , 0.84, 0.61])
    """
    from scipy.special import ndtr, ndtri

    moved = ndtr(ndtri(np.clip(shares, END, 1 - END)) + pull)
    return np.asarray(np.minimum(moved, 1 - END), dtype=np.float64)


def _centred(values: FloatColumn, leaves: CodeColumn, nodes: int) -> FloatColumn:
    """Return values less the mean of their leaf."""
    means = np.bincount(leaves, values, minlength=nodes) / np.maximum(np.bincount(leaves, minlength=nodes), 1)
    return np.asarray(values - means[leaves], dtype=np.float64)
