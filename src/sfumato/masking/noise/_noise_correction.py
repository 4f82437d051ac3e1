"""For users of noisy data: means and covariances of the original records, estimated from the masked ones.

The publisher states the noise (its kind, its size, whether it was rescaled); the original data are not needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from sfumato.contracts import MaskingMethod, check_files
from sfumato.data import Category, Microdata, Selection
from sfumato.documents import format_value
from sfumato.errors import DataError, ParameterError
from sfumato.masking.noise.additive_noise import AdditiveNoise
from sfumato.masking.noise.correlated_noise import CorrelatedNoise
from sfumato.masking.noise.mixture_noise import MixtureNoise
from sfumato.masking.noise.multiplicative_noise import MultiplicativeNoise
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.covariances import complete_covariances
from sfumato.numerics.noise_moments import (
    ROUNDING,
    before_rescaling,
    noise_share,
    rounded_noise,
    variance_before_rounded_noise,
)

Noise = AdditiveNoise | CorrelatedNoise | MixtureNoise
NOISES = (AdditiveNoise, CorrelatedNoise, MixtureNoise)


@dataclass(frozen=True, eq=False)
class EstimatedMoments:
    """Estimated means and covariances of some original records.

    Parameters
    ----------
    n
        How many records, complete in the columns, the estimate is from.
    means
        The mean of each column.
    covariance
        Their covariance matrix (divisor n - 1); NaN for fewer than 2 records.
    """

    n: int
    means: FloatColumn
    covariance: FloatMatrix


@dataclass(frozen=True, eq=False)
class CorrectedMoments:
    """Estimated means and covariances of the whole file and of subdomains.

    Parameters
    ----------
    columns
        The columns, in the order of the means and covariances.
    whole
        Of all records.
    domains
        Of each subdomain, by its categories in the columns `within`; None stands for a missing category.
    """

    columns: tuple[str, ...]
    whole: EstimatedMoments
    domains: Mapping[tuple[Category | None, ...], EstimatedMoments] = field(default_factory=dict)


def corrected_moments(
    masked: Microdata, noise: Noise | MultiplicativeNoise, *, within: Selection = ()
) -> CorrectedMoments:
    """Return unbiased estimates of the original means and covariances, from noisy data and what is known of the noise.

    With d the ratio of the variances, V the covariance of the masked records and V_D that of a subdomain, the original
    covariances are estimated by V / (1 + d) and V_D - d V / (1 + d), and means by those of the masked records.
    Rescaled noise is undone first, about the masked mean. Independent noise adds to the variances alone, so that only
    these are corrected. Independent factors multiply the mean squares by 1 + spread^2, spread as a share, and leave the
    mean products of two values: with `MultiplicativeNoise` squares are divided by it.

    Parameters
    ----------
    masked
        The noisy records.
    noise
        The method that masked them, with the parameters that the publisher states.
    within
        Columns, which noise has not changed, whose equal values make the subdomains.

    Notes
    -----
    Records that lack a value in one of the columns are left out. A covariance of a small subdomain is a difference of
    two estimates: its variances may come out negative, which says that the subdomain is too small for the noise; one of
    a single record has none, and is NaN.
    Columns of integers are rounded after the noise, which is corrected too: exactly for normal noise that is not
    rescaled, else by 1 / 12 of variance.

    References
    ----------
    Kim (1990), Subpopulation estimation for the masked data; for factors Kim and Winkler (2003), Multiplicative noise
    for masking continuous data.

    Examples
    --------
    >>> import polars
    >>> noisy = Microdata(polars.DataFrame({"income": [10.0, 20.0, 30.0, 40.0]}))
    >>> found = corrected_moments(noisy, CorrelatedNoise(columns=("income",), variance_ratio=0.25))
    >>> found.whole.covariance.round(2)  # the masked variance is 166.67
    array([[133.33]])
    """
    check_noise("corrected_moments", masked, noise, (*NOISES, MultiplicativeNoise))
    if isinstance(noise, MultiplicativeNoise):
        columns = masked.select(noise.bound_to(masked).columns)
        matrix, is_whole = masked.matrix(columns), _whole_columns(masked, columns)

        def correct(rows: Rows) -> EstimatedMoments:
            return _correct_factors(matrix[rows], noise.spread / 100, is_whole)
    else:
        columns, matrix, ratio = unscaled_noise("corrected_moments", masked, noise)
        added = noise_covariance(masked, noise, columns, ratio)

        def correct(rows: Rows) -> EstimatedMoments:
            return _correct(matrix[rows], added)

    domains = {domain: correct(rows) for domain, rows in _domains(masked, masked.select(within))}
    return CorrectedMoments(columns, correct(np.arange(masked.n)), domains)


def check_noise(who: str, masked: Microdata, noise: object, noises: tuple[type[MaskingMethod], ...]) -> None:
    """Refuse what is no Microdata, and a method whose noise has no correction here."""
    check_files(who, masked=masked)
    if not isinstance(noise, noises):
        raise ParameterError(
            [
                f"{who}.noise must be a method with a known correction, {', '.join(kind.__name__ for kind in noises)}; "
                f"got {format_value(noise)}"
            ]
        )


def noise_covariance(masked: Microdata, noise: Noise, columns: tuple[str, ...], ratio: float) -> FloatMatrix:
    """Return the covariance that noise added to columns, before they were rescaled, as the noisy records tell it.

    It is in proportion to what the noise was, which is an estimate from all records where values are missing. In
    columns of whole numbers, to which masking rounds, the error of rounding is part of it.
    """
    independent = isinstance(noise, AdditiveNoise)
    spread = np.diag(masked.summary.deviations(columns) ** 2) if independent else masked.summary.covariance(columns)
    is_whole = _whole_columns(masked, columns)
    if noise.rescaled:
        return noise_share(spread * (1 + ratio), ratio) + np.diag(ROUNDING * is_whole)  # on values that are stretched
    before = [
        variance_before_rounded_noise(variance, ratio) if whole else variance / (1 + ratio)
        for variance, whole in zip(np.diag(spread).tolist(), is_whole.tolist(), strict=True)
    ]
    left = np.where(is_whole, [rounded_noise(float(np.sqrt(ratio * variance))).share for variance in before], 1.0)
    ratios = ratio * np.outer(left, left)
    added = ratios / (1 + ratios) * spread
    np.fill_diagonal(added, np.diag(spread) - before)
    return np.asarray(added, dtype=np.float64)


def unscaled_noise(
    who: str, masked: Microdata, noise: AdditiveNoise | CorrelatedNoise | MixtureNoise
) -> tuple[tuple[str, ...], FloatMatrix, float]:
    """Return the noisy columns, their values as they were before they were rescaled, and the ratio of variances."""
    if noise.strata:
        raise DataError(
            f"{who} takes noise that follows the covariance of the whole file; this one has strata: call it for the "
            f"records of each stratum, with the noise without within"
        )
    columns = masked.select(noise.bound_to(masked).columns)
    ratio = noise.scale**2 if isinstance(noise, AdditiveNoise) else noise.variance_ratio
    matrix = masked.matrix(columns)
    if noise.rescaled:
        matrix = before_rescaling(matrix, masked.summary.means(columns), ratio)
    return columns, matrix, ratio


def _domains(data: Microdata, names: tuple[str, ...]) -> list[tuple[tuple[Category | None, ...], Rows]]:
    """Return the categories and the rows of each subdomain; none where no column makes them."""
    if not names:
        return []
    coded = [data.codes(name) for name in names]

    def categories(row: int) -> tuple[Category | None, ...]:
        return tuple(listed[codes[row]] if codes[row] >= 0 else None for codes, listed in coded)

    return [(categories(rows[0]), rows) for rows in data.strata(names)]


def _whole_columns(data: Microdata, columns: tuple[str, ...]) -> Booleans:
    return np.array([data.table[name].dtype.is_integer() for name in columns])


def _correct_factors(matrix: FloatMatrix, spread: float, is_whole: Booleans) -> EstimatedMoments:
    """Return the moments of the complete records, with the squares of values divided by what the factors add to them.

    With q the sum of the squares and t the total of n noisy values, the sum of the original squares is estimated by
    s = q / (1 + spread^2), where rounding has added n / 12 to q, and the square of the original total by t^2 - q + s.
    """
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    n = len(complete)
    if n < 2:
        return _correct(complete, np.zeros((matrix.shape[1], matrix.shape[1])))
    from_mean = complete - complete.mean(axis=0)  # of large values the squares of their mean would cover the rest
    squares, centred = (complete**2).sum(axis=0), (from_mean**2).sum(axis=0)
    original = (squares - n * ROUNDING * is_whole) / (1 + spread**2)
    variances = (centred - (squares - original) * (1 - 1 / n)) / (n - 1)
    covariance = complete_covariances(complete)
    np.fill_diagonal(covariance, variances)
    return EstimatedMoments(n, complete.mean(axis=0), covariance)


def _correct(matrix: FloatMatrix, added: FloatMatrix) -> EstimatedMoments:
    """Return the moments of the complete records less the covariance that the noise added."""
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    means = complete.mean(axis=0) if len(complete) else np.full(matrix.shape[1], np.nan)
    return EstimatedMoments(len(complete), means, complete_covariances(complete) - added)
