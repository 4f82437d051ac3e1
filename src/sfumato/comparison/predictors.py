"""Columns of both files as the predictors of a regression, made block by block so that large files fit in memory."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import coded_alike
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows

BLOCK = 8192  # rows at a time: few enough for the processor's cache
EXPLAINED = 1e-9  # a predictor with less than this part of its square left over by earlier ones adds nothing


@dataclass(frozen=True, eq=False)
class Predictor:
    """One column of the original records followed by the masked ones, as predictors.

    Parameters
    ----------
    numbers
        The values of a continuous column, 0 where missing; None for a categorical one.
    codes
        Which of the indicators is 1; -1 for none.
    indicators
        How many indicators there are: one for each category but that of most original records, and one for missing
        values.
    """

    numbers: FloatColumn | None
    codes: CodeColumn
    indicators: int

    @property
    def width(self) -> int:
        """How many predictors the column makes."""
        return (self.numbers is not None) + self.indicators

    def write(self, rows: slice, block: FloatMatrix) -> None:
        """Write the predictors of some records into `block` (records x predictors), which holds zeros."""
        if self.numbers is not None:
            block[:, 0] = self.numbers[rows]
        codes = self.codes[rows]
        for code in np.flatnonzero(np.bincount(codes + 1, minlength=self.indicators + 1)[1:]):
            block[:, code + self.width - self.indicators] = codes == code

    def take(self, rows: Rows) -> "Predictor":
        """Return the predictor of some of the records."""
        return Predictor(None if self.numbers is None else self.numbers[rows], self.codes[rows], self.indicators)


def stacked_predictor(original: Microdata, masked: Microdata, name: str) -> Predictor:
    """Return a column of the original records and, below them, the masked ones as predictors."""
    if original.schema[name].kind is Kind.CONTINUOUS:
        numbers = np.concatenate([original.values(name), masked.values(name)])
        missing = np.isnan(numbers)
        return Predictor(np.where(missing, 0.0, numbers), np.where(missing, 0, -1), int(missing.any()))
    before, after, categories = coded_alike(original, masked, name)
    commonest = int(np.argmax(np.bincount(before[before >= 0], minlength=len(categories))))
    place = np.arange(len(categories) + 1)
    place[commonest + 1 :] -= 1
    place[commonest] = -1  # the category that the others are held against
    codes = place[np.concatenate([before, after])]  # the last place serves the code -1: missing values
    return Predictor(None, codes, len(categories))


def blocks(n: int) -> Iterator[slice]:
    """Yield runs of rows that together are the rows 0 .. n - 1."""
    for start in range(0, n, BLOCK):
        yield slice(start, min(start + BLOCK, n))


def main_effects(predictors: list[Predictor], rows: slice, more: int = 0) -> FloatMatrix:
    """Return the predictors of some records side by side, and after them columns of zeros for more."""
    ends = np.cumsum([predictor.width for predictor in predictors])
    block = np.zeros((rows.stop - rows.start, int(ends[-1]) + more), order="F")
    for predictor, end in zip(predictors, ends.tolist(), strict=True):
        predictor.write(rows, block[:, end - predictor.width : end])
    return block


def independent(products: FloatMatrix) -> list[int]:
    """Return the predictors that no linear combination of earlier ones gives, from their sums of products.

    Examples
    --------
    >>> total = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]])  # the third is the sum of the first two
    >>> independent(total.T @ total)
    [0, 1]
    """
    from scipy.linalg import solve_triangular

    scale = np.sqrt(np.diag(products))
    factor = np.zeros_like(products)  # of Cholesky, rows of the kept predictors only
    kept: list[int] = []
    for place in np.flatnonzero(scale > 0).tolist():
        known = len(kept)
        cosines = products[kept, place] / (scale[kept] * scale[place])
        row = solve_triangular(factor[:known, :known], cosines, lower=True) if known else cosines
        left = 1 - row @ row
        if left > EXPLAINED:
            factor[known, :known], factor[known, known] = row, np.sqrt(left)
            kept.append(place)
    return kept
