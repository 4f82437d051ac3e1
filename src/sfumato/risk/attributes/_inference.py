"""How far the confidential value of each person is off the guess of an intruder, with the person's record and without.

The guess is the best one given the weights of the released records: the median of numbers, the likeliest category.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.intruder import TiedLinks
from sfumato.kernels.linkage.weighted_guesses import (
    ClassValues,
    WeightedClasses,
    chances_of_modes,
    weighted_quantiles,
)
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
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
    linked
        Masked records that are classes of their own beside the others, numbered after these.
    without_links
        The same intruder before records were linked, who may do without the person's own record.
    """

    rows: Rows
    person_classes: CodeColumn
    masked_classes: CodeColumn
    weights: WeightedClasses
    linked: Rows = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    without_links: "Intruder | None" = None

    def values(self, codes: CodeMatrix) -> ClassValues:
        """Return the values that each class of masked records holds; each record has as many codes."""
        count = int(self.masked_classes.max()) + 1
        classes = np.concatenate([self.masked_classes, count + np.arange(len(self.linked))])
        every = np.concatenate([codes, codes[self.linked]])
        return ClassValues.of(np.repeat(classes, codes.shape[1]), every.ravel(), count + len(self.linked))

    @property
    def alone(self) -> "Intruder":
        """The intruder who goes by pairs of records alone."""
        return self.without_links or self

    def with_links(self, links: TiedLinks) -> Self:
        """Return the intruder with a link of some masked records to an original, as probable as it is.

        Of two records that are linked to one person the more probable link counts; what it leaves, the weights share.
        """
        order = np.argsort(np.nan_to_num(links.certainty), kind="stable")  # the last one counts
        order = order[(links.rows[order] >= 0) & (links.certainty[order] > 0)]
        record_of = np.full(int(max(self.rows.max(), links.rows.max(initial=0))) + 1, -1, dtype=np.int64)
        record_of[links.rows[order]] = order
        persons = np.flatnonzero(record_of[self.rows] >= 0)  # by their own records in the release
        linked = record_of[self.rows[persons]]
        certainty = np.minimum(links.certainty[linked], 1.0)
        starts, classes, weights = self.weights
        groups, count, sizes = self.person_classes.copy(), int(self.masked_classes.max()) + 1, np.diff(starts)
        members = np.bincount(self.masked_classes, minlength=count)
        totals = np.bincount(np.repeat(np.arange(len(sizes)), sizes), weights * members[classes], minlength=len(sizes))
        own = groups[persons]
        groups[persons] = len(sizes) + np.arange(len(persons))
        found = [
            (
                np.append(classes[start : start + size], count + number),
                np.append(weights[start : start + size] * (1 - sure) / max(total, 1e-300), sure),
            )
            for number, (start, size, sure, total) in enumerate(
                zip(starts[:-1][own], sizes[own], certainty, totals[own], strict=True)
            )
        ]
        more = [np.concatenate([one[part] for one in found]) if found else np.zeros(0) for part in (0, 1)]
        ends = starts[-1] + np.cumsum([len(one[0]) for one in found], dtype=np.int64)
        given = WeightedClasses(
            np.concatenate([starts, ends]),
            np.concatenate([classes, more[0].astype(np.int64)]),
            np.concatenate([weights, more[1]]),
        )
        return replace(self, person_classes=groups, weights=given, linked=linked, without_links=self)


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


def infer_column(
    intruder: Intruder,
    original: Microdata,
    masked: Microdata,
    name: str,
    before_masking: tuple[FloatColumn, FloatMatrix] | None = None,
) -> ColumnInference:
    """Return what is learnt of one column, by what is released or by the values `before_masking` that it tells."""
    is_number = original.schema[name].kind is Kind.CONTINUOUS
    if before_masking is not None:
        truth, guesses = before_masking
        if not is_number:
            return infer_categories(
                intruder, *(np.nan_to_num(one, nan=-1.0).astype(np.int64) for one in before_masking)
            )
    elif not is_number:
        before, after, _ = common_codes(original, masked, name)
        return infer_categories(intruder, before[intruder.rows], after[:, None])
    else:
        truth, guesses = original.values(name)[intruder.rows], masked.values(name)[:, None]
    return infer_numbers(intruder, truth, guesses, original.summary.deviation(name))


def infer_numbers(intruder: Intruder, truth: FloatColumn, released: FloatMatrix, deviation: float) -> ColumnInference:
    """Return what is learnt of numbers.

    Parameters
    ----------
    intruder
        What is taken for the record of whom.
    truth, released
        The true value of each masked record, and those that it tells, equally probable; missing is NaN.
    deviation
        A standard deviation of the original column.
    """
    codes, different = np.full(released.shape, -1, dtype=np.int64), np.empty(0)
    is_known = ~np.isnan(released)
    different, codes[is_known] = np.unique(released[is_known], return_inverse=True)
    nobody = np.full(len(codes), -1, dtype=np.int64)
    whole = np.quantile(released[is_known], [0.5, 0.5, 0.05, 0.95], method="inverted_cdf")
    whole[:2] = np.median(released[is_known])

    def quantiles(
        who: Intruder, own_classes: CodeColumn, own_codes: CodeMatrix, levels: tuple[float, ...]
    ) -> FloatColumn:
        """Return the quantiles of each person; those of the whole file where the person has no weights."""
        found = weighted_quantiles(
            who.person_classes, own_classes, own_codes, who.weights, who.values(codes), np.array(levels)
        )
        return np.where(found < 0, whole[: len(levels)], different[found])

    with_record = quantiles(intruder, nobody, nobody[:, None], MEDIANS + INTERVAL)
    without = quantiles(intruder.alone, intruder.masked_classes, codes, MEDIANS)

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


def infer_categories(intruder: Intruder, truth: CodeColumn, released: CodeMatrix) -> ColumnInference:
    """Return what is learnt of categories: the true code of each record, and those that it tells; missing is -1."""
    nobody = np.full(len(released), -1, dtype=np.int64)
    counts = np.bincount(released[released >= 0], minlength=int(truth.max()) + 1)
    whole = np.where(counts == counts.max(), 1 / np.count_nonzero(counts == counts.max()), 0.0)[truth]

    def error(chances: FloatColumn) -> float:
        """Return the percent of wrong guesses; those without weights guess the most frequent of the whole file."""
        guesses = np.where(np.isnan(chances), whole, chances)
        return 100 * mean_of_known(np.where(truth < 0, np.nan, 1 - guesses))

    def chances(who: Intruder, own_classes: CodeColumn, own_codes: CodeMatrix) -> FloatColumn:
        return chances_of_modes(who.person_classes, own_classes, own_codes, who.weights, who.values(released), truth)

    without = error(chances(intruder.alone, intruder.masked_classes, released))
    return ColumnInference(error(chances(intruder, nobody, nobody[:, None])), min(without, error(whole)), {})
