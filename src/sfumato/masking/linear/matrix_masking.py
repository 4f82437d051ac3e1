"""Matrix masking: A V B + C, the general form of linear masks."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.numerics.arrays import CodeColumn, FloatMatrix
from sfumato.parameters import Columns, Scale, Strata

Weights = dict[str, dict[str, float]]
"""For some columns what each becomes: a sum of columns, each times a weight."""


class MatrixMasking(MaskingMethod):
    """Mask columns linearly: A V B + C, where A mixes records, B mixes columns and C is added.

    Here A averages the records that are equal in some columns, B makes columns into weighted sums of columns, and C is
    a constant plus normal noise. The function `mask_by_matrices` takes any three matrices: additive noise (C),
    microaggregation (A), swapping (A, a permutation, for each column) and sampling (A, some rows of the identity) are
    special cases of it.

    Parameters
    ----------
    columns
        Continuous columns, masked together. Integer columns get rounded values.
    averaged_by
        Columns whose equal values make the groups of records that A averages; without any, records stay apart.
    column_weights
        What B makes of a column, such as `{income: {income: 0.9, tax: 0.1}}`; one that is not named stays as it is.
    shifts
        What C adds to a column, in its unit.
    scale
        The deviation of the normal noise in C, in standard deviations of the column of A V B; none for no noise.

    Effect on risk
        Without averaging or noise it hides nothing: whoever knows, or guesses, B and the shifts undoes them. Averages
        of small groups are near the values in them, and noise is as strong as that of `AdditiveNoise` on columns that
        were mixed. Measure `WorstCaseLinkage` with the recipe.
    Effect on utility
        Means and covariances are known functions of the original ones: with B and C = 0 the means m become m B and the
        covariances S become B' S B, so that whoever is told B computes everything that is linear. Averaging keeps means
        and lowers variances, noise adds to variances.
    Missing values
        Stay missing, and are left out of averages. A column that others are mixed into must not miss values: it is
        refused.
    Source
        Duncan and Pearson (1991), Enhancing access to microdata while protecting confidentiality: prospects for the
        future; Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata.

    Examples
    --------
    >>> mask_by_matrices(np.array([[1.0], [3.0]]), records=np.full((2, 2), 0.5), added=np.array([[0.1], [0.2]]))
    array([[2.1], [2.2]])
    """

    family: ClassVar[str] = "linear"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    averaged_by: Strata = ()
    column_weights: Weights = Field(default={}, examples=[{"income": {"income": 0.9, "tax": 0.1}}])
    shifts: dict[str, float] = Field(default={}, examples=[{"income": 100.0}])
    scale: Scale | None = 0.1

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns mixed and moved."""
        names = block.select(self.columns)
        mixing = self._mixing(names)
        groups = block.stratum_numbers(block.select(self.averaged_by)) if self.averaged_by else None
        for place, name in enumerate(names):
            mixed = np.count_nonzero(mixing[:, place]) != 1 or mixing[place, place] == 0
            for other in np.flatnonzero(mixing[:, place]) if mixed else ():
                if block.summary.observed(names[other]) < block.summary.n:
                    raise DataError(
                        f"MatrixMasking.column_weights: '{names[other]}' misses values, so that '{name}', which it is "
                        f"mixed into, could not be computed; leave it out"
                    )
        shift = np.array([self.shifts.get(name, 0.0) for name in names])
        if self.scale is None and groups is None and not shift.any() and np.array_equal(mixing, np.eye(len(names))):
            raise DataError(
                "MatrixMasking without noise, averages, weights or shifts leaves every value as it is; give a scale, "
                "or columns in averaged_by"
            )

        def change(matrix: FloatMatrix) -> FloatMatrix:
            mixed = _multiply_columns(matrix if groups is None else average_records(matrix, groups), mixing)
            if self.scale is None:
                return np.asarray(mixed + shift, dtype=np.float64)
            for name, values in zip(names, mixed.T, strict=True):
                if np.count_nonzero(~np.isnan(values)) < 2:
                    raise DataError(
                        f"MatrixMasking.scale: '{name}' has fewer than 2 values, so that noise has no scale; leave the "
                        f"column out"
                    )
            deviations = np.nanstd(mixed, axis=0, ddof=1)
            noise = rng.standard_normal(mixed.shape[::-1]).T  # column by column, as the matrix lies in memory
            return np.asarray(mixed + shift + self.scale * deviations * noise, dtype=np.float64)

        return block.map_matrix(names, change)

    def _mixing(self, names: tuple[str, ...]) -> FloatMatrix:
        """Return B: a column of weights for each masked column."""
        for name in {*self.column_weights, *self.shifts, *(n for row in self.column_weights.values() for n in row)}:
            if name not in names:
                raise UnknownColumnError(
                    f"MatrixMasking: '{name}' is among the weights or shifts, but not in columns; name it there too"
                )
        mixing = np.eye(len(names))
        for name, weights in self.column_weights.items():
            mixing[:, names.index(name)] = [weights.get(other, 0.0) for other in names]
        return mixing


