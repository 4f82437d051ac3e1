"""One estimate from the fits to several synthetic copies, with an error that tells what synthesis added.

In all rules `mean` is the mean of the estimates over the m copies, `within` the mean of their covariances and `between`
the covariance of the estimates between copies.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.display import Column, Table, format_compact, format_count, format_number, header_column, render_notebook
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.regression.fit import Fit


@dataclass(frozen=True, eq=False, repr=False)
class PooledFit:
    """Estimates from all copies together.

    Parameters
    ----------
    names
        What each coefficient belongs to.
    estimates, errors
        The pooled coefficients and their standard errors, for what holds in the population.
    freedom
        The degrees of freedom of each; infinite where the normal distribution is referred to.
    difference
        The covariance that the pooled estimates would have around those of the original file if the copies were made
        by the right model; None where there are too few copies to tell it.
    difference_freedom
        The degrees of freedom with which that covariance was estimated; infinite where it is as good as known.
    copies
        How many copies there are.
    replaced
        The coefficients whose variance came out negative by the rule, so that another one takes its place.
    """

    names: tuple[str, ...]
    estimates: FloatColumn
    errors: FloatColumn
    freedom: FloatColumn
    difference: FloatMatrix | None
    difference_freedom: float
    copies: int
    replaced: tuple[str, ...] = ()

    def intervals(self, confidence: float = 95.0) -> FloatMatrix:
        """Return the confidence interval of each coefficient (coefficients x 2)."""
        from scipy.stats import t

        reach = t.ppf(0.5 + confidence / 200, self.freedom) * self.errors
        return np.column_stack([self.estimates - reach, self.estimates + reach])

    @property
    def z_values(self) -> FloatColumn:
        """The estimates over their standard errors."""
        return self.estimates / self.errors

    @property
    def p_values(self) -> FloatColumn:
        """The two-sided p-values of the test that a coefficient is 0 in the population."""
        from scipy.stats import t

        p_values: FloatColumn = 2 * t.sf(np.abs(self.z_values), self.freedom)
        return p_values

    def _figures(self) -> tuple[FloatColumn, ...]:
        return self.estimates, self.errors, self.z_values, self.p_values, self.freedom

    def to_table(self) -> Table:
        """Return the coefficients as a table."""
        finite = not np.isinf(self.freedom[~np.isnan(self.freedom)]).all()
        titles = ["estimate", "error", *(("t", "p", "degrees of freedom") if finite else ("z", "p"))]
        rows = tuple(
            (
                name,
                _format_known(estimate, 5),
                _format_known(error, 5),
                _format_known(z, 3),
                "< 0.001" if p < 0.001 else None if np.isnan(p) else format_number(p, 3),
                *((_format_known(freedom, 3),) if finite else ()),
            )
            for name, estimate, error, z, p, freedom in zip(
                self.names, *(each.tolist() for each in self._figures()), strict=True
            )
        )
        replaced = f"; the variance of {', '.join(self.replaced)} is replaced, as it came out negative"
        note = f"Pooled from {format_count(self.copies, 'copy')}, for what holds in the population"
        note = f"{note}{replaced if self.replaced else ''}."
        return Table((header_column("coefficient"), *(Column(title) for title in titles)), rows, notes=(note,))

    def __repr__(self) -> str:
        return self.to_table().to_text()

    def _repr_html_(self) -> str:
        return render_notebook([self.to_table().to_html()])


@dataclass(frozen=True, eq=False)
class _Copies:
    """What the fits to all copies say: `ratio` is the size of a copy over that of the original."""

    mean: FloatColumn
    within: FloatMatrix
    between: FloatMatrix
    copies: int
    ratio: float


class PoolingRule(ABC):
    """How the fits to several copies become one."""

    min_copies: ClassVar[int] = 2

    @property
    @abstractmethod
    def sentence(self) -> str:
        """The rule by its name, and what it takes of the copies."""

    def pool(self, fits: Sequence[Fit], records: int) -> PooledFit:
        """Return the pooled fit.

        Parameters
        ----------
        fits
            The fits to the copies.
        records
            The number of records of the original that the same regression uses.
        """
        if len(fits) < self.min_copies:
            raise ParameterError([f"{type(self).__name__} needs at least {self.min_copies} copies; got {len(fits)}"])
        if len({fit.names for fit in fits}) > 1:
            raise DataError("the fits to the copies have different coefficients; fit all of them together")
        estimates = np.array([fit.estimates for fit in fits])
        within = np.mean([fit.covariance for fit in fits], axis=0)
        width = estimates.shape[1]
        between = np.cov(estimates, rowvar=False).reshape(width, width) if len(fits) > 1 else np.zeros((width, width))
        ratio = float(np.mean([fit.records for fit in fits])) / records
        of = _Copies(estimates.mean(axis=0), within, between, len(fits), ratio)
        variances, freedom = self._variances(of)
        around, known_by = self._difference(of)
        names, is_replaced = fits[0].names, self._is_replaced(of)
        replaced = tuple(name for name, is_so in zip(names, is_replaced, strict=True) if is_so)
        return PooledFit(names, of.mean, np.sqrt(variances), freedom, around, known_by, len(fits), replaced)

    @abstractmethod
    def _variances(self, of: _Copies) -> tuple[FloatColumn, FloatColumn]:
        """Return the variance of each pooled estimate and its degrees of freedom."""

    def _is_replaced(self, of: _Copies) -> Booleans:
        """Tell of each coefficient whether its variance is not the one of the rule, as that is negative."""
        return np.zeros(len(of.mean), dtype=bool)

    @abstractmethod
    def _difference(self, of: _Copies) -> tuple[FloatMatrix | None, float]:
        """Return the covariance of the pooled estimates around those of the original file, and its freedom."""


@dataclass(frozen=True)
class LargeSampleRule(PoolingRule):
    """For files that are synthetic altogether: the errors within one copy say enough, so that one copy will do.

    The variance is within (n'/n + 1/m), for copies of n' records from n; where the parameters of the model were drawn
    anew for each copy, within (n'/n + (1 + n'/n)/m).

    Parameters
    ----------
    draws_parameters
        Whether each copy was made with parameters drawn from their posterior or by the bootstrap.

    Source
        Raab, Nowok and Dibben (2016), Practical data synthesis for large samples, Journal of Privacy and
        Confidentiality 7(3).
    """

    min_copies: ClassVar[int] = 1

    draws_parameters: bool = False

    @property
    def sentence(self) -> str:
        """The rule by its name, and what it takes of the copies."""
        if self.draws_parameters:
            return "Pooled by large_sample_drawn: parameters were drawn anew for each copy (bootstrap)."
        return "Pooled by large_sample: all copies come from the same fit, without the bootstrap."

    def _variances(self, of: _Copies) -> tuple[FloatColumn, FloatColumn]:
        factor = of.ratio + self._added(of)
        return np.diag(of.within) * factor, np.full(len(of.mean), np.inf)

    def _difference(self, of: _Copies) -> tuple[FloatMatrix | None, float]:
        return of.within * self._added(of), np.inf

    def _added(self, of: _Copies) -> float:
        return (1 + of.ratio if self.draws_parameters else 1.0) / of.copies


@dataclass(frozen=True)
class FullSynthesisRule(PoolingRule):
    """For files that are synthetic altogether, each copy with parameters drawn from their posterior.

    The variance is (1 + 1/m) between - within, with (m - 1) (1 - within / ((1 + 1/m) between))^2 degrees of freedom, at
    least 1. Where it is negative, within n'/n takes its place, with m - 1 degrees of freedom; the pooled fit names the
    coefficients of which that is so.

    Source
        Raghunathan, Reiter and Rubin (2003), Multiple imputation for statistical disclosure limitation, Journal of
        Official Statistics 19; the cure for negative values is Reiter's (2002), Satisfying disclosure restrictions
        with synthetic data sets, Journal of Official Statistics 18.
    """

    @property
    def sentence(self) -> str:
        """The rule by its name, and what it takes of the copies."""
        return "Pooled by full: all is synthetic, with parameters drawn anew for each copy (bootstrap)."

    def _variances(self, of: _Copies) -> tuple[FloatColumn, FloatColumn]:
        between, within = (1 + 1 / of.copies) * np.diag(of.between), np.diag(of.within)
        is_positive = between > within
        variances = np.where(is_positive, between - within, of.ratio * within)
        share = np.divide(within, between, out=np.ones_like(within), where=is_positive)
        freedom = np.where(is_positive, (of.copies - 1) * (1 - share) ** 2, of.copies - 1.0)
        return variances, np.maximum(freedom, 1.0)

    def _is_replaced(self, of: _Copies) -> Booleans:
        is_replaced: Booleans = (1 + 1 / of.copies) * np.diag(of.between) <= np.diag(of.within)
        return is_replaced

    def _difference(self, of: _Copies) -> tuple[FloatMatrix | None, float]:
        return _between_copies(of)


@dataclass(frozen=True)
class PartialSynthesisRule(PoolingRule):
    """For files of which some columns or records are synthetic and the rest is the original.

    The variance is within + between / m, with (m - 1) (1 + within / (between / m))^2 degrees of freedom. The rule takes
    copies to be as large as the original: errors from larger ones are too small.

    Source
        Reiter (2003), Inference for partially synthetic, public use microdata sets, Survey Methodology 29.
    """

    @property
    def sentence(self) -> str:
        """The rule by its name, and what it takes of the copies."""
        return "Pooled by partial: some columns or records are the original's."

    def _variances(self, of: _Copies) -> tuple[FloatColumn, FloatColumn]:
        added, within = np.diag(of.between) / of.copies, np.diag(of.within)
        ratio = np.divide(within, added, out=np.full_like(within, np.inf), where=added > 0)
        return within + added, (of.copies - 1) * (1 + ratio) ** 2

    def _difference(self, of: _Copies) -> tuple[FloatMatrix | None, float]:
        return _between_copies(of)


def _format_known(value: float, digits: int) -> str | None:
    return None if np.isnan(value) else format_compact(value, digits)


def _between_copies(of: _Copies) -> tuple[FloatMatrix | None, float]:
    """Return the covariance of the mean over copies, where there are enough of them to estimate it."""
    return (of.between / of.copies if of.copies > len(of.mean) else None), of.copies - 1.0


POOLING_RULES: dict[str, PoolingRule] = {
    "large_sample": LargeSampleRule(),
    "large_sample_drawn": LargeSampleRule(draws_parameters=True),
    "full": FullSynthesisRule(),
    "partial": PartialSynthesisRule(),
}
"""The rules by the name that the command line has for them."""
