"""Rescaled noise: noisy values drawn towards their mean by as much as the noise spread them."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.densities import NormalMixture

CENTRED_FROM = 30  # with fewer values, noise that adds up to 0 would say much about each of them


def rescaled_noise(matrix: FloatMatrix, noise: FloatMatrix, variance_ratio: float, means: FloatColumn) -> FloatMatrix:
    """Return `matrix` plus noise, rescaled so that means stay and variances do in expectation.

    With z the noisy values and d the variance ratio this is z / sqrt(1 + d) + (1 - 1 / sqrt(1 + d)) mean. The noise on
    the values of a column is centred, so that it adds up to 0, where there are at least 30 of them.

    Parameters
    ----------
    matrix
        The records (records x columns); NaN where a value is missing.
    noise
        The noise on each value, of the same shape.
    variance_ratio
        The variance of the noise, as a multiple of the variance of the column.
    means
        The mean of each column in the whole file.
    """
    shrinkage = 1 / np.sqrt(1 + variance_ratio)
    noisy = matrix + centre_noise(noise, matrix)
    return np.asarray(means + shrinkage * (noisy - means), dtype=np.float64)


def centre_noise(noise: FloatMatrix, matrix: FloatMatrix) -> FloatMatrix:
    """Return the noise less its mean over the values of each column; the noise on fewer than 30 values as it is.

    Examples
    --------
    >>> centre_noise(np.arange(60.0).reshape(30, 2), np.ones((30, 2))).sum(axis=0)
    array([0., 0.])
    """
    known = ~np.isnan(matrix)
    counts = known.sum(axis=0)
    shifts = np.where(known, noise, 0.0).sum(axis=0) / np.maximum(counts, 1)
    return np.asarray(noise - np.where(counts >= CENTRED_FROM, shifts, 0.0), dtype=np.float64)


def centred_mixture(mixture: NormalMixture, matrix: FloatMatrix) -> NormalMixture:
    """Return the distribution of an element of noise that is centred: each component is as wide as the mean was, too.

    The mean of the elements of n records, which is taken from each, has the variance 1 / n. It is one draw for the
    whole file, so that the elements of records are not independent unless they are normal.

    Examples
    --------
    >>> two = NormalMixture(np.array([0.5, 0.5]), np.array([-0.9, 0.9]), 0.19)
    >>> found = centred_mixture(two, np.ones((50, 1)))
    >>> round(found.variance, 4), round(found.variance + (found.weights * found.centres**2).sum(), 6)
    (0.2062, np.float64(1.0))
    """
    fewest = int((~np.isnan(matrix)).sum(axis=0).min(initial=len(matrix)))
    if len(mixture.weights) == 1 or fewest < CENTRED_FROM:
        return mixture
    left = 1 - 1 / fewest
    return NormalMixture(mixture.weights, mixture.centres * np.sqrt(left), mixture.variance * left + 1 / fewest)


def centred_share(matrix: FloatMatrix) -> FloatMatrix:
    """Return the part of each covariance of noise that is left of it once it is centred as by `centre_noise`.

    With n_a values in column a and n_ab records that have both, that is 1 - 1 / n_a - 1 / n_b + n_ab / (n_a n_b). Where
    values are missing, columns that add up get noise that does not quite: the means are of different records.

    Examples
    --------
    >>> bool(np.allclose(centred_share(np.ones((50, 2))), 1 - 1 / 50))
    True
    """
    known = ~np.isnan(matrix)
    counts = known.sum(axis=0)
    inverse = np.where(counts >= CENTRED_FROM, 1 / np.maximum(counts, 1), 0.0)
    both = known.T.astype(np.float64) @ known
    return np.asarray(1 - np.add.outer(inverse, inverse) + both * np.outer(inverse, inverse), dtype=np.float64)
