"""Regression loss: how far the coefficients that a user estimates have moved, and their confidence intervals."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.predictors import Predictor, main_effects, stacked_predictor
from sfumato.comparison.side_by_side import check_same_kind, columns_to_compare
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata, Selector
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.loss.analyses._slope_estimates import SlopeEstimates, estimate_slopes
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.one_thread import one_thread
from sfumato.parameters import Columns

CONFIDENCE = 0.95
SMALLEST_ERROR = 1e-6  # of a slope in standard deviations: the errors of an exact fit are rounding errors
MAX_ERRORS = 1000.0  # the most standard errors that a difference counts, so that an exact fit outweighs no other


class RegressionLoss(LossMeasure):
    """Regress each column on the given ones by least squares in both files, and compare the slopes.

    The value is 100 less the mean overlap, in percent, of the 95 % confidence intervals of the slopes: the length that
    both intervals share, divided by the length of each, the two averaged. Intervals that do not touch have an overlap
    of 0; how far they lie apart is the part `RLdifference`, the mean of |masked - original slope| in standard
    errors of the original (1000 at most). The other parts are the losses of overlap by column. The constant of the
    regression is not compared, as it depends on where the units have their zero. The files need not hold the same
    records, so that synthetic ones can be measured.

    Parameters
    ----------
    columns
        Continuous columns, each the target of a regression of its own.
    given
        Continuous, ordinal or nominal columns that all targets are regressed on. A categorical column is an indicator
        for each category but the one that most original records have. A rule such as `numeric` leaves out the targets.

    Meaning
        0: the same slopes with the same errors. 100: no confidence interval touches its original one.
    Missing values
        Each regression is over the records of its file that have the target and all given columns. A slope that the
        original does not determine, as for a constant column or one that is the sum of others, is left out of the
        comparison (of dependent columns the last). One that only the masked file does not determine is fully lost: no
        overlap, and a difference as if it were 0. Categories that only the masked file has are in its model, but are
        not compared. A target that is constant in the original, and fewer records than coefficients, are refused. A
        standard error is at least 1e-6, target and predictor in standard deviations, so that exact fits can be
        compared. There is no figure per record.
    Source
        Karr, Kohnen, Oganian, Reiter and Sanil (2006), A framework for evaluating the utility of data altered to
        protect confidentiality, whose overlaps are negative where intervals do not touch.

    Examples
    --------
    >>> overlap(np.array([0.0, 0.0]), np.array([2.0, 2.0]), np.array([1.0, 5.0]), np.array([5.0, 6.0]))
    array([0.375, 0.   ])
    """

    symbol: ClassVar[str] = "RL"
    part_symbols: ClassVar[tuple[str, ...]] = ("RLdifference",)
    part_units: ClassVar[Mapping[str, str]] = {"RLdifference": "standard errors"}
    family: ClassVar[str] = "analyses"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    given: Columns = Field(examples=[["age", "education"]])

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the loss of overlap in percent, with the mean difference of the slopes and the loss of each column."""
        targets = columns_to_compare(self, original, masked)
        names = given_columns(self, original, masked, targets)
        predictors = [stacked_predictor(original, masked, name) for name in names]
        overlaps, differences = {}, {}
        for target in targets:
            before, after = self._fits(original, masked, target, names, predictors)
            overlaps[target], differences[target] = compare_slopes(before, after)
        parts = {"RLdifference": float(np.concatenate(list(differences.values())).mean())}
        parts |= {target: 100 * (1 - float(shares.mean())) for target, shares in overlaps.items()}
        value = 100 * (1 - float(np.concatenate(list(overlaps.values())).mean()))
        return Measurement(self.name(), self.symbol, value, parts=parts)

    def _fits(
        self, original: Microdata, masked: Microdata, target: str, names: tuple[str, ...], predictors: list[Predictor]
    ) -> tuple[SlopeEstimates, SlopeEstimates]:
        """Return the regressions of a target in both files, after checking that they tell something."""
        rows, masked_rows = (complete_rows(file, (*names, target)) for file in (original, masked))
        for where, count in (("original", rows.size), ("masked", masked_rows.size)):
            if count < 2:
                raise DataError(
                    f"RegressionLoss needs at least 2 records with '{target}' and all given columns; the {where} file "
                    f"has {count}; leave out columns with many missing values"
                )
        columns = [*predictors, stacked_predictor(original, masked, target)]
        before, after = (_fit([column.take(some) for column in columns]) for some in (rows, masked_rows + original.n))
        self._check(target, before, after)
        return before, after

    def _check(self, target: str, before: SlopeEstimates, after: SlopeEstimates) -> None:
        if not before.varies:
            raise DataError(f"RegressionLoss.columns: '{target}' is constant in the original; leave it out")
        if np.isnan(before.slopes).all():
            raise DataError("RegressionLoss.given: no given column varies in the original; name one that does")
        for where, fit in (("original", before), ("masked", after)):
            if fit.freedom < 1:
                raise DataError(
                    f"RegressionLoss needs more complete records than coefficients for '{target}'; the {where} file "
                    f"has {1 - fit.freedom} too few; give fewer columns or fewer categories"
                )


