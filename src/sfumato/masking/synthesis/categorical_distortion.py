"""Categorical distortion: categories drawn from their frequencies, put in the place of their rank."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns, Strata


class CategoricalDistortion(MaskingMethod):
    """Replace each column by categories drawn from its frequencies, in the order of the original ones.

    Parameters
    ----------
    columns
        Nominal or ordinal columns; each is replaced on its own. Nominal categories stand in the order of the column.
    within
        Columns whose equal values make the strata; each stratum then has frequencies of its own.

    Effect on risk
        Small: only as many records change as the draws move the borders between categories, in the order of the square
        root of the number of records. `InvariantPram` changes as many as one asks for.
    Effect on utility
        Keeps the frequencies within the sampling error of a new sample of the same size; a category of few records may
        vanish. In an ordinal column a record moves to a neighbouring category at most, unless that one is very small.
    Missing values
        Stay missing. A column in which all records have one category is refused; a stratum with one keeps it.
    Source
        Liew, Choi and Liew (1985), A data distortion by probability distribution. ACM Transactions on Database Systems
        10. Records of one category are taken in random order.

    Examples
    --------
    >>> redraw(np.array([2, 0, 1, 1, 0, 2, 1, 0]), np.random.default_rng(1))
    array([2, 0, 0, 1, 0, 1, 1, 0])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.WHOLE
    needs_two_categories: ClassVar[bool] = True

    columns: Columns
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with drawn categories in the chosen columns."""
        return block.map_codes(self.columns, lambda _, codes: redraw(codes, rng))


def redraw(codes: CodeColumn, rng: np.random.Generator) -> CodeColumn:
    """Return codes drawn from the frequencies of `codes`, in the order of `codes`; equal ones in random order."""
    if not codes.size:
        return codes
    drawn = np.bincount(rng.choice(codes, codes.size), minlength=int(codes.max()) + 1)
    shuffled = rng.permutation(codes.size)
    by_rank = shuffled[np.argsort(codes[shuffled], kind="stable")]
    masked = np.empty_like(codes)
    masked[by_rank] = np.repeat(np.arange(drawn.size), drawn)
    return masked
