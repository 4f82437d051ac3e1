"""Shuffling: exchange confidential values so that they follow the other columns as before, and nothing else."""

from typing import ClassVar, Self

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.contracts.columns import check_value_count
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, KindError
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.missing_patterns import rows_by_pattern
from sfumato.numerics.normal_draws import correlated_normals
from sfumato.numerics.portable.symmetric import multiply, symmetric_inverse
from sfumato.numerics.rank_correlations import as_correlations, centred_ranks, rank_correlations
from sfumato.numerics.ranking import shuffled_order
from sfumato.parameters import Columns, Given, Strata

COLLINEAR = 1e-9  # an eigenvalue of the given columns' correlations that counts as 0, as a share of the largest
DETERMINED = 1e-6  # a share of the variance too small to move any value


class Shuffling(MaskingMethod):
    """Give each record a value of another, chosen by what the record has in other columns and by chance.

    Columns are seen as normal variables behind their ranks, which have the same rank correlations. For each record a
    new set of these is drawn, given its values in the columns `given`; the record of the i-th lowest draw then gets the
    i-th lowest of the original values.

    Parameters
    ----------
    columns
        Continuous or ordinal columns, shuffled together.
    given
        Continuous or ordinal columns, which stay as they are, and which the shuffled values follow. A nominal column
        is better named in `within`. With none the shuffled values follow only each other.
    within
        Columns whose equal values make the strata; values are then shuffled inside each stratum.

    Effect on risk
        The shuffled values hold nothing of a record but its given values: who knows these learns nothing more about the
        record from the shuffled file than from the distribution in it. The better `given` predicts, the nearer the
        values come to the original ones. The values themselves are published: top code those that point to somebody.
    Effect on utility
        Keeps every marginal distribution exactly, and rank correlations among `columns` and with `given` nearly. What
        is not in these is lost: sums of columns, relations that rise and fall, columns that are not in `given`.
    Missing values
        Stay missing; observed values are shuffled among the records that have one. Rank correlations are of the records
        that have both values. A record that lacks some of `given` follows those it has. A constant column stays
        constant. A column determined by `given`, which would stay as it is, and a single record are refused.
    Source
        Muralidhar and Sarathy (2006), Data shuffling: a new masking approach for numerical data: rank correlations r
        become correlations 2 sin(pi r / 6) of normal variables. Equal values have here the mean of their ranks, and
        correlations that no normal variables can have become the nearest that some can.

    Examples
    --------
    >>> incomes, ages = np.array([[30.0], [10.0], [20.0], [40.0]]), np.array([[50.0], [20.0], [40.0], [30.0]])
    >>> correlations = np.array([[1.0, 0.9], [0.9, 1.0]])
    >>> shuffle(incomes, ages, correlations, np.random.default_rng(0)).ravel()
    array([40., 10., 30., 20.])
    """

    family: ClassVar[str] = "swapping"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})
    layout: ClassVar[Layout] = Layout.WHOLE
    ignores_order: ClassVar[bool] = True

    columns: Columns
    given: Given = ()
    within: Strata = ()

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them against the data."""
        bound = super().bound_to(data)
        for name in data.select(bound.given):
            if data.schema[name].kind is Kind.NOMINAL:
                raise KindError(
                    f"Shuffling.given: '{name}' is nominal; expected continuous or ordinal columns: name it in within"
                )
        return bound

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns shuffled."""
        check_value_count(type(self).__name__, block, block.select(self.columns))
        names = block.select(self.columns)
        reading = block.matrix(block.select(self.given))

        def change(matrix: FloatMatrix) -> FloatMatrix:
            correlations = normal_correlations(np.column_stack([matrix, reading]))
            _check_undetermined(names, correlations)
            return shuffle(matrix, reading, correlations, rng)

        return block.map_matrix(names, change)

    def groups_alike(self, data: Microdata) -> CodeColumn:
        """Return the records that are equal in `given` and `within`: what they get is drawn for any of them alike."""
        return data.stratum_numbers((*data.select(self.given), *self.strata))


