"""Contingency resampling: a file whose contingency table is a bootstrap sample of the original one."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import Coordinate, Layout, Likelihood, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Transitions
from sfumato.numerics.random_rounding import round_to_total
from sfumato.parameters import Columns, Strata

MAX_CHANGES = 4_000_000  # pairs of cells whose changes are told one by one


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

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return how probable each change of cells is, given the table that is released; None where that is not whole.

        No more records left a cell than it lost, and none came to a cell that did not grow.
        """
        if set(names) != set(original.select(self.columns)) or masked.n != original.n:
            return None
        (cells, others), strata = (_cells(original, masked, some) for some in (self.strata + names, self.strata))
        is_whole = [np.logical_and.reduce([file.observed(name) for name in names]) for file in (original, masked)]
        span = int(max(cells.max(), others.max())) + 1
        if span**2 > MAX_CHANGES or np.count_nonzero(is_whole[0]) != np.count_nonzero(is_whole[1]):
            return None
        stratum = np.zeros(span, dtype=np.int64)
        stratum[np.concatenate([cells, others])] = np.concatenate(strata)
        changes = cell_changes(np.bincount(cells, minlength=span), np.bincount(others, minlength=span), stratum)
        places = cells.astype(np.float64), others.astype(np.float64)
        return (Coordinate(*places, Transitions(changes), is_exact=False),)

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


def cell_changes(before: CodeColumn, after: CodeColumn, strata: CodeColumn) -> FloatMatrix:
    """Return how probable it is that a record of one cell goes to another, given the counts before and after.

    Parameters
    ----------
    before, after
        How many records each cell has in both files.
    strata
        The stratum of each cell, which nobody leaves.

    Examples
    --------
    >>> cell_changes(np.array([4, 2, 1]), np.array([3, 2, 2]), np.zeros(3, dtype=np.int64))
    array([[0.75, 0.  , 0.25],
           [0.  , 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    stays = np.minimum(after / np.maximum(before, 1), 1.0)
    surplus = np.maximum(after - before, 0)
    shares = surplus / np.maximum(np.bincount(strata, surplus)[strata], 1)
    changes = (1 - stays)[:, None] * shares * (strata[:, None] == strata)
    return np.asarray(changes + np.diag(stays), dtype=np.float64)


def _cells(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> tuple[CodeColumn, CodeColumn]:
    """Return the cell of each record of both files, records that lack values in cells of their own."""
    columns = [np.concatenate(common_codes(original, masked, name)[:2]) + 1 for name in names]
    everywhere = np.zeros((1, original.n + masked.n), dtype=np.int64)
    numbers = classes_of(np.array(columns) if columns else everywhere).numbers
    return numbers[: original.n], numbers[original.n :]


def resampled_counts(counts: CodeColumn, samples: int, rng: np.random.Generator) -> CodeColumn:
    """Return the mean of bootstrap samples of a table, rounded at random to whole counts of the same total."""
    total = int(counts.sum())
    drawn = rng.multinomial(total, counts / max(total, 1), size=samples).sum(axis=0)
    return round_to_total(drawn, samples, rng)
