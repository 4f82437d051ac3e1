"""Hybrid records: each original record drawn towards a synthetic one near it."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.kernels.neighbours.nearest import nearest_rows
from sfumato.masking.synthesis.latin_hypercube import hypercube_sample
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.standardisation import z_scores
from sfumato.parameters import Columns, InPercent, Strata


class Hybrid(MaskingMethod):
    """Replace each record by a weighted mean of itself and the synthetic record nearest to it.

    The synthetic records are a Latin hypercube sample with the marginals and rank correlations of the original ones,
    as many as there are records. Near is by Euclidean distance over the standardised columns; one synthetic record may
    serve several original ones.

    Parameters
    ----------
    columns
        Continuous columns, masked together. Integer columns get rounded values.
    original_percent
        Weight of the original record, in percent; the rest is the weight of the synthetic one.
    within
        Columns whose equal values make the strata; each is then a file of its own.

    Effect on risk
        Falls as `original_percent` falls, but stays above that of synthetic records: each masked record belongs to an
        original one and lies near it. With one or two columns the nearest synthetic record is all but equal to the
        original one, and hides nothing.
    Effect on utility
        Keeps the shape of the data, subdomains included, the better the denser the records lie. Variances shrink
        somewhat, and sums of columns are not kept.
    Missing values
        Stay missing; a record is paired by the values it has. A constant column stays constant. A single record is
        refused.
    Source
        Dandekar, Domingo-Ferrer and Sebe (2002), LHS-based hybrid microdata vs rank swapping and microaggregation for
        numeric microdata protection: the additive combination.

    Examples
    --------
    >>> mix_with_nearest(np.array([[0.0], [8.0]]), np.array([[9.0], [1.0]]), 75)
    array([[0.25], [8.25]])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    original_percent: Annotated[InPercent, Field(ge=0, lt=100)] = 50.0
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns drawn towards synthetic records."""
        check_value_count(type(self).__name__, block, block.select(self.columns))
        return block.map_matrix(self.columns, lambda matrix: self._mix(matrix, rng))

    def _mix(self, matrix: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
        synthetic = hypercube_sample(matrix, np.ones(matrix.shape, dtype=np.bool_), rng)
        return mix_with_nearest(matrix, synthetic, self.original_percent)


def mix_with_nearest(original: FloatMatrix, synthetic: FloatMatrix, original_percent: float) -> FloatMatrix:
    """Return for each original record its weighted mean with the nearest synthetic one (records x columns)."""
    points = z_scores(np.vstack([original, synthetic]))
    nearest = nearest_rows(points[len(original) :], points[: len(original)])
    weight = original_percent / 100
    return np.asarray(weight * original + (1 - weight) * synthetic[nearest], dtype=np.float64)
