"""Top coding: no value above a threshold."""

import numpy as np

from sfumato.contracts import Spans
from sfumato.data import Microdata
from sfumato.masking.recoding._tail_coding import TailCoding, spans_above, upper_tail, with_label
from sfumato.numerics.arrays import FloatColumn


class TopCoding(TailCoding):
    """Replace every value above a threshold by the threshold, or by what is typical of the values above it.

    Parameters
    ----------
    columns
        Continuous or ordinal columns.
    at
        The threshold, in the columns' own unit; for ordinal columns the highest category that stays. Give this or
        `percent`.
    percent
        The share of the highest values to replace, at most. The threshold is then the lowest value, of an ordinal
        column the lowest category, with no more than that share above it: a value that is published anyway.
    replacement
        What the values above the threshold become instead: their `mean`, which keeps the mean of the column, or their
        `median` (for ordinal columns the lower of two middle categories). Fewer than three such values become the
        threshold instead: a mean of one is that one.
    tail_label
        Text for the replaced values, such as `85+`. It becomes the value label of the number (or category) that stands
        for them; the column keeps its type. For classes with text use `Discretisation` or `Recoding`.
    within
        Columns whose equal values make the strata; a threshold by `percent`, a mean and a median are then one per
        stratum.

    Effect on risk
        Hides the highest values, which are the easiest to recognise; everything below stays as it is. A mean of very
        few values is nearly one of them: see that enough values lie above the threshold.
    Effect on utility
        Keeps all values below the threshold, and quantiles up to it; lowers means (unless replaced by the mean) and
        variances.
    Missing values
        Stay missing; quantiles and means are of the observed values.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, chapter 3, top and bottom coding.

    Examples
    --------
    >>> import polars
    >>> ages = Microdata(polars.DataFrame({"age": [31.0, 99.0, 87.0]}))
    >>> TopCoding(columns=("age",), at=90).mask(ages, np.random.default_rng()).frame["age"].to_list()
    [31.0, 90.0, 87.0]
    """

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with no value above the threshold but what stands for them."""
        names = block.select(self.columns)
        tails = {name: upper_tail(block, name, self.at, self.percent, self.replacement) for name in names}
        coded = block.map_columns(names, lambda name, column: code_top(column, *tails[name]))
        return with_label(coded, block, tails, self.tail_label)

    def values_before(self, masked: Microdata, name: str, after: Spans) -> Spans:
        """Return the spans, without an upper end for the highest values."""
        at = self.at if isinstance(self.at, int | float) else None
        return spans_above(after, masked.stratum_numbers(self.strata), at, self.replacement is not None)


def code_top(column: FloatColumn, threshold: float, replacement: float) -> FloatColumn:
    """Return `column` with every value above `threshold` replaced."""
    return np.where(column > threshold, replacement, column)
