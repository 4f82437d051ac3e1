"""Columns of both files as the predictors of a regression, made block by block so that large files fit in memory."""

from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows


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
    before, after, categories = common_codes(original, masked, name)
    commonest = int(np.argmax(np.bincount(before[before >= 0], minlength=len(categories))))
    place = np.arange(len(categories) + 1)
    place[commonest + 1 :] -= 1
    place[commonest] = -1  # the category that the others are compared with
    codes = place[np.concatenate([before, after])]  # the last place serves the code -1: missing values
    return Predictor(None, codes, len(categories))


def main_effects(predictors: list[Predictor], rows: slice, more: int = 0) -> FloatMatrix:
    """Return the predictors of some records side by side, and after them columns of zeros for more."""
    ends = np.cumsum([predictor.width for predictor in predictors])
    block = np.zeros((rows.stop - rows.start, int(ends[-1]) + more), order="F")
    for predictor, end in zip(predictors, ends.tolist(), strict=True):
        predictor.write(rows, block[:, end - predictor.width : end])
    return block
