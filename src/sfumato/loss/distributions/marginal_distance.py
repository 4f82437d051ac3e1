"""Marginal distance: how far the distribution of each column has moved."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.copies import mean_over_copies
from sfumato.comparison.side_by_side import columns_to_compare, common_codes
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.loss.distributions._classes import classes_alike, hellinger
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.standardisation import standard_deviations
from sfumato.parameters import Columns


class MarginalDistance(LossMeasure):
    """Compare the distribution of each column in both files, whichever record a value belongs to.

    The value is the mean over columns of the Hellinger distance between the shares of the classes: categories as they
    are, numbers in quantile classes of the original. Parts in percent: `MDhellinger` is that mean, `MDks` the mean
    Kolmogorov-Smirnov distance (largest difference of the two distribution functions) and `MDwasserstein` the mean
    Wasserstein distance (how far values must move to turn one distribution into the other) in percent of the original's
    standard deviation, both over the continuous and ordinal columns; then the Hellinger distance of each column. The
    files need not hold the same records, so that synthetic ones can be measured.

    Parameters
    ----------
    columns
        Continuous, ordinal or nominal columns.
    classes
        How many quantile classes of the original to make of a continuous column; each has about the same number of
        original records. Fewer come out where values repeat: a value that two quantiles fall on is a class of its own.

    Meaning
        0: the same distributions, as rank swapping leaves them. 100: no class holds records of both files. Hellinger
        and Kolmogorov-Smirnov distances do not exceed 100; Wasserstein distances have no upper bound. Without
        continuous and ordinal columns `MDks` and `MDwasserstein` are 0.
    Missing values
        Are a class of their own in the Hellinger distance, so that suppression counts. The other two distances are
        between the values that are there. In a column that was constant the Wasserstein distance is the percent of the
        masked values that differ. There is no figure per record. Of several synthetic copies in a file the figures are
        means over the copies.
    Source
        Hellinger and Kolmogorov-Smirnov distances of marginals: Raab, Nowok and Dibben (2021), Assessing, visualizing
        and improving the utility of synthetic data. Wasserstein distance: Kantorovich (1942).

    Examples
    --------
    >>> ordered_distances(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0, 3.0]))
    (0.5, 1.25)
    """

    symbol: ClassVar[str] = "MD"
    part_symbols: ClassVar[tuple[str, ...]] = ("MDhellinger", "MDks", "MDwasserstein")
    family: ClassVar[str] = "distributions"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})

    columns: Columns
    classes: Annotated[int, Field(ge=2, le=100_000)] = 10

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean Hellinger distance in percent, with the other two and that of each column."""
        return mean_over_copies(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata) -> Measurement:
        names = columns_to_compare(self, original, masked)
        by_column = [100 * hellinger(*classes_alike(original, masked, name, self.classes).counts) for name in names]
        ordered = [name for name in names if original.schema[name].kind is not Kind.NOMINAL]
        found = [scaled_distances(*_numbers(original, masked, name)) for name in ordered] or [(0.0, 0.0)]
        steps, moves = (100 * float(np.mean(distances)) for distances in zip(*found, strict=True))
        value = float(np.mean(by_column))
        parts = {"MDhellinger": value, "MDks": steps, "MDwasserstein": moves}
        return Measurement(self.name(), self.symbol, value, parts=parts | dict(zip(names, by_column, strict=True)))


def ordered_distances(first: FloatColumn, second: FloatColumn) -> tuple[float, float]:
    """Return the Kolmogorov-Smirnov and the Wasserstein distance between two sets of numbers, neither of them empty."""
    first, second = np.sort(first), np.sort(second)
    steps = np.sort(np.concatenate([first, second]))
    below = (np.searchsorted(values, steps, side="right") / values.size for values in (first, second))
    apart = np.abs(np.subtract(*below))
    return float(apart.max()), float((apart[:-1] * np.diff(steps)).sum())


def scaled_distances(original: FloatColumn, masked: FloatColumn) -> tuple[float, float]:
    """Return both distances, that of Wasserstein in standard deviations of the original."""
    steps, moves = ordered_distances(original, masked)
    spread = float(standard_deviations(original[:, None])[0])
    return steps, moves / spread if spread else float(np.mean(masked != original[0]))


def _numbers(original: Microdata, masked: Microdata, name: str) -> tuple[FloatColumn, FloatColumn]:
    """Return the observed values of a column in both files, those of an ordinal one as codes into one order."""
    if original.schema[name].kind is Kind.CONTINUOUS:
        before, after = original.values(name), masked.values(name)
        return before[~np.isnan(before)], after[~np.isnan(after)]
    codes, masked_codes, _ = common_codes(original, masked, name)
    strange = np.unique(masked_codes[masked_codes >= len(original.codes(name)[1])]).size
    if strange:
        raise DataError(
            f"MarginalDistance.columns: '{name}' has {format_count(strange, 'category')} in the masked file that the "
            f"original does not have; a recoded column cannot be compared by its order, so make it nominal in both "
            f"schemas"
        )
    return codes[codes >= 0].astype(np.float64), masked_codes[masked_codes >= 0].astype(np.float64)
