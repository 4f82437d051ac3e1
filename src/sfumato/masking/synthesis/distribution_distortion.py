"""Distortion by probability distribution: values drawn from a fitted distribution, put in the place of their rank."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.data.columns import LARGEST
from sfumato.errors import DataError
from sfumato.masking.synthesis._distribution_draws import draw
from sfumato.masking.synthesis._distribution_fitting import FITTERS, Criterion, DistributionName, Fit, best_fit
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.ranking import shuffled_order
from sfumato.parameters import Columns, Strata

USUAL: tuple[DistributionName, ...] = tuple(
    name for name in FITTERS if name not in ("geometric", "binomial", "hypergeometric")
)
MIN_INTERVALS, MAX_INTERVALS = 8, 20

MAX_UNCHANGED = 0.5  # of a column of whole numbers; beyond it the method does not mask


class DistributionDistortion(MaskingMethod):
    """Replace each column by draws from the distribution that fits it best, in the order of the original values.

    Parameters
    ----------
    columns
        Continuous columns; each is replaced on its own. Integer columns get rounded values.
    distributions
        The distributions to try, by name. Each is fitted by maximum likelihood (exponential, gamma, Weibull,
        log-normal, Pareto and chi-square from 0 on; triangular and beta between ends just beyond the extreme values;
        Poisson, geometric, binomial and hypergeometric for counts; the last three only when they are named), and the
        one with the smallest statistic is taken. Of more than 10 000 values the fits look at 10 000 evenly spaced
        order statistics.
    criterion
        The statistic by which distributions are compared, and the best is accepted: `kolmogorov_smirnov`, `chi_square`
        (per degree of freedom, which needs some 30 values) or `anderson_darling`, which looks at the tails more
        closely and at continuous distributions only.
    significance
        Significance level at which the best distribution is rejected. Then the frequencies in intervals of equal width
        are imposed on uniform draws instead. With many records hardly any distribution is accepted.
    intervals
        Number of those intervals, 8 to 20; by default 1 + log2 of the number of values, within these bounds.
    within
        Columns whose equal values make the strata; each stratum then has a distribution of its own.

    Effect on risk
        Every value is redrawn, but rounding may give whole numbers back, and ranks are kept, so that a record that
        is known to be the largest stays the largest. An extreme value is replaced by an extreme draw of any size.
    Effect on utility
        Keeps the shape of each column as far as the fitted distribution or the intervals have it, and rank correlations
        exactly. Sums of columns, zeros and other values that many records share are lost. A skewed column without a
        fitting distribution falls mostly into one interval: transform it first.
    Missing values
        Stay missing. A column with a single value, or equal values only, is refused.
    Source
        Liew, Choi and Liew (1985), A data distortion by probability distribution. ACM Transactions on Database Systems
        10; as described with its example by Domingo-Ferrer and Torra (2001), Disclosure control methods and information
        loss for microdata.

    Examples
    --------
    >>> salaries = np.array([310.0, 480, 905, 1120, 1260, 1500, 1840, 2210, 2300, 3900])
    >>> distort(salaries, ("gumbel",), 0.05, None, np.random.default_rng(0)).round()
    array([  59.,  249.,  926., 1507., 1657., 1735., 2007., 2327., 2948., 3181.])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    ignores_order: ClassVar[bool] = True

    columns: Columns
    distributions: Annotated[tuple[DistributionName, ...], Field(min_length=1)] = USUAL
    criterion: Criterion = "kolmogorov_smirnov"
    significance: Annotated[float, Field(gt=0, lt=1)] = 0.05
    intervals: Annotated[int, Field(ge=MIN_INTERVALS, le=MAX_INTERVALS)] | None = None
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with draws in place of the chosen columns."""
        return block.map_columns(self.columns, lambda name, column: self._distort(name, column, rng))

    def _distort(self, name: str, column: FloatColumn, rng: np.random.Generator) -> FloatColumn:
        if not column.size:
            return column
        if column.min() == column.max():
            raise DataError(
                f"DistributionDistortion.columns: '{name}' has equal values only, in the file or in a stratum, "
                f"and no distribution to draw from; leave it out or join strata"
            )
        fit = accepted_fit(column, self.distributions, self.significance, self.criterion)
        if is_mostly_kept(column, fit, self.intervals):  # not asked of the draws: what runs once runs again
            raise DataError(
                f"DistributionDistortion.columns: '{name}' has so few whole numbers that most would come out as they "
                f"were; use invariant_pram (as nominal) or rank_swapping"
            )
        masked = draw_in_order(column, fit, self.intervals, rng)
        if not (np.abs(masked) <= LARGEST).all():
            raise DataError(
                f"DistributionDistortion.distributions: the one fitted to '{name}' gives values too large to hold; "
                f"name others, without the heavy tails of pareto or log_normal"
            )
        return masked


def distort(
    column: FloatColumn,
    distributions: tuple[DistributionName, ...],
    significance: float,
    intervals: int | None,
    rng: np.random.Generator,
    criterion: Criterion = "kolmogorov_smirnov",
) -> FloatColumn:
    """Return draws from the best distribution, or with imposed frequencies, in the order of the column's values."""
    return draw_in_order(column, accepted_fit(column, distributions, significance, criterion), intervals, rng)


