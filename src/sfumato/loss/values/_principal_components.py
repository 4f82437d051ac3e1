"""Principal components of correlations, and two sets of them turned to be comparable."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix

EQUAL = 1e-9  # eigenvalues of a correlation matrix that differ by less are the same number
BLURRED = 1e-12  # a smaller part of a direction is a zero that arithmetic has blurred


@dataclass(frozen=True, eq=False)
class Components:
    """The principal components of a correlation matrix, largest variance first.

    Parameters
    ----------
    variances
        The variance of each component, in variables: its eigenvalue, at least 0.
    directions
        The eigenvectors (variables x components): what standardised variables are multiplied by to obtain their
        projections on the components.
    """

    variances: FloatColumn
    directions: FloatMatrix

    @property
    def shares(self) -> FloatColumn:
        """The share of the variance that each component explains; 0 where there is no variance."""
        total = self.variances.sum()
        return self.variances / total if total > 0 else self.variances

    @property
    def loadings(self) -> FloatMatrix:
        """The correlations of variables and components (variables x components)."""
        return np.asarray(self.directions * np.sqrt(self.variances), dtype=np.float64)

    @property
    def communalities(self) -> FloatColumn:
        """The share of the variance of each variable that the first component explains."""
        return np.asarray(self.loadings[:, 0] ** 2, dtype=np.float64)


def components(correlations: FloatMatrix) -> Components:
    """Return the principal components of a correlation matrix; the sign of each is arbitrary.

    Examples
    --------
    >>> components(np.array([[1.0, 0.6], [0.6, 1.0]])).variances.round(3)
    array([1.6, 0.4])
    """
    values, vectors = np.linalg.eigh(correlations)
    return Components(np.maximum(values[::-1], 0.0), vectors[:, ::-1])


def alike(before: Components, after: Components) -> tuple[Components, Components]:
    """Return both with their directions turned so that they differ as little as possible.

    The sign of a component is arbitrary, and so is any turn of components of equal variance among themselves: those of
    `after`, then those of `before`, are turned as near to the others as they can be (orthogonal Procrustes).
    """
    turned = Components(after.variances, _rotate(after, before.directions))
    return Components(before.variances, _rotate(before, turned.directions)), turned


def _rotate(found: Components, towards: FloatMatrix) -> FloatMatrix:
    """Return the directions, turned within each set of equal variances to be near those of the same places."""
    directions = found.directions.copy()
    starts = np.flatnonzero(np.append(True, np.abs(np.diff(found.variances)) > EQUAL))
    for start, end in zip(starts, np.append(starts[1:], len(directions)), strict=True):
        mine, theirs = directions[:, start:end], towards[:, start:end]
        left, _, right = np.linalg.svd(mine.T @ theirs)
        directions[:, start:end] = mine @ (left @ right)
    return np.where(np.abs(directions) <= BLURRED, 0.0, directions)
