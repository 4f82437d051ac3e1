"""Latin hypercube: synthetic records with the marginals and the rank correlations of the original ones."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.normal_draws import LINEAR, square_root
from sfumato.numerics.portable.symmetric import multiply, symmetric_inverse
from sfumato.numerics.rank_correlations import as_correlations, centred_ranks, correlations_of_ranks, rank_correlations
from sfumato.numerics.ranking import stable_order
from sfumato.parameters import Columns, Strata

ROUNDS = 5  # of arranging the samples, at most
NEAR = 1e-3  # rank correlations that lie so near their target need no further round


class LatinHypercube(MaskingMethod):
    """Replace the columns by synthetic records that have their marginals and rank correlations.

    Each column is a Latin hypercube sample: one draw from each of n equally likely strata of its distribution. The
    samples are then arranged beside each other so that their ranks are correlated as those of the original columns.

    Parameters
    ----------
    columns
        Continuous or ordinal columns, replaced together. Integer and ordinal columns get rounded values.
    within
        Columns whose equal values make the strata; each is then a file of its own.

    Effect on risk
        A synthetic record comes from no original one, and stands in an arbitrary row: beside columns that are not
        replaced it says nothing. But the values of a column lie between neighbouring original values, so that
        its extremes and gaps stay visible: top code a column whose largest value points to somebody.
    Effect on utility
        Keeps each marginal within one order statistic, and rank correlations nearly. What is not in these is
        lost: sums of columns, zeros that go together, relations that rise and fall, subdomains.
    Missing values
        Stay missing, so rows with a value are filled from the synthetic records; rank correlations are of the records
        that have both values. A constant column stays constant. A single record is refused.
    Source
        Dandekar, Cohen and Kirkendall (2002), Sensitive micro data protection using Latin hypercube sampling
        technique; the arrangement is from Iman and Conover (1982), A distribution-free approach to inducing rank
        correlation among input variables, repeated with a corrected target until it is met.

    Examples
    --------
    >>> incomes = np.array([[10.0], [20.0], [30.0], [40.0]])
    >>> synthetic = hypercube_sample(incomes, ~np.isnan(incomes), np.random.default_rng(0))
    >>> np.sort(synthetic, axis=0).round(1).ravel()  # one of each quarter of the distribution
    array([14.8, 19.5, 25.3, 32.6])
    """

    family: ClassVar[str] = "synthesis"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with synthetic values in the chosen columns."""
        check_value_count(type(self).__name__, block, block.select(self.columns))
        return block.map_matrix(self.columns, lambda matrix: hypercube_sample(matrix, ~np.isnan(matrix), rng))


def hypercube_sample(matrix: FloatMatrix, wanted: Booleans, rng: np.random.Generator) -> FloatMatrix:
    """Return synthetic records with the marginals and rank correlations of `matrix`.

    Parameters
    ----------
    matrix
        The original records (records x columns); NaN where a value is missing.
    wanted
        Where a synthetic value is wanted, of the same shape; the others are NaN.
    rng
        The generator.
    """
    samples = [
        _stratified_draws(column[~np.isnan(column)], int(cells.sum()), rng)
        for column, cells in zip(matrix.T, wanted.T, strict=True)
    ]
    places = _places(samples, wanted, rank_correlations(matrix), rng)
    arranged = np.full(matrix.shape, np.nan, order="F")
    for j, sample in enumerate(samples):
        arranged[places[j], j] = sample
    return arranged


def _places(samples: list[FloatColumn], wanted: Booleans, target: FloatMatrix, rng: np.random.Generator) -> list[Rows]:
    """Return for each sample the rows for its values, lowest value first, so that ranks are correlated as targeted."""
    scores = _uncorrelated_scores(wanted.shape[0], wanted.shape[1], rng)
    cells = [np.flatnonzero(column) for column in wanted.T]
    sample_ranks = [centred_ranks(sample) for sample in samples]
    aim = 2 * np.sin(np.pi / 6 * target)  # of normals whose ranks are correlated as in the target
    best: list[Rows] = []
    distance = np.inf
    for _ in range(ROUNDS):
        aim = as_correlations(aim)
        latent = np.einsum("ij,jn->in", square_root(aim), scores)
        places = [rows[stable_order(row[rows])] for rows, row in zip(cells, latent, strict=True)]
        ranks = np.zeros(latent.shape)
        for row, place, sample in zip(ranks, places, sample_ranks, strict=True):
            row[place] = sample
        apart = target - correlations_of_ranks(ranks, wanted.T)
        if np.abs(apart).max() < distance:
            best, distance = places, float(np.abs(apart).max())
        if distance < NEAR:
            break
        aim = aim + apart
    return best


def _stratified_draws(observed: FloatColumn, n: int, rng: np.random.Generator) -> FloatColumn:
    """Return `n` rising values, one from each of `n` equal parts of the distribution of the observed values."""
    if not observed.size:
        return np.full(n, np.nan)
    shares = (np.arange(n) + rng.random(n)) / max(n, 1)
    return np.interp(shares * (observed.size - 1), np.arange(observed.size), np.sort(observed))


def _uncorrelated_scores(n: int, d: int, rng: np.random.Generator) -> FloatMatrix:
    """Return `d` rows of the normal scores of ranks 1..n, shuffled and then freed of their chance correlations."""
    from scipy.special import ndtri

    if n < 2:  # a single rank has the score 0, and no correlations
        return np.zeros((d, n))
    scores = rng.permuted(np.tile(ndtri(np.arange(1, n + 1) / (n + 1)), (d, 1)), axis=1)
    chance = np.einsum("in,jn->ij", scores, scores) / np.einsum("n,n->", scores[0], scores[0])
    inverse = multiply(square_root(chance).T, symmetric_inverse(chance, LINEAR))  # of the root L: L' (L L')^-1
    return np.asarray(np.einsum("ij,jn->in", inverse, scores), dtype=np.float64)