def accepted_fit(
    column: FloatColumn, distributions: tuple[DistributionName, ...], significance: float, criterion: Criterion
) -> Fit | None:
    """Return the distribution that fits a column best, None where it is rejected."""
    fit = best_fit(column, distributions, criterion)
    return fit if fit is not None and fit.p_value >= significance else None


def draw_in_order(column: FloatColumn, fit: Fit | None, intervals: int | None, rng: np.random.Generator) -> FloatColumn:
    """Return draws from a distribution, or with imposed frequencies where there is none, in the order of the column."""
    if fit is None:
        drawn = with_frequencies(column, intervals or usual_intervals(column.size), rng)
    else:
        drawn = draw(fit, column.size, rng)
    masked = np.empty_like(column)
    masked[shuffled_order(column, rng)] = np.sort(drawn)
    return masked


def is_mostly_kept(column: FloatColumn, fit: Fit | None, intervals: int | None) -> bool:
    """Tell whether most of the whole numbers of a column would come out as they are: so with the draws to be expected.

    These are quantiles of the distribution, or lie evenly in the intervals.
    """
    if not np.array_equal(column, np.rint(column)):
        return False
    if fit is None:
        edges = np.linspace(column.min(), column.max(), (intervals or usual_intervals(column.size)) + 1)
        counts, _ = np.histogram(column, edges)
        within = np.concatenate([(np.arange(count) + 0.5) / count for count in counts if count])
        expected = np.repeat(edges[:-1], counts) + within * (edges[1] - edges[0])
    else:
        with np.errstate(all="ignore"):
            expected = np.asarray(fit.law.ppf((np.arange(column.size) + 0.5) / column.size), dtype=np.float64)
    return bool(np.mean(np.rint(expected) == np.sort(column)) > MAX_UNCHANGED)


def with_frequencies(column: FloatColumn, intervals: int, rng: np.random.Generator) -> FloatColumn:
    """Return uniform draws, as many in each interval of equal width as the column has there.

    To draw from the whole range and to discard what overflows an interval, as in the source, gives the same.
    """
    edges = np.linspace(column.min(), column.max(), intervals + 1)
    counts, _ = np.histogram(column, edges)
    return np.asarray(rng.uniform(np.repeat(edges[:-1], counts), np.repeat(edges[1:], counts)), dtype=np.float64)


def usual_intervals(n: int) -> int:
    """Return the number of intervals for `n` values.

    Examples
    --------
    >>> usual_intervals(10), usual_intervals(1000), usual_intervals(10**7)
    (8, 11, 20)
    """
    return int(np.clip(np.ceil(1 + np.log2(n)), MIN_INTERVALS, MAX_INTERVALS))
