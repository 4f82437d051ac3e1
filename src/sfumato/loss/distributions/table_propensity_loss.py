"""Table propensity loss: how well the cells of cross tables tell masked records from original ones."""

from collections.abc import Mapping
from itertools import combinations
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import columns_to_compare
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.data.releases import copies_of
from sfumato.loss.distributions._classes import Classes, classes_alike, cross_columns
from sfumato.loss.distributions.propensity_loss import expected_difference
from sfumato.parameters import Columns

SHOWN = 10  # tables listed among the parts


class TablePropensity(NamedTuple):
    """What one table tells."""

    percent: float
    """The mean squared difference in percent of its largest value."""
    ratio: float
    """The same divided by what is expected of a file drawn from the original's distribution."""


class TablePropensityLoss(LossMeasure):
    """Tell masked records from original ones by the cell that they are in, for the table of each two columns.

    In a cell with s masked and y original records the chance of a record to be masked is s / (s + y). The value is the
    mean squared difference between that chance and the share c of the masked records, in percent of its largest value
    c (1 - c), averaged over the tables. Parts: `TPLratio`, the mean squared difference divided by what is expected when
    the masked file is drawn from the distribution of the original one, (k - 1) (1 - c)^2 c / N with k cells that hold
    records and N records in all, on average over the tables; `TPLmax`, the largest of these ratios; and the figures of
    the tables, largest first and ten at most. With one column the table is that of the column. The files need not hold
    the same records, so that synthetic ones can be measured. Of a file with several copies, numbered in a column
    `release`, each is held against the original, and the figures are the means.

    Parameters
    ----------
    columns
        Continuous, ordinal or nominal columns.
    classes
        How many quantile classes of the original to make of a continuous column. Fewer come out where values repeat: a
        value that two quantiles fall on is a class of its own.

    Meaning
        0: the same tables. 100: no cell of any table holds records of both files. A ratio of 1 is that of a file drawn
        from the distribution of the original, record by record, 2 that of another sample of the population or of a copy
        by the bootstrap; above 10 a table is of little use. Where whole
        households are drawn, whose members are alike, chance explains ratios of about 3, and some of 10.
    Missing values
        Are a class of their own, so that suppression counts. There is no figure per record.
    Source
        Raab, Nowok and Dibben (2021), Assessing, visualizing and improving the utility of synthetic data: the
        standardised pMSE of tables (S_pMSE in synthpop's utility.tables); its expectation is that of Snoke, Raab,
        Nowok, Dibben and Slavković (2018), General and specific utility measures for synthetic data.

    Examples
    --------
    >>> sex = Classes(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), 2)
    >>> tuple(round(one, 4) for one in table_propensity(sex))
    (6.6667, 1.0667)
    """

    symbol: ClassVar[str] = "TPL"
    part_symbols: ClassVar[tuple[str, ...]] = ("TPLratio", "TPLmax")
    part_units: ClassVar[Mapping[str, str]] = {"TPLratio": "", "TPLmax": ""}
    family: ClassVar[str] = "distributions"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})

    columns: Columns
    classes: Annotated[int, Field(ge=2, le=1000)] = 5

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean over tables, with the ratios to what chance explains."""
        tables = self.tables(original, masked)
        told = {names: table for names, table in tables.items() if len(names) == 2} or tables
        ratios = [table.ratio for table in told.values()]
        listed = sorted(((table.percent, " & ".join(names)) for names, table in told.items()), reverse=True)[:SHOWN]
        parts = {"TPLratio": float(np.mean(ratios)), "TPLmax": max(ratios), **{name: value for value, name in listed}}
        value = float(np.mean([table.percent for table in told.values()]))
        return Measurement(self.name(), self.symbol, value, parts=parts)

    def tables(self, original: Microdata, masked: Microdata) -> dict[tuple[str, ...], TablePropensity]:
        """Return what the table of each column, and of each two, tells; on average over copies."""
        copies = [self._tables_of(original, copy) for copy in copies_of(original, masked)]
        return {
            names: TablePropensity(
                *(float(np.mean(figures)) for figures in zip(*(one[names] for one in copies), strict=True))
            )
            for names in copies[0]
        }

    def _tables_of(self, original: Microdata, masked: Microdata) -> dict[tuple[str, ...], TablePropensity]:
        names = columns_to_compare(self, original, masked)
        classed = {name: classes_alike(original, masked, name, self.classes) for name in names}
        found: dict[tuple[str, ...], TablePropensity] = {
            (name,): table_propensity(column) for name, column in classed.items()
        }
        for one, other in combinations(names, 2):
            found[one, other] = table_propensity(cross_columns(classed[one], classed[other]))
        return found


def table_propensity(cells: Classes) -> TablePropensity:
    """Return what the cells of a table tell of the file that a record is from."""
    before, after = cells.counts
    both = before + after
    held = both > 0
    count, records = int(held.sum()), float(both.sum())
    share = float(after.sum() / records)
    difference = float((both[held] * (after[held] / both[held] - share) ** 2).sum()) / records
    percent = min(100.0, 100 * difference / (share * (1 - share)))
    return TablePropensity(
        percent, difference / expected_difference(count, share, round(records)) if count > 1 else 0.0
    )
