"""Densities of several masked coordinates together."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix, Floats
from sfumato.numerics.densities import IMPOSSIBLE


class JointDensity(ABC):
    """The density of where a masked record stands in several coordinates, given where its original does."""

    @property
    def has_shared_draws(self) -> bool:
        """Whether something was drawn once for all records of a file, so that the file itself tells it."""
        return False

    @abstractmethod
    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of each masked record given each of its candidates.

        Parameters
        ----------
        before, after
            The places of both files, one column for each coordinate.
        candidates
            Rows of `before` for each row of `after`; below 0 for none, whatever is returned there.
        """

    def refitted(
        self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix, weights: FloatMatrix
    ) -> "JointDensity":
        """Return the density with what this file tells of draws that all its records share; itself if there are none.

        Parameters
        ----------
        before, after, candidates
            As for the log densities.
        weights
            The probability of each candidate.
        """
        return self


@dataclass(frozen=True, eq=False)
class JointMixture(JointDensity):
    """The differences in several coordinates together are a draw from a mixture of normal distributions.

    Parameters
    ----------
    weights, centres
        The probability of each component, shape (components,), and where it lies, shape (components, coordinates).
    variances
        The variance of each coordinate inside a component, shape (coordinates,).

    Examples
    --------
    >>> corners = JointMixture(np.array([0.5, 0.5]), np.array([[-1.0, -1.0], [1.0, 1.0]]), np.array([0.1, 0.1]))
    >>> corners.log_density(np.zeros((2, 2)), np.array([[1.0, 1.0], [1.0, -1.0]])).round(1)
    array([ -0.2, -19.5])
    """

    weights: FloatColumn
    centres: FloatMatrix
    variances: FloatColumn

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of each masked record given each of its candidates."""
        return np.asarray(self.log_density(before[np.maximum(candidates, 0)], after[:, None]), dtype=np.float64)

    def log_density(self, before: Floats, after: Floats) -> Floats:
        """Return the log density of each pair of places, shapes (..., coordinates); 0 where one of them is missing."""
        differences = after - before
        is_missing = np.asarray(np.isnan(differences).any(axis=-1))
        differences = np.where(is_missing[..., None], 0.0, differences)
        total = np.full(differences.shape[:-1], -np.inf)
        for weight, centre in zip(self.weights, self.centres, strict=True):
            distances = ((differences - centre) ** 2 / self.variances).sum(axis=-1)
            total = np.logaddexp(total, np.log(weight) - 0.5 * distances)
        total -= 0.5 * np.log(2 * np.pi * self.variances).sum()
        return np.where(is_missing, 0.0, np.maximum(total, IMPOSSIBLE))
