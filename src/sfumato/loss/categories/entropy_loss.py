"""Entropy loss: how uncertain the original category is once the masked one is known."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import categories_side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.loss.categories._cells import cell_means
from sfumato.loss.categories._transitions import entropy, posteriors, uncertainty
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns, Matrices


class EntropyLoss(LossMeasure):
    """Average how uncertain the original categories remain once the masked ones are seen.

    H(V | V' = j) is the entropy of the original category V of a record whose masked category is j. Its probabilities
    follow from the Markov matrix of the masking by Bayes' formula with the original's category shares, or, where no
    matrix is given, are the shares of the original categories among the records that are now j. The value is its mean
    in percent of H(V): not of the logarithm of the number of categories, which a rare category leaves out of reach even
    when the masked file tells nothing. The parts are `EBIL`, the published sum of H(V | V' = j) over all records and
    columns in bits, and the columns in percent.

    Parameters
    ----------
    columns
        Nominal or ordinal columns.
    matrices
        The Markov matrix of a column, as `Pram` takes it: for each original category the probability of each masked
        one, as in `{sex: {f: {f: 0.9, m: 0.1}, m: {f: 0.2, m: 0.8}}}`. What is not named has probability 0. Columns
        without a matrix have it estimated from the original and masked values of their records.

    Meaning
        0: each masked category comes from one original category. 100: the masked categories tell nothing about the
        original ones; a given matrix, a sample or many suppressions may lead a little beyond it. The exchange of two
        categories loses nothing, as it can be undone. Estimated from few records per category, the figure is too low.
    Missing values
        A value that is missing only in the masked file tells nothing and leaves H(V); one that was missing in the
        original is left out. A column whose original values are all the same has nothing to lose and is left out of
        the value; its part is 0. The figure per record is the mean over its columns, NaN where a record has nothing
        left.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, eq. 2 and 3.

    Examples
    --------
    >>> from sfumato.loss.categories._transitions import posterior
    >>> towns, state = np.array([0, 1]), np.array([2, 2])  # two towns as large as each other become one state
    >>> uncertainty(posterior(towns, state, np.ones(2), np.array([0.5, 0.5, 0.0])), state)
    array([1., 1.])
    """

    symbol: ClassVar[str] = "EL"
    part_symbols: ClassVar[tuple[str, ...]] = ("EBIL",)
    part_units: ClassVar[Mapping[str, str]] = {"EBIL": "bits"}
    family: ClassVar[str] = "categories"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL

    columns: Columns
    matrices: Matrices | None = None

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean remaining entropy in percent, with the published sum in bits and the part of each column."""
        files = categories_side_by_side(self, original, masked)
        known = posteriors(type(self).__name__, files, self.matrices or {})
        bits = np.stack([uncertainty(*column) for column in zip(known, files.masked.T, strict=True)], axis=1)
        bits[files.corresponding < 0] = np.nan
        means = cell_means(files.names, 100 * shares_of_entropy(bits, np.array([entropy(of.shares) for of in known])))
        parts = means.by_column | {"EBIL": float(np.nansum(bits))}
        return Measurement(self.name(), self.symbol, means.value, parts=parts, per_record=means.by_record)


def shares_of_entropy(remaining: FloatMatrix, whole: FloatColumn) -> FloatMatrix:
    """Return the remaining entropies (records x columns) as shares of that of their whole column; NaN where it is 0."""
    share = np.full(remaining.shape, np.nan)
    np.divide(remaining, whole, out=share, where=whole > 0)
    return share
