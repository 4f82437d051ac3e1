"""Files as points, in each way to see which records are near."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix, Rows
from sfumato.numerics.covariances import complete_covariances
from sfumato.numerics.ranking import middle_ranks
from sfumato.numerics.standardisation import standardise_both
from sfumato.risk.linkage._distances import Coordinates, whiten_files

MIN_RECORDS = 20  # per column, from which the covariances of the noise are known


def spaces(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> dict[str, Coordinates]:
    """Return both files as points, without the columns that are constant in the original, in each way to see them.

    The noise is what masking added to each record; its covariances are known too well from few records, so that it
    is left out below `MIN_RECORDS` records per column.
    """
    values = standardise_both(original, masked)
    placed = [np.column_stack([middle_ranks(column) - 0.5 for column in file.T] or [file]) for file in values]
    found = {"standardised values": values, "ranks": (placed[0], placed[1])}
    before, after = (np.where(np.isnan(file), 0.0, file) for file in values)  # a missing value stands at the mean
    if before.size:
        found["Mahalanobis distance"] = whiten_files(before, after, complete_covariances(before))
    if len(rows) >= MIN_RECORDS * before.shape[1] > 0:
        found["Mahalanobis distance of the noise"] = whiten_files(
            before, after, complete_covariances(without_largest(before[rows] - after))
        )
    return found


def without_largest(differences: FloatMatrix) -> FloatMatrix:
    """Return the differences without the largest of them, 5 %: a few extreme records must not pass for the noise.

    Examples
    --------
    >>> without_largest(np.array([[1.0]] * 18 + [[-2.0], [1e9]])).sum()
    np.float64(16.0)
    """
    lengths = (differences**2).sum(axis=1)
    return differences[np.argsort(lengths, kind="stable")[: len(lengths) - len(lengths) // 20]]
