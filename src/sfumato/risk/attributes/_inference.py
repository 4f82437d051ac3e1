"""How far the confidential value of each person is off the guess of an intruder, with the person's record and without.

The guess is the best one given the weights of the released records: the median of numbers, the likeliest category.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.kernels.linkage.weighted_guesses import (
    ClassValues,
    WeightedClasses,
    chances_of_modes,
    weighted_quantiles,
)
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.numerics.known_means import mean_of_known

TIE = 1e-9
MEDIANS = (0.5 - TIE, 0.5 + TIE)  # the guess lies in their middle
INTERVAL = (0.05 - TIE, 0.95 - TIE)


@dataclass(frozen=True, eq=False)
class Intruder:
    """What an intruder takes for the record of whom.

    Parameters
    ----------
    rows
        The row of the original of each masked record.
    person_classes
        For each masked record the class of originals that its person is in.
    masked_classes
        The class of each masked record.
    weights
        For each class of originals the classes of masked records that may be theirs.
    """

    rows: Rows
    person_classes: CodeColumn
    masked_classes: CodeColumn
    weights: WeightedClasses

    def values(self, codes: CodeColumn) -> ClassValues:
        """Return the values that each class of masked records holds."""
        return ClassValues.of(self.masked_classes, codes, int(self.masked_classes.max()) + 1)


@dataclass(frozen=True, eq=False)
class ColumnInference:
    """What is learnt of a confidential column, in percent: of a standard deviation, or of the persons.

    Parameters
    ----------
    error
        How far guesses are off on average: in percent of a standard deviation, or the percent of wrong categories.
    baseline
        The same without the person's record.
    intervals
        Further figures of the intervals of numbers, by name.
    """

    error: float
    baseline: float
    intervals: Mapping[str, float]

    @property
    def gain(self) -> float:
        """How much smaller the error is than without the record, in percent; 0 where it is not."""
        return 100 * max(1 - self.error / self.baseline, 0.0) if self.baseline > 0 else 0.0

    def parts(self, name: str) -> dict[str, float]:
        """Return the figures of the column by name."""
        figures = {"error": self.error, "error without the record": self.baseline, **self.intervals}
        return {name: self.gain, **{f"{name} ({figure})": value for figure, value in figures.items()}}


def infer_column(intruder: Intruder, original: Microdata, masked: Microdata, name: str) -> ColumnInference:
    """Return what is learnt of one column."""
    if original.schema[name].kind is not Kind.CONTINUOUS:
        before, after, _ = common_codes(original, masked, name)
        return infer_categories(intruder, before[intruder.rows], after)
    deviation = original.summary.deviation(name)
    return infer_numbers(intruder, original.values(name)[intruder.rows], masked.values(name), deviation)


def infer_numbers(intruder: Intruder, truth: FloatColumn, released: FloatColumn, deviation: float) -> ColumnInference:
    """Return what is learnt of numbers; `truth` and `released` are those of each masked record, missing is NaN."""
    codes, different = np.full(len(released), -1, dtype=np.int64), np.empty(0)
    is_known = ~np.isnan(released)
    different, codes[is_known] = np.unique(released[is_known], return_inverse=True)
    values, nobody = intruder.values(codes), np.full(len(codes), -1, dtype=np.int64)
    whole = np.quantile(released[is_known], [0.5, 0.5, 0.05, 0.95], method="inverted_cdf")
    whole[:2] = np.median(released[is_known])

    def quantiles(own_classes: CodeColumn, own_codes: CodeColumn, levels: tuple[float, ...]) -> FloatColumn:
        """Return the quantiles of each person; those of the whole file where the person has no weights."""
        found = weighted_quantiles(
            intruder.person_classes, own_classes, own_codes, intruder.weights, values, np.array(levels)
        )
        return np.where(found < 0, whole[: len(levels)], different[found])

    with_record = quantiles(nobody, nobody, MEDIANS + INTERVAL)
    without = quantiles(intruder.masked_classes, codes, MEDIANS)

    def error(guess: FloatColumn | float) -> float:
        return 100 * mean_of_known(np.abs(truth - guess) / deviation)

    low, high = with_record[:, 2], with_record[:, 3]
    is_covered = (low - TIE * deviation <= truth) & (truth <= high + TIE * deviation)
    return ColumnInference(
        error(with_record[:, :2].mean(axis=1)),
        min(error(without.mean(axis=1)), error(float(whole[0]))),
        {
            "covered at 90": 100 * mean_of_known(np.where(np.isnan(truth), np.nan, is_covered)),
            "width at 90": 100 * mean_of_known(np.where(np.isnan(truth), np.nan, (high - low) / deviation)),
        },
    )


def infer_categories(intruder: Intruder, truth: CodeColumn, released: CodeColumn) -> ColumnInference:
    """Return what is learnt of categories; `truth` and `released` are codes of each masked record, missing is -1."""
    values, nobody = intruder.values(released), np.full(len(released), -1, dtype=np.int64)
    counts = np.bincount(released[released >= 0], minlength=int(truth.max()) + 1)
    whole = np.where(counts == counts.max(), 1 / np.count_nonzero(counts == counts.max()), 0.0)[truth]

    def error(chances: FloatColumn) -> float:
        """Return the percent of wrong guesses; those without weights guess the most frequent of the whole file."""
        guesses = np.where(np.isnan(chances), whole, chances)
        return 100 * mean_of_known(np.where(truth < 0, np.nan, 1 - guesses))

    def chances(own_classes: CodeColumn, own_codes: CodeColumn) -> FloatColumn:
        return chances_of_modes(intruder.person_classes, own_classes, own_codes, intruder.weights, values, truth)

    without = error(chances(intruder.masked_classes, released))
    return ColumnInference(error(chances(nobody, nobody)), min(without, error(whole)), {})
