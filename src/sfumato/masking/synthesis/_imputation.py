"""What the imputation methods share: columns drawn one after another given those before, and several releases.

Each column is modelled on the original records, from the given columns and the original columns before it. It is then
drawn for every record from the given columns and the columns that were drawn before, so that no original value of the
masked columns passes through.
"""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Variable
from sfumato.data.releases import RELEASE
from sfumato.errors import DataError
from sfumato.masking.synthesis._bayesian_regression import fit_bayesian_regression
from sfumato.masking.synthesis._dummies import dummy_matrix
from sfumato.masking.synthesis._rounding_back import check_donors, check_rounding
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows

UNMASKED = 1e-6  # residuals below this share of a column leave its values as they were
FREEDOM = 3  # degrees of freedom from which a drawn residual variance has a mean

Releases = Annotated[int, Field(ge=1, le=1000)]
"""How many masked files are made, each with draws of its own."""

Draw = Callable[[FloatColumn, FloatMatrix, FloatMatrix, np.random.Generator], FloatColumn]
"""Draws a column: from its observed values and their predictors, for records with other predictors in the same order.

Predictors hold one per row, the first of them the intercept; record i is the same person in all.
"""

SameShare = Callable[[FloatColumn, FloatMatrix], float]
"""Tells how often a donor has the value of the record that borrows from it: from a column and its predictors."""


def impute_releases(
    method: MaskingMethod,
    block: Microdata,
    given: tuple[str, ...],
    releases: int,
    draw: Draw,
    rng: np.random.Generator,
    *,
    same_share: SameShare | None = None,
) -> Microdata:
    """Return the masked file or, of several releases, all of them record by record, numbered in a new column.

    `same_share` is told by methods that borrow values of other records; those of others are rounded in integer columns.
    """
    _check(type(method).__name__, block, block.select(method.columns), given, same_share)
    check_releases(type(method).__name__, block, releases)
    files = [_impute(method, block, given, draw, rng) for _ in range(releases)]
    return join_releases(files, block.row_ids)


def check_releases(who: str, block: Microdata, releases: int) -> None:
    """Refuse several releases of a file that has the column in which they would be numbered."""
    if releases > 1 and RELEASE in block.schema:
        raise DataError(
            f"{who}.releases: they are numbered in a new column '{RELEASE}', but the file has one of that name; rename "
            f"it first"
        )


def join_releases(files: Sequence[Microdata], order: Rows) -> Microdata:
    """Return the only file or, of several, all of them in one, records by the order of ids, with the number of each."""
    if len(files) == 1:
        return files[0]
    variable = Variable(name=RELEASE, kind=Kind.NOMINAL)
    numbered = [
        file.with_column(variable, np.full(file.n, number, dtype=np.int64))
        for number, file in enumerate(files, start=1)
    ]
    return Microdata.concatenate(numbered, order=order)


def _impute(
    method: MaskingMethod, block: Microdata, given: tuple[str, ...], draw: Draw, rng: np.random.Generator
) -> Microdata:
    """Return a copy of the block with the method's columns drawn one after another."""
    fixed, masked = dummy_matrix(block, given), block
    before: tuple[str, ...] = ()
    for name in block.select(method.columns):
        original, drawn = (np.hstack([fixed, file.matrix(before)]) for file in (block, masked))
        known, asked = scaled_predictors(original, drawn)
        observed = block.observed(name)
        known, asked = np.ascontiguousarray(known[:, observed]), np.ascontiguousarray(asked[:, observed])
        masked = masked.map_columns(
            (name,),
            lambda _, values, known=known, asked=asked: draw(values, known, asked, rng),  # type: ignore[misc]
        )
        before = (*before, name)
    return masked


def scaled_predictors(known: FloatMatrix, asked: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return predictors on a common scale, one per row, with an intercept first.

    A missing value counts as the mean, and that it is missing as a predictor of its own.

    Parameters
    ----------
    known, asked
        Predictors of the same records (records x predictors), in the original file and in the masked one; both have
        their NaN in the same places.
    """
    has = ~np.isnan(known)
    centres = np.where(has, known, 0.0).sum(axis=0) / np.maximum(has.sum(axis=0), 1)
    sizes = np.abs(np.where(has, known - centres, 0.0)).max(axis=0, initial=0.0)
    sizes = np.where(sizes > 0, sizes, 1.0)
    lacking = ~has[:, ~has.all(axis=0)]

    def on_scale(matrix: FloatMatrix) -> FloatMatrix:
        parts = [np.ones((len(matrix), 1)), np.where(has, (matrix - centres) / sizes, 0.0), lacking]
        return np.ascontiguousarray(np.hstack(parts).T)

    return on_scale(known), on_scale(asked)


def _check(
    who: str, block: Microdata, names: tuple[str, ...], given: tuple[str, ...], same_share: SameShare | None
) -> None:
    """Refuse columns whose values would stay as they are, and too few records to draw from."""
    known, _ = scaled_predictors(*[dummy_matrix(block, given)] * 2)
    for place, name in enumerate(names):
        values = block.values(name)
        observed = ~np.isnan(values)
        values = values[observed]
        if not values.size:
            continue  # a stratum without a value has none to mask
        predictors = np.ascontiguousarray(known[:, observed])
        fit = fit_bayesian_regression(values - values.mean(), predictors)
        needed = values.size - fit.freedom + 2 * place + FREEDOM  # each column before, and that it lacks a value
        if values.size < needed:
            raise DataError(
                f"{who} needs at least {needed} records with a value of '{name}', in the file and in each stratum; "
                f"there are {values.size}: give fewer columns or join strata"
            )
        if fit.residual_sum <= UNMASKED**2 * np.sum((values - values.mean()) ** 2):
            raise DataError(
                f"{who}.columns: '{name}' is constant or determined by the given columns, so its values would stay as "
                f"they are; leave it out, or leave out of given what it is computed from"
            )
        if same_share is not None:
            check_donors(who, name, values, same_share(values, predictors))
        else:
            fitted = values.mean() + np.einsum("k,kn->n", fit.coefficients, predictors)
            check_rounding(who, block, (name,), (values - fitted)[None])