def given_columns(
    measure: RegressionLoss, original: Microdata, masked: Microdata, targets: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the names of the columns to regress on, after checking that both files have them in a fitting kind."""
    names = original.select(measure.given)
    if isinstance(measure.given, Selector):
        names = tuple(name for name in names if name not in targets)
        if not names:
            raise DataError(
                f"RegressionLoss.given: {measure.given} picks no column beside the targets; name the columns"
            )
    for name in names:
        if name in targets:
            raise DataError(f"RegressionLoss.given: '{name}' is also in columns; name it in one of the two")
        if name not in masked.schema:
            raise UnknownColumnError(
                f"RegressionLoss.given: the masked file has no column '{name}'; name only columns that both files have"
            )
        if check_same_kind("RegressionLoss.given", original, masked, name) is Kind.DATE:
            raise KindError(f"RegressionLoss.given: '{name}' is date; expected continuous, nominal or ordinal columns")
        for where, data in (("original", original), ("masked", masked)):
            if not data.summary.observed(name):
                raise DataError(
                    f"RegressionLoss.given: '{name}' has no observed value in the {where} file; leave it out"
                )
    return names


def _fit(columns: list[Predictor]) -> SlopeEstimates:
    """Return the regression of the first predictor of the last column on those of the columns before it."""
    last = replace(columns[-1], indicators=0)  # complete records need no indicator of missing values
    with one_thread():
        return estimate_slopes(lambda rows: main_effects([*columns[:-1], last], rows), len(last.codes))


def complete_rows(data: Microdata, names: tuple[str, ...]) -> Rows:
    """Return the rows that have a value in each of some columns."""
    return np.flatnonzero(np.logical_and.reduce([data.observed(name) for name in names]))


def compare_slopes(before: SlopeEstimates, after: SlopeEstimates) -> tuple[FloatColumn, FloatColumn]:
    """Return the overlap of the intervals of each slope that the original determines, and its difference in errors."""
    known = ~np.isnan(before.slopes)
    smallest = SMALLEST_ERROR * before.units[known]
    slopes, masked_slopes = before.slopes[known], after.slopes[known]
    errors, masked_errors = (np.maximum(fit.errors[known], smallest) for fit in (before, after))
    reach, masked_reach = _quantile(before.freedom) * errors, _quantile(after.freedom) * masked_errors
    lost = np.isnan(masked_slopes)
    shares = overlap(slopes - reach, slopes + reach, masked_slopes - masked_reach, masked_slopes + masked_reach)
    differences = np.abs(np.where(lost, 0.0, masked_slopes) - slopes) / errors
    return np.where(lost, 0.0, shares), np.minimum(differences, MAX_ERRORS)


def overlap(low: FloatColumn, high: FloatColumn, masked_low: FloatColumn, masked_high: FloatColumn) -> FloatColumn:
    """Return the shared length of two intervals in shares of the length of each, the two averaged; 0 if none is."""
    shared = np.maximum(np.minimum(high, masked_high) - np.maximum(low, masked_low), 0.0)
    return np.asarray((shared / (high - low) + shared / (masked_high - masked_low)) / 2, dtype=np.float64)


def _quantile(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
