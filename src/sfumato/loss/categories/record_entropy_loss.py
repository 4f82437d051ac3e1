"""Record entropy loss: how improbable the true category of a record has become."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import categories_side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.loss.categories._cells import cell_means
from sfumato.loss.categories._transitions import posteriors, surprise
from sfumato.parameters import Columns, Matrices


class RecordEntropyLoss(LossMeasure):
    """Average how improbable the original category of each record has become once the masked one is seen.

    The loss of a record is -log2 P(V = i | V' = j), where i is its original and j its masked category. The measure sees
    whose category it is: a small town that is published as its state loses more than a large one, where `EntropyLoss`
    gives both the same. The probabilities follow from the Markov matrix of the masking by Bayes' formula with the
    original's category shares, or, where no matrix is given, are the shares of the original categories among the
    records that are now j; suppressed values aside, the mean is then that of the entropy H(V | V' = j). The parts are
    `PRILT`, the published total over all records and columns in bits, and the mean of each column in bits.

    Parameters
    ----------
    columns
        Nominal or ordinal columns.
    matrices
        The Markov matrix of a column, as `Pram` takes it: for each original category the probability of each masked
        one, as in `{sex: {f: {f: 0.9, m: 0.1}, m: {f: 0.2, m: 0.8}}}`. What is not named has probability 0. Columns
        without a matrix have it estimated from the original and masked values of their records.

    Meaning
        In bits per value. 0: each masked category comes from one original category. 1: the true category is as probable
        as one side of a coin; each further bit halves it. There is no upper bound. Estimated from few records per
        category, the figure is too low.
    Missing values
        A value that is missing only in the masked file leaves the share of its category in the original, and counts
        -log2 P(V = i); one that was missing in the original is left out. A column with nothing left is 0. The figure
        per record is its mean over columns, NaN where a record has nothing left.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, Example 7. The
        formula printed there has P(V' = j | V = i); the sentences around it, the example and later slides of the
        authors have P(V = i | V' = j).

    Examples
    --------
    >>> from sfumato.loss.categories._transitions import posterior
    >>> towns, state = np.array([0, 1]), np.array([2, 2])  # a large and a small town become one state
    >>> surprise(posterior(towns, state, np.array([7.0, 1.0]), np.array([0.875, 0.125, 0.0])), towns, state).round(3)
    array([0.193, 3.   ])
    """

    symbol: ClassVar[str] = "PRIL"
    part_symbols: ClassVar[tuple[str, ...]] = ("PRILT",)
    part_units: ClassVar[Mapping[str, str]] = {"PRILT": "bits"}
    family: ClassVar[str] = "categories"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL

    columns: Columns
    matrices: Matrices | None = None

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean loss per value in bits, with the published total and the mean of each column."""
        files = categories_side_by_side(self, original, masked)
        known = posteriors(type(self).__name__, files, self.matrices or {})
        columns = zip(known, files.corresponding.T, files.masked.T, strict=True)
        bits = np.stack([surprise(*column) for column in columns], axis=1)
        means = cell_means(files.names, bits)
        parts = means.by_column | {"PRILT": float(np.nansum(bits))}
        return Measurement(
            self.name(), self.symbol, means.value, unit="bits per value", parts=parts, per_record=means.by_record
        )
