"""Function loss: how far the results of an analysis have moved, for any analysis."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np
from pydantic import AfterValidator, Field

from sfumato.comparison.side_by_side import columns_to_compare
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.errors import did_you_mean
from sfumato.loss.analyses._functions import check_kinds, comparable_results, known_analyses
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns

LARGEST_RATIO = 1e300  # of two results; beyond it the smaller is as good as 0, and doubles soon have no number for it


class Divergence(StrEnum):
    """How the results of an analysis on two files are compared."""

    MEAN_VARIATION = "mean_variation"
    """The mean of |masked - original| / |original|."""
    MEAN_ABSOLUTE = "mean_absolute"
    """The mean of |masked - original|, in means of |original|."""
    ROOT_MEAN_SQUARE = "root_mean_square"
    """The root of the mean of (masked - original)^2, in that of original^2."""
    SYMMETRIC_VARIATION = "symmetric_variation"
    """The mean of |masked - original| over the mean of |masked| and |original|: the same with the files exchanged."""


def _known_analysis(name: str) -> str:
    known = known_analyses()
    if name not in known:
        raise ValueError(f"must be one of {', '.join(known)}; got '{name}'{did_you_mean(name, known)}")
    return name


class FunctionLoss(LossMeasure):
    """Compare the results of the same analysis of both files: divergence(f(original), f(masked)).

    The part `FLlargest` is the largest change of a single result, in percent of its original. The files need not hold
    the same records, so that synthetic ones can be measured.

    Parameters
    ----------
    columns
        The columns that are analysed; their order counts where the analysis says so.
    analysis
        What is computed from each file: `means`, `variances`, `covariances` and `correlations` of pairs, `quantiles`
        (5, 25, 50, 75, 95 %), `slopes` of the last column on those before it, sizes and centres of five `clusters`,
        `counts` of the combinations of categories, or one that `register_analysis` or a package makes known.
    divergence
        How the results are compared: `mean_variation`, `mean_absolute` or `root_mean_square`, in the size of those of
        the original, or `symmetric_variation`, in the size of both: only this is the same when the files are exchanged.
    false_positive_cost
        How often a result counts in the mean whose masked value is larger in size than the original one, where others
        count once: above 1 where it is worse to find what is not there than to miss what is, below 1 the other way
        round.

    Meaning
        0: the same results. 100: results differ by as much as they are large; there is no upper bound, but with
        `symmetric_variation` 200, for results that one file does not have.
    Missing values
        As the analysis takes them: means, variances and quantiles are of the values that are there, covariances,
        correlations, slopes and clusters of the complete records, and in counts a gap is a category. A result that is 0
        in both files is left out of both variations; one that is 0 in the original counts 100 in the mean variation. No
        record has a figure.
    Source
        Torra (2013), Masking methods, slides: the information loss of an analysis f is divergence(f(X), f(X')), with an
        asymmetric divergence where false positives do more damage. The divergences are those of Domingo-Ferrer and
        Torra (2001), Disclosure control methods and information loss for microdata, Table 5, made free of units.

    Examples
    --------
    >>> differences = diverge(np.array([10.0, 20.0]), np.array([11.0, 18.0]), Divergence.MEAN_VARIATION, 1.0)
    >>> round(differences, 3)
    0.1
    """

    symbol: ClassVar[str] = "FL"
    part_symbols: ClassVar[tuple[str, ...]] = ("FLlargest",)
    family: ClassVar[str] = "analyses"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})

    columns: Columns
    analysis: Annotated[str, AfterValidator(_known_analysis)] = "means"
    divergence: Divergence = Divergence.MEAN_VARIATION
    false_positive_cost: Annotated[float, Field(gt=0, le=1000)] = 1.0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the divergence of the results in percent, with the largest change of one of them."""
        names = columns_to_compare(self, original, masked)
        check_kinds(self.analysis, original, names)
        before, after = align(*comparable_results(self.analysis, original, masked, names))
        value = 100 * diverge(before, after, self.divergence, self.false_positive_cost)
        largest = 100 * float(_variations(before, after).max(initial=0.0))
        return Measurement(self.name(), self.symbol, value, parts={"FLlargest": largest})


def align(before: Mapping[str, float], after: Mapping[str, float]) -> tuple[FloatColumn, FloatColumn]:
    """Return the results of both files in one order; one that a file does not have is 0."""
    labels = [*before, *(label for label in after if label not in before)]
    return np.array([before.get(label, 0.0) for label in labels]), np.array([after.get(label, 0.0) for label in labels])


def diverge(before: FloatColumn, after: FloatColumn, divergence: Divergence, false_positive_cost: float) -> float:
    """Return how far results have moved, as a share of their size: a mean in which what grew counts as it costs."""
    costs = np.where(np.abs(after) > np.abs(before), false_positive_cost, 1.0)
    apart = np.abs(after - before)
    some = (before != 0) | (after != 0)
    if divergence is Divergence.MEAN_VARIATION:
        return _weighted(_variations(before, after)[some], costs[some])
    if divergence is Divergence.SYMMETRIC_VARIATION:
        return _weighted(apart[some] / ((np.abs(before) + np.abs(after)) / 2)[some], costs[some])
    power = 1 if divergence is Divergence.MEAN_ABSOLUTE else 2
    size = float((np.abs(before) ** power).mean())
    if not size:
        return _weighted((apart > 0).astype(np.float64), costs)
    return float((_weighted(apart**power, costs) / size) ** (1 / power))


def _weighted(figures: FloatColumn, weights: FloatColumn) -> float:
    """Return the weighted mean; 0 of nothing."""
    return float(figures @ weights / weights.sum()) if figures.size else 0.0


def _variations(before: FloatColumn, after: FloatColumn) -> FloatColumn:
    """Return |after - before| / |before|; 1 where only the first is 0, or as good as 0 beside it, 0 where both are."""
    apart, size = np.abs(after - before), np.abs(before)
    return np.divide(apart, size, out=(apart > 0).astype(np.float64), where=size > apart / LARGEST_RATIO)
