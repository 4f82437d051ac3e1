"""Pairwise distance: how far the joint distribution of each two columns has moved."""

from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.copies import mean_over_copies
from sfumato.comparison.side_by_side import columns_to_compare
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError
from sfumato.loss.distributions._classes import Classes, classes_alike, cross_columns, hellinger
from sfumato.parameters import Columns

SHOWN = 10  # pairs listed among the parts


class PairwiseDistance(LossMeasure):
    """Compare the joint distribution of each two columns in both files, whichever record the values belong to.

    The value is the mean over pairs of columns of the Hellinger distance between the shares of the cells of their
    cross table: categories as they are, numbers in quantile classes of the original. Parts: `PDmax`, the largest
    distance, and the distances of the pairs, largest first and ten at most. The files need not hold the same records,
    so that synthetic ones can be measured.

    Parameters
    ----------
    columns
        Two or more continuous, ordinal or nominal columns.
    classes
        How many quantile classes of the original to make of a continuous column; with 5 the cross table of two has 25
        cells. Fewer come out where values repeat: a value that two quantiles fall on is a class of its own.

    Meaning
        0: the same cross tables. 100: no cell of any cross table holds records of both files. Cells with few records
        are far apart by chance alone, more so in small files and with many categories.
    Missing values
        Are a class of their own, so that suppression counts. There is no figure per record. Of several synthetic
        copies in a file the figures are means over the copies.
    Source
        Cross tables of each two variables as a measure of utility: Raab, Nowok and Dibben (2021), Assessing,
        visualizing and improving the utility of synthetic data.

    Examples
    --------
    >>> sex, town = Classes(np.array([0, 1]), np.array([0, 1]), 2), Classes(np.array([0, 1]), np.array([1, 0]), 2)
    >>> joint_distance(sex, sex), joint_distance(sex, town)
    (0.0, 1.0)
    """

    symbol: ClassVar[str] = "PD"
    part_symbols: ClassVar[tuple[str, ...]] = ("PDmax",)
    family: ClassVar[str] = "distributions"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})

    columns: Columns
    classes: Annotated[int, Field(ge=2, le=1000)] = 5

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean distance of the pairs in percent, with the largest ones."""
        return mean_over_copies(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata) -> Measurement:
        names = columns_to_compare(self, original, masked)
        if len(names) < 2:
            raise DataError(f"PairwiseDistance.columns: pairs need at least 2 columns; got {len(names)}; name another")
        classed = {name: classes_alike(original, masked, name, self.classes) for name in names}
        pairs = {
            f"{one} & {other}": 100 * joint_distance(classed[one], classed[other])
            for one, other in combinations(names, 2)
        }
        largest = sorted(pairs.items(), key=lambda pair: -pair[1])[:SHOWN]
        parts = {"PDmax": largest[0][1], **dict(largest)}
        return Measurement(self.name(), self.symbol, float(np.mean(list(pairs.values()))), parts=parts)


def joint_distance(first: Classes, second: Classes) -> float:
    """Return the Hellinger distance between the cross tables of two columns in both files."""
    return hellinger(*cross_columns(first, second).counts)
