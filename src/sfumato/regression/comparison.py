"""The same regression on an original file and on its synthetic copies, coefficient by coefficient."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.display import Column, Table, format_compact, format_count, format_number, header_column, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.regression.comparison_remarks import comparison_remarks
from sfumato.regression.fit import Fit
from sfumato.regression.members import leave_out_control
from sfumato.regression.models import Regression
from sfumato.regression.pooling import LargeSampleRule, PooledFit, PoolingRule

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure

DIGITS = 5  # of a coefficient in a table
USUAL_RULE = LargeSampleRule()


class CoefficientComparison(NamedTuple):
    """One coefficient from the original and from the copies."""

    name: str
    original: float
    original_error: float
    synthetic: float
    synthetic_error: float
    standardised_difference: float
    """Synthetic less original, in standard errors of the original."""
    overlap: float
    """How much of the two confidence intervals is common, in percent; negative where a gap lies between them."""


@dataclass(frozen=True, eq=False)
class FitComparison(TabularResult):
    """A regression on an original file beside the same on its copies.

    Parameters
    ----------
    regression
        What was fitted.
    coefficients
        Its coefficients; NaN where a file does not tell one.
    original_intervals, synthetic_intervals
        Their confidence intervals (coefficients x 2).
    confidence
        The confidence of the intervals, in percent.
    lack_of_fit
        The test that the copies come from a model in which this regression is as in the original: its p-value, or None
        where there are too few copies for it.
    copies, records, synthetic_records
        How many copies, and how many records of the original and of each copy were used.
    remarks
        What to know of it.
    rule
        How the copies were pooled.
    """

    regression: Regression
    coefficients: tuple[CoefficientComparison, ...]
    original_intervals: FloatMatrix
    synthetic_intervals: FloatMatrix
    confidence: float
    lack_of_fit: float | None
    copies: int
    records: int
    synthetic_records: tuple[int, ...]
    remarks: tuple[str, ...]
    rule: PoolingRule

    @property
    def mean_overlap(self) -> float:
        """The mean overlap of confidence intervals, in percent."""
        return float(np.nanmean([one.overlap for one in self.coefficients]))

    @property
    def mean_difference(self) -> float:
        """The mean size of the standardised differences."""
        return float(np.nanmean([abs(one.standardised_difference) for one in self.coefficients]))

    def to_table(self) -> Table:
        """Return the coefficients as a table."""
        titles = ("original", "error", "synthetic", "error", "difference, errors", "overlap, %")
        rows = tuple(
            (
                one.name,
                *(_format_coefficient(value) for value in one[1:5]),
                *(_known_or_none(value) for value in one[5:]),
            )
            for one in self.coefficients
        )
        columns = (header_column("coefficient"), *(Column(title) for title in titles))
        return Table(columns, rows, title=self.regression.formula, notes=self.sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the figures say, in sentences."""
        most = max(self.synthetic_records)
        fewest = f"{min(self.synthetic_records):,} to " if min(self.synthetic_records) < most else ""
        first = (
            f"{format_count(self.records, 'record')} of the original, which the copies are taken to be made from; "
            f"{format_count(self.copies, 'copy')} of {fewest}{format_count(most, 'record')}; intervals of "
            f"{format_compact(self.confidence)} %."
        )
        second = (
            f"On average, intervals overlap by {format_number(self.mean_overlap, 0)} % and coefficients differ by "
            f"{format_number(self.mean_difference)} standard errors of the original."
        )
        found = () if self.lack_of_fit is None else (_verdict(self.lack_of_fit),)
        return (first, self.rule.sentence, second, *found, *self.remarks)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values, ready for JSON."""
        rows = [{name: _plain(value) for name, value in one._asdict().items()} for one in self.coefficients]
        return {
            "formula": self.regression.formula,
            "regression": type(self.regression).__name__,
            "copies": self.copies,
            "records": self.records,
            "rule": self.rule.sentence,
            "confidence": self.confidence,
            "mean_overlap": _plain(self.mean_overlap),
            "mean_difference": _plain(self.mean_difference),
            "lack_of_fit": self.lack_of_fit,
            "coefficients": rows,
            "remarks": list(self.remarks),
        }

    def to_frame(self) -> "polars.DataFrame":
        """Return the coefficients as a polars dataframe, one row each."""
        import polars

        names = CoefficientComparison._fields
        schema = {name: polars.String if name == "name" else polars.Float64 for name in names}
        return polars.DataFrame([tuple(one) for one in self.coefficients], schema=schema, orient="row")

    def figure(self) -> "StyledFigure":
        """Return a figure of both intervals of each coefficient."""
        from sfumato.regression.interval_plot import plot_intervals

        return plot_intervals(self)

    def __str__(self) -> str:
        return self.to_table().to_text()

    def _repr_html_(self) -> str:
        return render_notebook([self.to_table().to_html()])


def compare_fits(
    regression: Regression,
    original: Microdata,
    copies: Sequence[Microdata],
    *,
    rule: PoolingRule = USUAL_RULE,
    confidence: float = 95.0,
    control: Microdata | None = None,
) -> FitComparison:
    """Fit a regression to an original file and to its copies, and hold the pooled coefficients against the original's.

    Parameters
    ----------
    regression
        What to fit, as in `LinearRegression("income ~ age + sex")`.
    original
        The original file. The sizes of errors rest on its records: it must be those that the copies were made from,
        or the `control` must tell the others.
    copies
        Its synthetic copies.
    rule
        How the copies were made and are to be pooled: `PartialSynthesisRule()` where some columns are the original's.
    confidence
        The confidence of the intervals, in percent.
    control
        The records of the original that were kept back before the copies were made, as `synthesise` writes them with
        a holdout: they are left out of the original.

    Source
        Overlap: Karr, Kohnen, Oganian, Reiter and Sanil (2006), A framework for evaluating the utility of data altered
        to protect confidentiality, The American Statistician 60.
    """
    if not copies:
        raise ParameterError(["compare_fits needs at least one synthetic copy; got none"])
    if not 0 < confidence < 100:
        raise ParameterError(
            [f"compare_fits: confidence must be in (0, 100) percent; got {format_compact(confidence)}"]
        )
    members = original if control is None else leave_out_control(original, control)
    called = ("the original", *(f"copy {number}" for number in range(1, len(copies) + 1)))
    first, *others = regression.fit_all([members, *copies], called)
    pooled = rule.pool(others, first.records)
    observed, synthetic = fit_intervals(first, confidence), pooled.intervals(confidence)
    rows = zip(
        first.names,
        first.estimates.tolist(),
        first.errors.tolist(),
        pooled.estimates.tolist(),
        pooled.errors.tolist(),
        ((pooled.estimates - first.estimates) / first.errors).tolist(),
        interval_overlaps(observed, synthetic).tolist(),
        strict=True,
    )
    return FitComparison(
        regression,
        tuple(CoefficientComparison(*row) for row in rows),
        observed,
        synthetic,
        confidence,
        _lack_of_fit(first, pooled),
        len(others),
        first.records,
        tuple(fit.records for fit in others),
        comparison_remarks(first, others, pooled, rule),
        rule,
    )


def fit_intervals(fit: Fit, confidence: float = 95.0) -> FloatMatrix:
    """Return the confidence intervals of the coefficients of one fit (coefficients x 2)."""
    from scipy.stats import norm

    reach = norm.ppf(0.5 + confidence / 200) * fit.errors
    return np.column_stack([fit.estimates - reach, fit.estimates + reach])


def interval_overlaps(one: FloatMatrix, other: FloatMatrix) -> FloatColumn:
    """Return the mean of the shares of both intervals that they have in common, in percent."""
    common = np.minimum(one[:, 1], other[:, 1]) - np.maximum(one[:, 0], other[:, 0])
    lengths = [interval[:, 1] - interval[:, 0] for interval in (one, other)]
    return 50 * (common / lengths[0] + common / lengths[1])


def _lack_of_fit(first: Fit, pooled: PooledFit) -> float | None:
    """Return the p-value of Wald's test that both have the same coefficients, Hotelling's where copies are few."""
    from scipy.stats import chi2, f

    known = ~np.isnan(first.estimates) & ~np.isnan(pooled.estimates)
    width, freedom = int(known.sum()), pooled.difference_freedom
    if pooled.difference is None or not width:
        return None
    distance = (pooled.estimates - first.estimates)[known]
    statistic = float(distance @ np.linalg.pinv(pooled.difference[np.ix_(known, known)], hermitian=True) @ distance)
    if np.isinf(freedom):
        return float(chi2.sf(statistic, width))
    if freedom < width:
        return None
    return float(f.sf(statistic * (freedom - width + 1) / (freedom * width), width, freedom - width + 1))


def _verdict(p_value: float) -> str:
    shown = "p < 0.001" if p_value < 0.001 else f"p = {format_number(p_value, 3)}"
    verdict = "differ by more than synthesis explains" if p_value < 0.05 else "differ no more than synthesis explains"
    return f"Together the coefficients {verdict} ({shown})."


def _format_coefficient(value: float) -> str | None:
    return None if np.isnan(value) else format_compact(value, DIGITS)


def _known_or_none(value: float) -> float | None:
    return None if np.isnan(value) else value


def _plain(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and not np.isfinite(value) else value
