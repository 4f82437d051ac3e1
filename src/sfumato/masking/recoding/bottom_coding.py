"""Bottom coding: no value below a threshold."""

import numpy as np

from sfumato.contracts import Spans
from sfumato.data import Microdata
from sfumato.masking.recoding._tail_coding import TailCoding, lower_tail, spans_above, with_label
from sfumato.numerics.arrays import FloatColumn


class BottomCoding(TailCoding):
    """Replace every value below a threshold by the threshold, or by what is typical of the values below it.

    Parameters
    ----------
    columns
        Continuous or ordinal columns.
    at
        The threshold, in the columns' own unit; for ordinal columns the lowest category that stays. Give this or
        `percent`.
    percent
        The share of the lowest values to replace, at most. The threshold is then the highest value, of an ordinal
        column the highest category, with no more than that share below it: a value that is published anyway.
    replacement
        What the values below the threshold become instead: their `mean`, which keeps the mean of the column, or their
        `median` (for ordinal columns the lower of two middle categories). Fewer than three such values become the
        threshold instead: a mean of one is that one.
    tail_label
        Text for the replaced values, such as `under 15`. It becomes the value label of the number (or category) that
        stands for them; the column keeps its type. For classes with text use `Discretisation` or `Recoding`.
    within
        Columns whose equal values make the strata; a threshold by `percent`, a mean and a median are then one per
        stratum.

    Effect on risk
        Hides the lowest values, such as large losses; everything above stays as it is. A mean of very few values is
        nearly one of them: see that enough values lie below the threshold.
    Effect on utility
        Keeps all values above the threshold, and quantiles from it on; raises means (unless replaced by the mean) and
        lowers variances.
    Missing values
        Stay missing; quantiles and means are of the observed values.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, chapter 3, top and bottom coding.

    Examples
    --------
    >>> import polars
    >>> profits = Microdata(polars.DataFrame({"profit": [31.0, -99.0, 8.0]}))
    >>> BottomCoding(columns=("profit",), at=-50).mask(profits, np.random.default_rng()).frame["profit"].to_list()
    [31.0, -50.0, 8.0]
    """

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with no value below the threshold but what stands for them."""
        names = block.select(self.columns)
        tails = {name: lower_tail(block, name, self.at, self.percent, self.replacement) for name in names}
        coded = block.map_columns(names, lambda name, column: code_bottom(column, *tails[name]))
        return with_label(coded, block, tails, self.tail_label)

    def values_before(self, masked: Microdata, name: str, after: Spans) -> Spans:
        """Return the spans, without a lower end for the lowest values."""
        at = -self.at if isinstance(self.at, int | float) else None
        turned = Spans(-after.high, -after.low)
        found = spans_above(turned, masked.stratum_numbers(self.strata), at, self.replacement is not None)
        return Spans(-found.high, -found.low)


def code_bottom(column: FloatColumn, threshold: float, replacement: float) -> FloatColumn:
    """Return `column` with every value below `threshold` replaced."""
    return np.where(column < threshold, replacement, column)
