"""Moment and factor loss: how far values, moments and principal components have moved, each by three errors."""

from collections.abc import Mapping
from itertools import product
from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.loss.values._moments import Moments, moments
from sfumato.loss.values._principal_components import alike, components
from sfumato.loss.values.information_loss import record_variation, variation
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.known_means import mean_of_known
from sfumato.parameters import Columns

Compared = tuple[FloatColumn, FloatColumn, FloatColumn]
"""The same cells of both files, and the weight of each."""

SUMMARISED = {
    **dict.fromkeys(("X", "M", "V", "S"), "variation"),
    **dict.fromkeys(("R", "RF", "C", "F"), "mae"),
}
"""What is compared, and by which error the value takes it in."""

ERRORS = ("mse", "mae", "variation")


class MomentAndFactorLoss(LossMeasure):
    """Compare values, moments and principal components by mean square error, mean absolute error and mean variation.

    Eight things are compared: `X` the values, `M` the means, `V` the covariances (variances among them), `S` the
    variances, `R` the correlations, `RF` the correlations of variables and principal components, `C` the communalities
    (the share of each variable that the first component explains) and `F` the factor score coefficients (what
    standardised variables are multiplied by to obtain their projections on the components). Each has three parts, such
    as `MFL.RF.mse`, `MFL.RF.mae` and `MFL.RF.variation`, as published: not in percent, and the first two of the first
    four in the units of the columns. A variation is |masked - original| / |original|; an original of 0 is divided by
    |masked| instead, and where both are 0 the cell is left out.

    The value is 100 times the mean over the eight: variations of `X`, `M`, `V` and `S`, which have units, and absolute
    errors of `R`, `RF`, `C` and `F`, which have none and may be near 0, where a variation says little.

    The components are those of the correlations, by falling variance. `RF` and `F` are weighted by the share of the
    original variance that each component explains: they are weighted means over the cells (the published divisor p^2
    means weights that average to 1). The sign of a component is arbitrary: each masked one is taken with the sign that
    brings it near the original one. So is any turn of components of equal variance (to 1e-9) among themselves, in
    either file: they are turned as near to the others as they can be. Components of nearly equal variance may still
    exchange places under a small change, and then count as lost.

    Parameters
    ----------
    columns
        Continuous columns.

    Meaning
        0: the same values, moments and components. 100: on average values and moments have changed by as much as they
        were, and correlations by 1. There is no upper bound, as values and moments near 0 change by large factors.
    Missing values
        A value that is missing only in the masked file is fully lost: it counts 1 in the variation of `X`, and as a 0
        in its other errors; one that was missing in the original is left out. Moments are of the values that are there,
        those of two columns of the records that have both; one that cannot be computed is 0. A constant column has no
        correlations, and is a component by itself without any variance. With one column there is no `R`: its parts are
        0 and not in the mean.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, Table 5.

    Examples
    --------
    >>> cells = np.array([2.0, 4.0, 0.0]), np.array([3.0, 4.0, 0.0]), np.ones(3)
    >>> [round(float(error), 2) for error in three_errors(*cells)]
    [0.33, 0.33, 0.25]
    """

    symbol: ClassVar[str] = "MFL"
    part_symbols: ClassVar[tuple[str, ...]] = tuple(
        f"MFL.{symbol}.{error}" for symbol, error in product(SUMMARISED, ERRORS)
    )
    part_units: ClassVar[Mapping[str, str]] = dict.fromkeys(part_symbols, "")
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the loss of values, moments and components in percent, with its 24 parts."""
        files = side_by_side(self, original, masked)
        found = {"X": value_errors(files.corresponding, files.masked)}
        compared = compare_moments(moments(files.original), moments(files.masked))
        found |= {symbol: three_errors(*cells) for symbol, cells in compared.items()}
        parts = {
            f"MFL.{symbol}.{name}": error
            for symbol in SUMMARISED
            for name, error in zip(ERRORS, found[symbol], strict=True)
        }
        summarised = [
            f"MFL.{symbol}.{error}" for symbol, error in SUMMARISED.items() if symbol != "R" or len(files.names) > 1
        ]
        value = 100 * float(np.mean([parts[name] for name in summarised]))
        return Measurement(self.name(), self.symbol, value, parts=parts)


def value_errors(original: FloatMatrix, masked: FloatMatrix) -> tuple[float, float, float]:
    """Return mean square error, mean absolute error and mean variation of the values; a suppressed one counts as 0."""
    change = np.abs(np.where(np.isnan(masked), 0.0, masked) - original)[~np.isnan(original)]
    by_record = record_variation(original, masked)
    return mean_of_known(change**2), mean_of_known(change), mean_of_known(by_record)


def compare_moments(before: Moments, after: Moments) -> dict[str, Compared]:
    """Return what is compared besides the values, by symbol."""
    once, pairs = (np.triu_indices(len(before.means), k=k) for k in (0, 1))
    first, second = alike(components(before.correlations), components(after.correlations))
    weights = np.broadcast_to(first.shares, first.directions.shape)
    return {
        "M": _evenly(before.means, after.means),
        "V": _evenly(before.covariances[once], after.covariances[once]),
        "S": _evenly(before.variances, after.variances),
        "R": _evenly(before.correlations[pairs], after.correlations[pairs]),
        "RF": (first.loadings.ravel(), second.loadings.ravel(), weights.ravel()),
        "C": _evenly(first.communalities, second.communalities),
        "F": (first.directions.ravel(), second.directions.ravel(), weights.ravel()),
    }


def _evenly(before: FloatColumn, after: FloatColumn) -> Compared:
    return before, after, np.ones(before.size)


def three_errors(before: FloatColumn, after: FloatColumn, weights: FloatColumn) -> tuple[float, float, float]:
    """Return the weighted mean square error, mean absolute error and mean variation of some cells; 0 without any."""
    change, relative = np.abs(after - before), variation(before, after)
    return _weighted_mean(change**2, weights), _weighted_mean(change, weights), _weighted_mean(relative, weights)


def _weighted_mean(values: FloatColumn, weights: FloatColumn) -> float:
    """Return the weighted mean of the values that are not NaN; 0 where there is no weight."""
    known = ~np.isnan(values)
    total = weights[known].sum()
    return float(values[known] @ weights[known] / total) if total > 0 else 0.0
