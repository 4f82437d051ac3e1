"""Sequential synthesis: one column after another drawn from the leaves of a tree on the columns before it."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.masking.synthesis._donor_trees import CodedColumn, TreePredictor, TreeSettings, draw_donors
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.parameters import Columns, Given, GroupSize, Strata


class SequentialSynthesis(MaskingMethod):
    """Replace columns by synthetic ones, each drawn given those before it by a classification or regression tree.

    A tree divides the original records by the columns that come before. A synthetic record falls into a leaf by its
    own, already synthetic values, and takes the value of one of the original records there, its donor. The first
    column, when nothing is given, is drawn from all records.

    Parameters
    ----------
    columns
        Columns of any kind but date, in the order in which they are drawn. A column of many categories is best last.
    given
        Columns that stay as they are and are predicted from as well; none means that the file is synthetic
        altogether.
    min_leaf
        The fewest donors in a leaf.
    bootstrap
        Whether the donors of each leaf get random weights by the Bayesian bootstrap, so that several synthetic files
        differ as much as the estimates behind them are uncertain.
    smoothing
        Whether a continuous value that fewer than `min_leaf` records have, or a single one, is redrawn between its
        neighbours among the original values, half way to each.
    within
        Columns whose equal values make the strata; each is then a file of its own.

    Effect on risk
        Falls as `min_leaf` grows. Without `given` a synthetic record stands in an arbitrary row; but its values are
        those of real records, mostly in other combinations. A value that points to somebody still does, and with a
        small `min_leaf` and few columns whole records come out as they were (about 3 in 100 with three columns and
        5): use `smoothing`, or top code first. With `given` a record may be its own donor and keep a value, up to one
        time in `min_leaf`.
    Effect on utility
        Keeps distributions, and relations that trees find, also those that are not linear or hold in a subdomain only.
        Sums of columns are kept nearly at best: leave them out and compute them from the synthetic parts. Beside
        synthetic columns, those neither in `columns` nor in `given` stay in their rows and are unrelated to them.
    Missing values
        Are drawn like values: missing is a state of its own, in a column and in those that it is predicted from, so
        that they are as many, and as related to other columns, as in the original, in other rows. A single record is
        refused.
    Source
        Reiter (2005), Using CART to generate partially synthetic public use microdata; donors drawn from the leaf
        without the bootstrap as in Nowok, Raab and Dibben (2016), synthpop: bespoke creation of synthetic data in R.
        Here trees split by the ranks of a continuous column, so that a few large values do not decide.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"job": ["none", "none", "clerk", "clerk"] * 5, "pay": [0.0, 0.0, 9.5, 9.0] * 5})
    >>> method = SequentialSynthesis(columns=("job", "pay"))
    >>> masked = method.mask(Microdata(frame), np.random.default_rng(1)).frame
    >>> sorted(masked.unique().rows())
    [('clerk', 9.0), ('clerk', 9.5), ('none', 0.0)]
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_missing: ClassVar[bool] = False
    """Missing values are redrawn, so they do not stay in their rows."""

    columns: Columns
    given: Given = ()
    min_leaf: GroupSize = 5
    bootstrap: bool = False
    smoothing: bool = False
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with synthetic values in the chosen columns."""
        names = block.select(self.columns)
        check_value_count(type(self).__name__, block, names, min_values=self.min_leaf)
        donors = self._donors(block, rng)
        synthetic = block
        for name in names:  # whatever the type, a value is copied as it stands in the donor's row
            synthetic = synthetic.with_columns_of(block.take_columns((name,)).take_rows(donors[name]))
        if not self.smoothing:
            return synthetic
        numbers = tuple(name for name in names if block.schema[name].kind is Kind.CONTINUOUS)
        return synthetic.map_columns(
            numbers, lambda name, drawn: smooth(drawn, block.values(name), max(self.min_leaf, 2), rng)
        )

    def _donors(self, block: Microdata, rng: np.random.Generator) -> dict[str, Rows]:
        """Return for each column the row that each synthetic record takes its value from."""
        settings = TreeSettings(self.min_leaf, self.bootstrap)
        donors: dict[str, Rows] = {}
        before = [TreePredictor(CodedColumn.of(block, name), np.arange(block.n)) for name in block.select(self.given)]
        for name in block.select(self.columns):
            column = CodedColumn.of(block, name)
            donors[name] = draw_donors(column, before, settings, rng)
            before.append(TreePredictor(column, donors[name]))
        return donors


def smooth(drawn: FloatColumn, original: FloatColumn, fewest: int, rng: np.random.Generator) -> FloatColumn:
    """Return drawn values moved at random, each to at most half way to its neighbours among the original values.

    Parameters
    ----------
    drawn
        Values that all stand in `original`.
    original
        The original column; NaN where missing.
    fewest
        A value that at least so many original records have stays as it is.
    rng
        The generator.
    """
    distinct, counts = np.unique(original[~np.isnan(original)], return_counts=True)
    between = (distinct[:-1] + distinct[1:]) / 2
    lowest = np.append(distinct[:1], between)
    highest = np.append(between, distinct[-1:])
    place = np.searchsorted(distinct, drawn)
    moved = lowest[place] + rng.random(drawn.size) * (highest[place] - lowest[place])
    return np.where(counts[place] >= fewest, drawn, moved)
