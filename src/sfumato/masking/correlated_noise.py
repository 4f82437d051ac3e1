"""Correlated noise: normal noise whose covariance is a multiple of the data's."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.parameters import Columns, FloatMatrix, Scale, Strata


class CorrelatedNoise(MaskingMethod):
    """Add normal noise that is correlated as the columns are.

    Parameters
    ----------
    columns
        Continuous columns, masked together. Integer columns get rounded values. Collinear columns are fine: a total
        stays the sum of its parts (up to rounding).
    variance_ratio
        Covariance of the noise, as a multiple of the covariance of the data.
    within
        Columns whose equal values make the strata; the noise then follows the covariance in the stratum.

    Effect on risk
        Falls as `variance_ratio` grows. Outliers stay recognisable.
    Effect on utility
        Keeps means and correlations in expectation; multiplies variances and covariances by 1 + variance_ratio.
    Missing values
        Stay missing; the covariance is of the records complete in `columns`. A constant column is refused.
    Source
        Kim (1986), A method for limiting disclosure in microdata based on random noise and transformation: X +
        sqrt(d) Y with Cov(Y) = Cov(X).

    Examples
    --------
    >>> covariance = np.array([[4.0, 2.0], [2.0, 1.0]])  # the second column is half the first
    >>> noise = correlated_normals(2, covariance, np.random.default_rng(0))
    >>> bool(np.allclose(noise[:, 0], 2 * noise[:, 1]))
    True
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    variance_ratio: Scale = 0.1
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with correlated noise on the chosen columns."""
        names = block.select(self.columns)
        covariance = block.summary.covariance(names)
        for name, variance in zip(names, np.diag(covariance), strict=True):
            if variance == 0.0:
                raise DataError(
                    f"CorrelatedNoise.columns: '{name}' is constant, so noise in proportion would change nothing"
                )
        noise = correlated_normals(block.n, self.variance_ratio * covariance, rng)
        return block.map_matrix(names, lambda matrix: matrix + noise)


def correlated_normals(n: int, covariance: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
    """Return `n` normal records with mean 0 and the given covariance, which may be singular."""
    independent = rng.standard_normal((len(covariance), n))
    # einsum adds in one fixed order; a threaded BLAS may not
    return np.asarray(np.einsum("ij,jn->in", square_root(covariance), independent).T, dtype=np.float64)


def square_root(covariance: FloatMatrix) -> FloatMatrix:
    """Return a matrix L with L L' = covariance: Cholesky's, or one by eigenvectors where columns are collinear."""
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(root, dtype=np.float64)
