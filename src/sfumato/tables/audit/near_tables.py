"""Feasible tables near the true one, found by projections: a few of them prove most primaries of a large table."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.audit.components import Component

MARGIN = 0.02  # of the room of each cell, kept free so that the projections end inside the bounds
OVERSHOOT = 1.05  # times its level is where a primary is drawn to
PROJECTIONS = 40  # to and fro between the bounds and the relations
ROUGH, FINE = 1e-3, 1e-8  # how much of the rest of the relations a projection may leave, on the way and at the end
POLISHING_STEPS = 6
MAX_STEPS = 500  # of conjugate gradients


class NearTables:
    """Tables that an intruder cannot rule out, as near as possible to wanted ones.

    Moves d of the cells must add up to nothing, R d = 0, and stay within the bounds. Projections on the two sets in
    turn lead to a point of both where there is one inside. The projection on the first is d - W R' (R W R')^-1 R d,
    with weights W by the square root of the room of each cell, solved by conjugate gradients.

    Parameters
    ----------
    component
        The suppressed cells.
    known
        The cells that the intruder knows, by their places in the component.

    Source
        The method of alternating projections: von Neumann (1950), Functional Operators, volume 2.
    """

    def __init__(self, component: Component, known: Rows) -> None:
        self._component = component
        self._above, self._below = component.upper - component.values, component.values - component.lower
        self._above[known], self._below[known] = 0.0, 0.0
        self._weights = np.sqrt(_rooms(self._above, self._below, component.largest))
        self._relations = component.relations.tocsr()
        self._transposed = component.relations.T.tocsr()
        self._scales, self._normal = _normal_equations(self._relations, self._weights)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self._weights.size

    def table(self, wanted: FloatColumn) -> FloatColumn | None:
        """Return by how much each cell differs from its value in a feasible table; None when none came out.

        Parameters
        ----------
        wanted
            For each cell how far above its value it should lie, or, negative, below; 0 where it does not matter.
        """
        lowest, highest = -(1.0 - MARGIN) * self._below, (1.0 - MARGIN) * self._above
        aims = np.clip(OVERSHOOT * wanted, lowest, highest)
        lowest, highest = np.where(wanted > 0.0, aims, lowest), np.where(wanted < 0.0, aims, highest)
        moves = np.zeros(wanted.size)
        for _ in range(PROJECTIONS):
            within = np.clip(moves, lowest, highest)
            if np.array_equal(within, moves):
                break
            moves = self._project(within, ROUGH)
        for _ in range(POLISHING_STEPS):
            if self._rest(moves) <= self._component.tolerance:
                return moves * self._share_within(moves)
            moves = self._project(moves, FINE)
        return None

    def _rest(self, moves: FloatColumn) -> float:
        return float(np.abs(self._relations @ moves).max(initial=0.0))

    def _project(self, moves: FloatColumn, rest: float) -> FloatColumn:
        factors = self._scales * _solve(self._normal, self._scales * (self._relations @ moves), rest)
        return np.asarray(moves - self._weights * (self._transposed @ factors), dtype=np.float64)

    def _share_within(self, moves: FloatColumn) -> float:
        """Return the largest part of the moves, at most all, that stays within the bounds."""
        rooms = np.where(moves > 0.0, self._above, self._below)
        sizes = np.abs(moves)
        shares = np.divide(rooms, sizes, out=np.ones(moves.size), where=sizes > rooms)
        return float(shares.min(initial=1.0))


def _rooms(above: FloatColumn, below: FloatColumn, largest: float) -> FloatColumn:
    """Return how far each cell may move, in the narrower direction if it has two; no farther than the largest value."""
    narrower = np.minimum(above, below)
    typical = np.median(narrower[narrower > 0.0]) if (narrower > 0.0).any() else largest
    return np.minimum(np.where(narrower > 0.0, narrower, np.minimum(np.maximum(above, below), typical)), largest)


def _normal_equations(relations: Any, weights: FloatColumn) -> tuple[FloatColumn, Any]:
    """Return R W R' with rows and columns scaled so that its diagonal is one, and the scales."""
    from scipy import sparse

    products = relations @ sparse.diags_array(weights) @ relations.T
    diagonal = products.diagonal()
    scales = np.where(diagonal > 0.0, 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0)), 0.0)
    return scales, sparse.csr_array(sparse.diags_array(scales) @ products @ sparse.diags_array(scales))


def _solve(matrix: Any, right: FloatColumn, rest: float) -> FloatColumn:
    """Return x with matrix x = right but for a rest, by conjugate gradients; relations may repeat each other."""
    x, residual, direction = np.zeros(right.size), right, right
    square = float(right @ right)
    enough = rest**2 * square
    for _ in range(MAX_STEPS):
        image = matrix @ direction
        curvature = float(direction @ image)
        if square <= enough or curvature <= 0.0:
            break
        step = square / curvature
        x, residual = x + step * direction, residual - step * image
        former, square = square, float(residual @ residual)
        direction = residual + (square / former) * direction
    return x
