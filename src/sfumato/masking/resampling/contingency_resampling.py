"""Contingency resampling: a file whose contingency table is a bootstrap sample of the original one."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, Rows
from sfumato.numerics.random_rounding import round_to_total
from sfumato.parameters import Columns, Strata


class ContingencyResampling(MaskingMethod):
    """Change as few records as it takes for the table of some columns to become a bootstrap sample of itself.

    The cells of the contingency table of `columns` are drawn anew: as many records as there are, each from a cell with
    the probability that it has in the file; of several samples the mean is taken, each count rounded down or up at
    random by its fraction, so that the total stays and no cell is favoured.
    Records that are too many in a cell, drawn at random, go to cells that have too few.

    Parameters
    ----------
    columns
        Nominal or ordinal columns, resampled together: the table of all of them is drawn.
    samples
        Number of bootstrap samples that are averaged: the more, the nearer the table stays to the original one.
    within
        Columns whose equal values make the strata; each stratum keeps its number of records.

    Effect on risk
        Counts of the table are uncertain by about their square root (less with more samples), so that a published 1 may
        have been a 2, and an empty cell may have held somebody; a combination that nobody has is never made. Most
        records keep their categories: for microdata use `Pram` or `InvariantPram`, and measure.
    Effect on utility
        Every count is kept in expectation, with the variance n p (1 - p) of a multinomial sample; with several samples
        n p (1 - p) / samples and at most 1/4 more by rounding. So are the totals of the columns; records with rare
        combinations may vanish.
    Missing values
        Stay missing: records that lack a value of `columns` are left as they are.
    Source
        Heer (1993), A bootstrap procedure to preserve statistical confidentiality in contingency tables; Domingo-Ferrer
        and Mateo-Sanz (1999), On resampling for statistical confidentiality in contingency tables.

    Examples
    --------
    >>> resampled_counts(np.array([40, 9, 1, 0]), 1, np.random.default_rng(0))
    array([39, 11,  0,  0])
    """

    family: ClassVar[str] = "resampling"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.WHOLE
    needs_two_categories: ClassVar[bool] = True

    columns: Columns
    samples: Annotated[int, Field(ge=1, le=10_000)] = 1
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block in which some records have the categories of others."""
        names = block.select(self.columns)
        codes = np.stack([block.codes(name)[0] for name in names])
        whole = np.flatnonzero((codes >= 0).all(axis=0))
        sources = np.arange(block.n)
        sources[whole] = whole[resample_cells(classes_of(codes[:, whole]).numbers, self.samples, rng)]

        def change(name: str, observed: CodeColumn) -> CodeColumn:
            every = codes[names.index(name)]
            return np.asarray(every[sources][every >= 0], dtype=np.int64)

        return block.map_codes(names, change)


def resample_cells(cells: CodeColumn, samples: int, rng: np.random.Generator) -> Rows:
    """Return for each record a record whose cell it takes, so that the table becomes a bootstrap sample of itself.

    Parameters
    ----------
    cells
        The cell of each record, from 0.
    samples
        How many samples are averaged.
    rng
        The generator.
    """
    sources = np.arange(cells.size)
    if not cells.size:
        return sources
    counts = np.bincount(cells)
    aim = resampled_counts(counts, samples, rng)
    order = rng.permutation(cells.size)
    order = order[np.argsort(cells[order], kind="stable")]  # cell after cell, each in random order
    place = np.arange(cells.size) - (np.cumsum(counts) - counts)[cells[order]]
    leaving = order[place >= aim[cells[order]]]
    firsts = order[np.cumsum(counts) - counts]  # a record of each cell
    sources[leaving] = rng.permutation(np.repeat(firsts, np.maximum(aim - counts, 0)))
    return sources


def resampled_counts(counts: CodeColumn, samples: int, rng: np.random.Generator) -> CodeColumn:
    """Return the mean of bootstrap samples of a table, rounded at random to whole counts of the same total."""
    total = int(counts.sum())
    drawn = rng.multinomial(total, counts / max(total, 1), size=samples).sum(axis=0)
    return round_to_total(drawn, samples, rng)
