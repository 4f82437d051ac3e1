"""Probabilistic information loss: whether statistics have moved further than chance would move them."""

from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import columns_to_compare
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.loss.values._moments import ROUNDING, moments
from sfumato.loss.values._sampling_errors import quantile_errors, quantiles, sampling_errors
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.known_means import mean_of_known
from sfumato.parameters import Columns

SHARES = np.arange(1, 20) / 20
"""The quantiles that are compared: 5, 10, ... 95 %."""


class ProbabilisticInformationLoss(LossMeasure):
    """Average the probabilities that chance moves a statistic less than masking did, over five groups of statistics.

    For a statistic t of the original file with standard error s, whose masked value is t', the loss is the probability
    100 * 2 P(0 <= Z <= |t' - t| / s) of a standard normal Z. The parts are its means over the statistics of each group:
    `PIL.means`, `PIL.variances`, `PIL.covariances` and `PIL.correlations` (each two columns once) and `PIL.quantiles`
    (5, 10, ... 95 % of each column). The value is the mean of the groups that have a statistic: with one column there
    are no covariances and correlations, and these parts are 0.

    The standard errors are those of the original file: s / sqrt(n) of a mean; of variances, covariances and
    correlations from the fourth moments, so that no normal distribution is supposed; of a quantile q,
    sqrt(q (1 - q) / n) / f, with the density f by a normal kernel of Silverman's bandwidth.

    Parameters
    ----------
    columns
        Continuous columns.

    Meaning
        0: the same statistics. 100, the largest: all have moved far beyond what sampling explains. A second sample of
        the same size from the same population has about 60. The more records a file has the smaller are its sampling
        errors: the same relative change is a greater loss in a larger file.
    Missing values
        Statistics are of the values that are there, those of two columns of the records that have both; a covariance or
        correlation that cannot be computed is 0. A statistic that cannot vary, such as the mean of a constant column,
        counts 100 when it has changed and 0 when not. Losing many values is a loss only as far as statistics move.
    Source
        Mateo-Sanz, Domingo-Ferrer and Sebé (2005), Probabilistic information loss measures in confidentiality
        protection of continuous microdata.

    Examples
    --------
    >>> chance_of_less(np.array([10.0, 10.0, 5.0]), np.array([10.0, 11.96, 6.0]), np.array([1.0, 1.0, 0.0])).round(2)
    array([0.  , 0.95, 1.  ])
    """

    symbol: ClassVar[str] = "aPIL"
    part_symbols: ClassVar[tuple[str, ...]] = (
        "PIL.means",
        "PIL.variances",
        "PIL.covariances",
        "PIL.correlations",
        "PIL.quantiles",
    )
    family: ClassVar[str] = "values"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the probabilistic information loss in percent, by group of statistics."""
        names = columns_to_compare(self, original, masked)
        groups = dict(zip(self.part_symbols, chances(original.matrix(names), masked.matrix(names)), strict=True))
        parts = {name: 100 * mean_of_known(group) for name, group in groups.items()}
        value = float(np.mean([parts[name] for name, group in groups.items() if group.size]))
        return Measurement(self.name(), self.symbol, value, parts=parts)


def chances(original: FloatMatrix, masked: FloatMatrix) -> list[FloatColumn]:
    """Return the chances of a smaller change: of means, variances, covariances, correlations and quantiles."""
    before, after, errors = moments(original), moments(masked), sampling_errors(original)
    pairs = np.triu_indices(original.shape[1], k=1)
    return [
        chance_of_less(before.means, after.means, errors.means),
        chance_of_less(before.variances, after.variances, np.diag(errors.covariances)),
        chance_of_less(before.covariances[pairs], after.covariances[pairs], errors.covariances[pairs]),
        chance_of_less(before.correlations[pairs], after.correlations[pairs], errors.correlations[pairs]),
        np.concatenate([quantile_chances(*columns) for columns in zip(original.T, masked.T, strict=True)]),
    ]


def quantile_chances(original: FloatColumn, masked: FloatColumn) -> FloatColumn:
    """Return the chances of a smaller change of the quantiles 5, 10, ... 95 % of a column."""
    before, after = (np.sort(column[~np.isnan(column)]) for column in (original, masked))
    return chance_of_less(quantiles(before, SHARES), quantiles(after, SHARES), quantile_errors(before, SHARES))


def chance_of_less(before: FloatColumn, after: FloatColumn, errors: FloatColumn) -> FloatColumn:
    """Return 2 P(0 <= Z <= |after - before| / error); without an error 1 where the statistic has changed, else 0."""
    from scipy.special import erf

    blur = ROUNDING * np.maximum(np.abs(before), np.abs(after))
    change = np.abs(after - before)
    excess = np.where(change > blur, np.inf, 0.0)
    np.divide(change, errors, out=excess, where=errors > blur)
    return np.asarray(erf(excess / np.sqrt(2)), dtype=np.float64)
