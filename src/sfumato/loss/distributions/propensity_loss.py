"""Propensity loss: how well a model can tell masked records from original ones."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import ClassVar

import numpy as np

from sfumato.comparison.copies import mean_over_copies
from sfumato.comparison.predictors import Predictor, main_effects, stacked_predictor
from sfumato.comparison.side_by_side import columns_to_compare
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.loss.distributions._logistic import logistic_fit
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.one_thread import one_thread
from sfumato.numerics.standardisation import z_scores
from sfumato.parameters import Columns

MAX_PREDICTORS = 1000


class PropensityLoss(LossMeasure):
    """Put both files together and model by logistic regression which records are masked.

    A continuous column enters as it is, a categorical one by an indicator for each category but the commonest. With
    `has_interactions` also the products of predictors of different columns and the squares of continuous ones enter:
    without them only means and shares are compared, which many methods keep. Predictors that others give are left out.

    The value is the mean squared difference between the fitted chance of a record to be masked and the share c of the
    masked records, in percent of its largest value c (1 - c). Parts: `pMSEratio`, the mean squared difference divided
    by what is expected when the masked file is drawn from the distribution of the original one, (k - 1) (1 - c)^2 c / N
    with k coefficients and N records in all; `pMSEscore`, how many standard deviations, sqrt(2 (k - 1)) (1 - c)^2 c /
    N, it lies above that expectation (0 where it lies below); and `mean squared difference`, as published. The files
    need not hold the same records, so that synthetic ones can be measured. Of a file with several copies, numbered in a
    column `release`, each is held against the original, and the figures are the means.

    Parameters
    ----------
    columns
        Continuous, ordinal or nominal columns.
    has_interactions
        Whether products of each two columns, and squares of continuous ones, are in the model.

    Meaning
        0: the model cannot tell the files apart. 100: it knows of each record which file it is from. A ratio of 1 is
        that of a sample drawn with replacement from the original records, 2 that of another sample of the population or
        of a synthetic copy by the bootstrap; a masked file can be nearer than 1. Where
        whole households are drawn, whose members are alike, chance explains more.
    Missing values
        Are a category of their own in categorical columns. In a continuous column they take the mean, and an indicator
        of being missing is one more predictor, so that suppression counts. Where some records can be distinguished
        completely, for example by a category that only one file has, their fitted chances are 0 or 1. There is no
        figure per record.
    Source
        Woo, Reiter, Oganian and Karr (2009), Global measures of data utility for microdata masked for disclosure
        limitation; Snoke, Raab, Nowok, Dibben and Slavković (2018), General and specific utility measures for synthetic
        data, whose expectation and standard deviation these are.

    Examples
    --------
    >>> round(expected_difference(coefficients=5, share=0.5, records=1000), 6)
    0.0005
    """

    symbol: ClassVar[str] = "pMSE"
    part_symbols: ClassVar[tuple[str, ...]] = ("pMSEratio", "pMSEscore")
    part_units: ClassVar[Mapping[str, str]] = {"pMSEratio": "", "pMSEscore": "", "mean squared difference": ""}
    family: ClassVar[str] = "distributions"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})

    columns: Columns
    has_interactions: bool = True

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean squared difference in percent of its largest value, with its ratio to the expected one."""
        return mean_over_copies(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata) -> Measurement:
        names = columns_to_compare(self, original, masked)
        columns = [_standardise(stacked_predictor(original, masked, name)) for name in names]
        self._check_size(columns)
        records = original.n + masked.n
        constant = Predictor(np.ones(records), np.full(records, -1), 0)
        left, right = products_of(columns) if self.has_interactions else ([], [])

        def design(rows: slice) -> FloatMatrix:
            block = main_effects([constant, *columns], rows, more=len(left))
            for place, (one, other) in enumerate(zip(left, right, strict=True), start=block.shape[1] - len(left)):
                np.multiply(block[:, one + 1], block[:, other + 1], out=block[:, place])
            return block

        is_masked = np.repeat([0.0, 1.0], [original.n, masked.n])
        with one_thread():
            fit = logistic_fit(design, is_masked)
        share = float(is_masked.mean())
        difference = float(np.mean((fit.chances - share) ** 2))
        ratio, score = compare_with_chance(difference, fit.coefficients, share, is_masked.size)
        parts = {"pMSEratio": ratio, "pMSEscore": score, "mean squared difference": difference}
        value = min(100.0, 100 * difference / (share * (1 - share)))
        return Measurement(self.name(), self.symbol, value, parts=parts, remark=f"{fit.coefficients - 1} predictors")

    def _check_size(self, columns: list[Predictor]) -> None:
        widths = np.array([column.width for column in columns])
        products = (widths.sum() ** 2 - (widths**2).sum()) // 2 + sum(column.numbers is not None for column in columns)
        count = int(widths.sum() + self.has_interactions * products)
        if count > MAX_PREDICTORS:
            fewer = (
                "leave out columns with many categories" + ", or set has_interactions to false" * self.has_interactions
            )
            raise DataError(
                f"PropensityLoss.columns: these columns make {count} predictors, more than {MAX_PREDICTORS}; {fewer}"
            )


def expected_difference(coefficients: int, share: float, records: int) -> float:
    """Return the mean squared difference expected of a masked file drawn from the original's distribution."""
    return (coefficients - 1) * (1 - share) ** 2 * share / records


def compare_with_chance(difference: float, coefficients: int, share: float, records: int) -> tuple[float, float]:
    """Return the ratio to the expected difference, and the standard deviations above it; 0 without a predictor."""
    if coefficients < 2:
        return 0.0, 0.0
    expected = expected_difference(coefficients, share, records)
    deviation = expected * np.sqrt(2 / (coefficients - 1))
    return difference / expected, max(0.0, float((difference - expected) / deviation))


def products_of(columns: list[Predictor]) -> tuple[list[int], list[int]]:
    """Return the places of the two factors of each product: predictors of two columns, or a number by itself."""
    ends = np.cumsum([column.width for column in columns]).tolist()
    places = [range(end - column.width, end) for end, column in zip(ends, columns, strict=True)]
    pairs = [(one, other) for first, second in combinations(places, 2) for one in first for other in second]
    pairs += [(own[0], own[0]) for own, column in zip(places, columns, strict=True) if column.numbers is not None]
    return [one for one, _ in pairs], [other for _, other in pairs]


def _standardise(column: Predictor) -> Predictor:
    """Return the predictor with its numbers of mean 0 and variance 1 over both files, missing ones at the mean."""
    if column.numbers is None:
        return column
    known = column.codes < 0
    scores = z_scores(np.where(known, column.numbers, np.nan)[:, None])[:, 0]
    return replace(column, numbers=np.where(known, scores, 0.0))
