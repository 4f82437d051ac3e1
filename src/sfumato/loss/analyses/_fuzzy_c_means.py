"""Fuzzy c-means: every record belongs to every cluster to a degree."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import FloatMatrix

MAX_STEPS = 5000
CONVERGED = 1e-9  # relative change of the objective
SMALLEST = 1e-12  # squared distance: a record on a centre belongs to it


class FuzzyClusters(NamedTuple):
    """Where fuzzy c-means ended.

    Parameters
    ----------
    centres
        The centres (clusters x columns).
    memberships
        The degree to which each record belongs to each cluster, adding up to 1 (records x clusters).
    objective
        The sum over records and clusters of membership^m times the squared distance.
    """

    centres: FloatMatrix
    memberships: FloatMatrix
    objective: float


def fuzzy_clusters(records: FloatMatrix, centres: FloatMatrix, fuzziness: float) -> FuzzyClusters:
    """Return the clusters that fuzzy c-means comes to from some centres.

    Memberships and centres are computed from each other in turn: u_ic is in proportion to d_ic^(-2 / (m - 1)), and a
    centre is the mean of the records weighted by u_ic^m, for the fuzziness m.

    Examples
    --------
    >>> found = fuzzy_clusters(np.array([[0.0], [1.0], [9.0], [10.0]]), np.array([[0.0], [10.0]]), 2.0)
    >>> found.centres.round(2), found.memberships[0].round(2), round(found.objective, 2)
    (array([[0.5],
           [9.5]]), array([1., 0.]), 1.0)
    """
    last = np.inf
    for _ in range(MAX_STEPS):
        squares = np.maximum(_squared_distances(records, centres), SMALLEST)
        nearest = squares.min(axis=1, keepdims=True)
        memberships = (squares / nearest) ** (-1 / (fuzziness - 1))
        memberships /= memberships.sum(axis=1, keepdims=True)
        weights = memberships**fuzziness
        objective = float((weights * squares).sum())
        found = FuzzyClusters(centres, memberships, objective)
        if last - objective <= CONVERGED * objective:
            return found
        last = objective
        centres = np.einsum("nc,nj->cj", weights, records) / np.maximum(weights.sum(axis=0), 1e-300)[:, None]
    return found


def best_fuzzy_clusters(
    records: FloatMatrix, clusters: int, fuzziness: float, starts: int, rng: np.random.Generator
) -> FuzzyClusters:
    """Return the clusters of the lowest objective, from some starts at records drawn at random."""
    draws = [records[rng.choice(len(records), clusters, replace=False)] for _ in range(starts)]
    return min((fuzzy_clusters(records, centres, fuzziness) for centres in draws), key=lambda found: found.objective)


def _squared_distances(records: FloatMatrix, centres: FloatMatrix) -> FloatMatrix:
    return np.stack([((records - centre) ** 2).sum(axis=1) for centre in centres], axis=1)
