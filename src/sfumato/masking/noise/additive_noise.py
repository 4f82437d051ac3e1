"""Additive noise: independent normal noise on each column."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, Likelihood, MaskingMethod, Noise
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.masking.noise._last_bits import drop_last_bits
from sfumato.masking.noise._noise_likelihood import noise_likelihood
from sfumato.masking.noise._rescaling import rescaled_noise
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns, Scale, Strata


class AdditiveNoise(MaskingMethod):
    """Add normal noise, drawn for each value on its own, to each column.

    Parameters
    ----------
    columns
        Continuous columns. Integer columns get rounded values.
    scale
        Standard deviation of the noise, in standard deviations of the column.
    rescaled
        Whether each column is drawn back towards its mean, so that its variance is kept too.
    within
        Columns whose equal values make the strata; the noise is then scaled by the deviation in the stratum.

    Effect on risk
        Falls as `scale` grows. Outliers stay recognisable: noise that hides a typical record does not hide an extreme
        one. `rescaled` moves outliers inwards by a known factor, which an intruder can undo. Each column is noisy on
        its own, so that many columns together give a record away: measure `WorstCaseLinkage` on all that may be known.
    Effect on utility
        Keeps means in expectation; multiplies variances by 1 + scale^2 and weakens correlations by the same factor.
        With `rescaled` keeps means exactly (columns of at least 30 values, up to the rounding of integer columns) and
        variances in expectation; covariances, and so correlations, are divided by 1 + scale^2. Means of subdomains are
        then drawn to the mean of the whole: `corrected_moments` gives them back.
    Missing values
        Stay missing; deviations are of the observed values. A constant column is refused: there is nothing to scale by.
    Source
        Brand (2002), Microdata protection through noise addition, in Inference Control in Statistical Databases.
        Rescaled by column as Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata
        protection, do by record; about the mean of the original values, with noise that adds up to 0.

    Examples
    --------
    >>> add_noise(np.array([[1.0], [2.0]]), np.array([0.5]), np.random.default_rng(0)).round(3)
    array([[1.063], [1.934]])
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    scale: Scale = 0.1
    rescaled: bool = False
    within: Strata = ()

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the normal density of the noise on each column."""
        return noise_likelihood(self, original, masked, names, self.noise)

    def noise(self, stratum: Microdata) -> Noise:
        """Return the noise, independent for each column."""
        every = stratum.select(self.columns)
        deviations = self.scale * stratum.summary.deviations(every)
        shrinkage = 1 / np.sqrt(1 + self.scale**2) if self.rescaled else 1.0
        return Noise(np.diag(deviations**2), shrinkage, stratum.summary.means(every))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with noise on the chosen columns."""
        names = block.select(self.columns)
        deviations = block.summary.deviations(names)
        for name, deviation in zip(names, deviations, strict=True):
            if deviation == 0.0:
                raise DataError(
                    f"AdditiveNoise.columns: '{name}' is constant, so noise in proportion would change nothing; "
                    f"leave it out"
                )
        if not self.rescaled:
            return block.map_matrix(
                names, lambda matrix: drop_last_bits(add_noise(matrix, self.scale * deviations, rng))
            )
        means = block.summary.means(names)
        noise = add_noise(np.zeros((block.n, len(names))), self.scale * deviations, rng)
        return block.map_matrix(
            names, lambda matrix: drop_last_bits(rescaled_noise(matrix, noise, self.scale**2, means))
        )


def add_noise(matrix: FloatMatrix, deviations: FloatColumn, rng: np.random.Generator) -> FloatMatrix:
    """Return `matrix` (records x columns) plus independent normal noise of the given deviation for each column."""
    noise = rng.standard_normal(matrix.shape[::-1]).T  # column by column, as the matrix lies in memory
    return matrix + deviations * noise
