"""The likelihood of noisy values: noise is white in the coordinates of the root of its covariance."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import Coordinate, Likelihood, MaskingMethod
from sfumato.data import Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix
from sfumato.numerics.densities import STANDARD_NORMAL, NormalMixture
from sfumato.numerics.normal_draws import square_root

NEGLIGIBLE = 1e-9  # of the largest deviation of the noise: no noise at all
ROUNDING_VARIANCE = 1 / 12  # of values that are rounded to whole numbers


@dataclass(frozen=True, eq=False)
class Noise:
    """The noise on the records of a stratum.

    Parameters
    ----------
    covariance
        Its covariance over all columns that the method masks.
    shrinkage
        By how much the noisy values were drawn towards their means.
    means
        The means that they were drawn to.
    """

    covariance: FloatMatrix
    shrinkage: float
    means: FloatColumn


def noise_likelihood(
    method: MaskingMethod,
    original: Microdata,
    masked: Microdata,
    names: tuple[str, ...],
    noise_of: Callable[[Microdata], Noise],
    mixture: NormalMixture = STANDARD_NORMAL,
) -> Likelihood:
    """Return the coordinates in which the noise of each record is independent, for all columns or some of them.

    Records are compared with those of their stratum that lack the same values: the others are moved apart by what the
    strata and the missing values tell. A mixture is exact where all columns are known; for some of them the normal
    distribution of the same covariance stands for it.

    Parameters
    ----------
    method
        The method, bound to the original.
    original, masked
        The files before and after the noise.
    names
        The columns that the intruder knows.
    noise_of
        The noise on a stratum.
    mixture
        The distribution of each independent element of the noise, with mean 0 and variance 1.
    """
    every = original.select(method.columns)
    known = [every.index(name) for name in names]
    before, after = original.matrix(names), masked.matrix(names)
    rounding = np.where([_is_whole(before[:, place], after[:, place]) for place in range(len(names))], 1.0, 0.0)
    groups = _groups(original, masked, method.strata, before, after)
    exact, normal = (_empty_places(before, after) for _ in range(2))
    spreads = np.zeros(len(names))  # what rounding adds to the variance of each exact coordinate
    strata = original.stratum_numbers(method.strata)
    noises: dict[int, Noise] = {}
    for group in np.unique(groups[0]):
        rows, others = (np.flatnonzero(numbers == group) for numbers in groups)
        stratum = int(strata[rows[0]])
        if stratum not in noises:
            noises[stratum] = noise_of(original.take_rows(np.flatnonzero(strata == stratum)))
        noise, seen = noises[stratum], np.flatnonzero(~np.isnan(before[rows[0]]))
        if not seen.size:
            continue
        places = np.array(known)[seen]
        rescaled = noise.means[places] + (after[np.ix_(others, seen)] - noise.means[places]) / noise.shrinkage
        variances = rounding[seen] * ROUNDING_VARIANCE / noise.shrinkage**2
        if mixture is not STANDARD_NORMAL and len(places) == len(every):
            white = _inverse_root(square_root(noise.covariance))[:, places]
            target = exact
            spreads[: len(white)] = np.maximum(spreads[: len(white)], white**2 @ variances)
        else:
            covariance = noise.covariance[np.ix_(places, places)] + np.diag(variances)
            white, target = _inverse_root(square_root(covariance)), normal
        target[0][rows, : len(white)] = before[np.ix_(rows, seen)] @ white.T
        target[1][others, : len(white)] = rescaled @ white.T
    densities = [NormalMixture(mixture.weights, mixture.centres, mixture.variance + spread) for spread in spreads]
    return (
        *_coordinates(exact, densities),
        *_coordinates(normal, [STANDARD_NORMAL] * len(names), is_exact=mixture is STANDARD_NORMAL),
    )


def _groups(
    original: Microdata, masked: Microdata, strata: tuple[str, ...], before: FloatMatrix, after: FloatMatrix
) -> tuple[CodeColumn, CodeColumn]:
    """Return for each record of both files the number of its group: one stratum, the same values missing."""
    columns = [np.concatenate(common_codes(original, masked, name)[:2]) for name in strata]
    columns += [np.isnan(np.concatenate(pair)).astype(np.int64) for pair in zip(before.T, after.T, strict=True)]
    numbers = classes_of(np.array(columns)).numbers
    return numbers[: original.n], numbers[original.n :]


def _empty_places(before: FloatMatrix, after: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    return np.full(before.shape, np.nan), np.full(after.shape, np.nan)


def _inverse_root(root: FloatMatrix) -> FloatMatrix:
    """Return the matrix that turns noise into its independent elements; those without variance are left out.

    Examples
    --------
    >>> (_inverse_root(np.array([[2.0, 0.0], [1.0, 1.0]])) @ np.array([[2.0, 0.0], [1.0, 1.0]])).round(9) + 0.0
    array([[1., 0.], [0., 1.]])
    """
    sizes = np.abs(root / np.maximum(np.sqrt((root**2).sum(axis=1, keepdims=True)), 1e-300)).max(axis=0)
    used = sizes > NEGLIGIBLE
    return np.asarray(np.linalg.pinv(root[:, used]), dtype=np.float64)


def _is_whole(*columns: FloatColumn) -> bool:
    return all(bool((np.isnan(column) | (column == np.rint(column))).all()) for column in columns)


def _coordinates(
    places: tuple[FloatMatrix, FloatMatrix], densities: list[NormalMixture], *, is_exact: bool = True
) -> Likelihood:
    """Return the coordinates in which some record of both files has a place."""
    return tuple(
        Coordinate(before, after, density, is_exact)
        for before, after, density in zip(places[0].T, places[1].T, densities, strict=True)
        if not (np.isnan(before).all() or np.isnan(after).all())
    )