def shuffle(
    matrix: FloatMatrix, given: FloatMatrix, correlations: FloatMatrix, rng: np.random.Generator
) -> FloatMatrix:
    """Return `matrix` with the values of each column in the order of new draws, given some other columns.

    Parameters
    ----------
    matrix, given
        The columns to shuffle and those that they follow (records x columns each); NaN where a value is missing.
    correlations
        Of the normal variables behind the columns of `matrix` and, after them, of `given`.
    rng
        The generator.
    """
    latent = conditional_draws(normal_scores(given), correlations, rng)
    arranged = np.full_like(matrix, np.nan)
    for after, before, draws in zip(arranged.T, matrix.T, latent.T, strict=True):
        rows = np.flatnonzero(~np.isnan(before))
        after[rows[shuffled_order(draws[rows], rng)]] = np.sort(before[rows])
    return arranged


def normal_correlations(matrix: FloatMatrix) -> FloatMatrix:
    """Return the correlations of normal variables with the rank correlations of the columns, or the nearest to them."""
    return as_correlations(2 * np.sin(np.pi / 6 * rank_correlations(matrix)))


def normal_scores(matrix: FloatMatrix) -> FloatMatrix:
    """Return for each value the normal quantile of its rank, with variance 1 in each column; NaN stays NaN.

    Examples
    --------
    >>> normal_scores(np.array([[7.0], [9.0], [8.0]])).ravel().round(3)
    array([-1.225, 1.225, 0. ])
    """
    return np.array([_scores(column) for column in matrix.T]).reshape(matrix.shape[::-1]).T


def conditional_draws(scores: FloatMatrix, correlations: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
    """Return draws of normal variables given the scores of others (records x variables); NaN is a score not known.

    Parameters
    ----------
    scores
        Of the given variables, one row per record.
    correlations
        Of the variables to draw and, after them, the given ones.
    """
    d = len(correlations) - scores.shape[1]
    draws = np.empty((len(scores), d))
    absent = np.isnan(scores)
    for rows in rows_by_pattern(absent):
        has = np.flatnonzero(~absent[rows[0]])
        slopes, left = _conditional_normal(correlations, d, d + has)
        # einsum adds in one fixed order; a threaded BLAS may not
        predicted = np.einsum("nk,kj->nj", scores[np.ix_(rows, has)], slopes)
        draws[rows] = predicted + correlated_normals(rows.size, left, rng)
    return draws


def _conditional_normal(correlations: FloatMatrix, d: int, given: Rows) -> tuple[FloatMatrix, FloatMatrix]:
    """Return the slopes of the first `d` variables on the given ones, and the covariance of what is left of them."""
    across = correlations[given, :d]
    slopes = multiply(symmetric_inverse(correlations[np.ix_(given, given)], COLLINEAR), across)
    return slopes, correlations[:d, :d] - multiply(slopes.T, across)


def _scores(column: FloatColumn) -> FloatColumn:
    from scipy.special import ndtri

    observed = ~np.isnan(column)
    scores = np.where(observed, ndtri(0.5 + centred_ranks(column) / max(observed.sum(), 1)), np.nan)
    spread = float(np.sqrt(np.mean(scores[observed] ** 2))) if observed.any() else 0.0
    return np.asarray(scores / (spread if spread > 0 else 1.0), dtype=np.float64)


def _check_undetermined(names: tuple[str, ...], correlations: FloatMatrix) -> None:
    d = len(names)
    _, left = _conditional_normal(correlations, d, np.arange(d, len(correlations)))
    least = int(np.argmin(np.diag(left)))
    if left[least, least] <= DETERMINED:
        raise DataError(
            f"Shuffling.columns: '{names[least]}' is determined by the given columns, so its values would stay as they "
            f"are; leave it out, or leave out of given what it is computed from"
        )
