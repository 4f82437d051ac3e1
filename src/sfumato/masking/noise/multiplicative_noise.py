"""Multiplicative noise: each value times a random factor around 1."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Coordinate, Layout, Likelihood, MaskingMethod, Noise
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.masking.noise._last_bits import drop_last_bits
from sfumato.masking.noise._rounding_units import is_coarse, rounding_unit
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.numerics.densities import NormalMixture, Transitions
from sfumato.numerics.portable.exponentials import exp, log1p
from sfumato.parameters import Columns, Percent


class MultiplicativeNoise(MaskingMethod):
    """Multiply each value by a random factor of mean 1, drawn for each value on its own.

    The factors are log-normal, so that a positive value stays positive, and a value is moved by as many percent
    whether it is small or large: noise in proportion to the value, where `AdditiveNoise` is in proportion to the
    column.

    Parameters
    ----------
    columns
        Continuous columns. Integer columns get rounded values. A column of nothing but 0 is refused.
    spread
        Standard deviation of the factors, in percent: 10 moves a value by 10 % or so.

    Effect on risk
        Falls as `spread` grows. Large values are hidden as well as small ones, so that outliers stand out less than
        with `AdditiveNoise`; but a value of 0 stays 0, signs stay, and small values hardly move: who is told apart by
        zeros, or by many columns together, is found. On Census, 13 columns known, factors of 30 % leave 83 % of the
        records to an intruder with the recipe and 74 % to one who compares logarithms, but 13 % to one who compares
        differences. Measure `LikelihoodLinkage` or `WorstCaseLinkage` with the recipe: the noise on the logarithms is
        normal, and its likelihood is known.
    Effect on utility
        Keeps means in expectation, and means of subdomains; with f = 1 + spread^2 (as a share) it multiplies second
        moments about 0 by f, so that a variance becomes f variance + (f - 1) mean^2, and keeps covariances in
        expectation. Ratios of columns are noisy: use `LogarithmicNoise` where they matter.
    Missing values
        Stay missing.
    Source
        Kim and Winkler (2003), Multiplicative noise for masking continuous data, whose factors are truncated normal;
        named in Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection.

    Examples
    --------
    >>> multiply(np.array([[100.0, 0.0], [-200.0, 50.0]]), 0.1, np.random.default_rng(0)).round(1)
    array([[ 100.8,    0. ], [-196.4,   50.3]])
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    spread: Percent = 10.0

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the normal density of the noise on the logarithms, and that signs stay."""
        pairs = zip(original.matrix(names).T, masked.matrix(names).T, strict=True)
        return tuple(part for before, after in pairs for part in factor_likelihood(before, after, self.spread / 100))

    def noise(self, stratum: Microdata) -> Noise:
        """Return the noise on the logarithms, of each column by itself."""
        count = len(stratum.select(self.columns))
        return Noise(log_deviation(self.spread / 100) ** 2 * np.eye(count), 1.0, np.zeros(count), of_logarithms=True)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns multiplied."""
        names = block.select(self.columns)
        means, deviations = block.summary.means(names), block.summary.deviations(names)
        for name, mean, deviation in zip(names, means, deviations, strict=True):
            if mean == 0.0 and deviation == 0.0:
                raise DataError(
                    f"MultiplicativeNoise.columns: '{name}' holds nothing but 0, which no factor changes; leave it out"
                )
        return block.map_matrix(names, lambda matrix: drop_last_bits(multiply(matrix, self.spread / 100, rng)))


def multiply(matrix: FloatMatrix, spread: float, rng: np.random.Generator) -> FloatMatrix:
    """Return `matrix` (records x columns) times independent log-normal factors of mean 1 and deviation `spread`."""
    deviation = log_deviation(spread)
    normals = rng.standard_normal(matrix.shape[::-1]).T  # column by column, as the matrix lies in memory
    return np.asarray(matrix * exp(deviation * normals - deviation**2 / 2), dtype=np.float64)


def log_deviation(spread: float) -> float:
    """Return the deviation of the logarithm of a log-normal factor of mean 1 and deviation `spread`."""
    return float(np.sqrt(log1p(spread**2)))


def factor_likelihood(before: FloatColumn, after: FloatColumn, spread: float) -> Likelihood:
    """Return the coordinates of a column: the logarithm of its size, and its sign where signs differ.

    Values that are rounded may become 0; the density on the logarithms is not exact where rounding matters.

    Examples
    --------
    >>> size, sign = factor_likelihood(np.array([1.0, -2.0]), np.array([1.1, -2.1]), 0.1)
    >>> sign.before, sign.after
    (array([2., 0.]), array([2., 0.]))
    """
    deviation = log_deviation(spread)
    seen = np.concatenate([before, after])
    is_whole, unit = rounding_unit(seen) == 1, rounding_unit(after)
    is_exact = not is_whole and not is_coarse(after[(after != 0) | _are_lost(before, after)], deviation**2)
    noise = NormalMixture(np.ones(1), np.array([-deviation / 2]), 1.0)  # in deviations of the noise
    size = Coordinate(_log_sizes(before) / deviation, _log_sizes(after) / deviation, noise, is_exact)
    signs = [np.where(np.isnan(column), np.nan, np.sign(column) + 1) for column in (before, after)]
    if np.unique(np.concatenate(signs)[~np.isnan(seen)]).size < 2:
        return (size,)
    stays = np.eye(3)
    for sign in (0, 2) if unit else ():
        stays[sign] = _rounded_to_zero(np.abs(before[signs[0] == sign]) / unit, deviation) * np.eye(3)[1]
        stays[sign, sign] = 1 - stays[sign, 1]
    return (size, Coordinate(signs[0], signs[1], Transitions(stays), is_exact))


def _are_lost(before: FloatColumn, after: FloatColumn) -> Booleans:
    """Tell which masked values are 0 though fewer originals are: all of them, as nobody says which."""
    return np.full(len(after), bool(np.mean(after == 0) > np.mean(before == 0)))


def _log_sizes(column: FloatColumn) -> FloatColumn:
    """Return the logarithms of the absolute values; NaN where the value is 0 or missing."""
    return np.log(np.where(column == 0, np.nan, np.abs(column)))


def _rounded_to_zero(sizes: FloatColumn, deviation: float) -> float:
    """Return the mean probability that a value, in units of rounding, times its factor is below a half."""
    from scipy.special import ndtr

    return float(ndtr((np.log(0.5 / sizes) + deviation**2 / 2) / deviation).mean()) if sizes.size else 0.0