def mask_by_matrices(
    matrix: FloatMatrix,
    records: FloatMatrix | None = None,
    columns: FloatMatrix | None = None,
    added: FloatMatrix | None = None,
) -> FloatMatrix:
    """Return A V B + C for the records V (records x columns); a matrix that is not given changes nothing.

    Parameters
    ----------
    matrix
        V, without missing values.
    records
        A: a row of weights of the original records for each masked record.
    columns
        B: a column of weights of the original columns for each masked column.
    added
        C: what is added to each masked value; a single row for what is added to each column.
    """
    n, d = _checked("matrix", matrix).shape
    for name, weights, side, size in (("records", records, 1, n), ("columns", columns, 0, d)):
        if weights is not None and _checked(name, weights).shape[side] != size:
            what = ("rows", "columns")[side]
            raise ParameterError(
                [
                    f"mask_by_matrices.{name} must have {size} {what}, one for each of the "
                    f"{('columns', 'records')[side]} of matrix; got {weights.shape[side]}"
                ]
            )
    shape = (n if records is None else len(records), d if columns is None else columns.shape[1])
    if added is not None and _checked("added", added).shape not in (shape, (1, shape[1])):
        raise ParameterError([f"mask_by_matrices.added must have the shape {shape} of A V B; got {added.shape}"])
    masked = matrix if records is None else np.einsum("ij,jk->ik", records, matrix)
    masked = masked if columns is None else np.einsum("ij,jk->ik", masked, columns)
    return np.asarray(masked if added is None else masked + added, dtype=np.float64)


def _checked(name: str, matrix: FloatMatrix) -> FloatMatrix:
    """Return a matrix; refuse what is none, or lacks numbers."""
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise ParameterError(
            [f"mask_by_matrices.{name} must be a numpy array of two dimensions with a number in each place"]
        )
    return matrix


def average_records(matrix: FloatMatrix, groups: CodeColumn) -> FloatMatrix:
    """Return A V for the A that averages records of the same group: each value becomes the mean of those there.

    Examples
    --------
    >>> average_records(np.array([[1.0], [3.0], [8.0]]), np.array([0, 0, 1]))
    array([[2.], [2.], [8.]])
    """
    known = ~np.isnan(matrix)
    means = np.empty_like(matrix)
    for place, column in enumerate(matrix.T):
        there = known[:, place]
        sums = np.bincount(groups[there], weights=column[there], minlength=int(groups.max()) + 1)
        counts = np.bincount(groups[there], minlength=int(groups.max()) + 1)
        means[:, place] = np.where(there, (sums / np.maximum(counts, 1))[groups], np.nan)
    return means


def _multiply_columns(matrix: FloatMatrix, mixing: FloatMatrix) -> FloatMatrix:
    """Return V B; a column that only itself goes into may miss values."""
    mixed = np.einsum("ij,jk->ik", np.where(np.isnan(matrix), 0.0, matrix), mixing)
    return np.where(np.isnan(matrix), np.nan, mixed)
