"""The likelihood of noisy values: noise is white in the coordinates of the root of its covariance."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.contracts import Coordinate, Likelihood, MaskingMethod, Noise
from sfumato.data import Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.masking.noise._rounding_units import ROUNDING_VARIANCE, rounding_unit
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import STANDARD_NORMAL, NormalMixture
from sfumato.numerics.joint_densities import JointMixture
from sfumato.numerics.normal_draws import inverse_root, square_root

MAX_MIXTURES = 8  # patterns of missing values with coordinates of their own; the others have normal ones
MAX_JOINT = 1024  # components of a joint density
MAX_COMPONENTS = 64  # of the mixture of a sum
DIGITS = 6  # to which coefficients are told apart
MAX_ROUNDING = 0.1  # of the variance of a component, up to which rounding may pass for a little more noise


def noise_likelihood(
    method: MaskingMethod,
    original: Microdata,
    masked: Microdata,
    names: tuple[str, ...],
    noise_of: Callable[[Microdata], Noise],
) -> Likelihood:
    """Return the coordinates in which the noise of each record is independent, for all columns or some of them.

    Records are compared with those of their stratum that lack the same values: the others are moved apart by what the
    strata and the missing values tell. A mixture is exact where all columns are known, or all down to some column; for
    others the coordinates are sums of elements, with a joint density of all combinations of components where these are
    few enough.

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
    """
    every = original.select(method.columns)
    known = np.array([every.index(name) for name in names])
    before, after = original.matrix(names), masked.matrix(names)
    rounding = np.array([_unit(before[:, place], after[:, place]) for place in range(len(names))])
    groups = _groups(original, masked, method.strata, before, after)
    strata = original.stratum_numbers(method.strata)
    is_rounded = False
    noises: dict[int, Noise] = {}
    found: dict[tuple[tuple[int, ...], bytes], _Coordinates] = {}
    for group in np.unique(groups[0]):
        rows, others = (np.flatnonzero(numbers == group) for numbers in groups)
        stratum = int(strata[rows[0]])
        if stratum not in noises:
            own = original.take_rows(np.flatnonzero(strata == stratum)) if method.strata else original
            noises[stratum] = noise_of(own)
        noise, seen = noises[stratum], np.flatnonzero(~np.isnan(before[rows[0]]))
        mixture = noise.mixture
        if not seen.size:
            continue
        places = known[seen]
        variances = rounding[seen] ** 2 * ROUNDING_VARIANCE / noise.shrinkage**2
        if mixture is STANDARD_NORMAL or len(found) >= MAX_MIXTURES:
            white = inverse_root(square_root(noise.covariance[np.ix_(places, places)] + np.diag(variances)))
            loads = np.eye(len(white)) if mixture is STANDARD_NORMAL else np.empty((len(white), 0))
            is_rounded = is_rounded or bool((white**2 @ variances > MAX_ROUNDING).any())
            variances = np.zeros(len(seen))
        else:
            white, loads = _whitening(noise, places)
        rescaled = noise.means[places] + (after[np.ix_(others, seen)] - noise.means[places]) / noise.shrinkage
        key = loads.shape, (loads.round(DIGITS) + 0.0).tobytes()
        target = found.setdefault(key, _Coordinates.empty(before, after, loads, mixture))
        target.before[rows, : len(white)] = before[np.ix_(rows, seen)] @ white.T
        target.after[others, : len(white)] = rescaled @ white.T
        target.spreads[: len(white)] = np.maximum(target.spreads[: len(white)], white**2 @ variances)
    stated = [coordinate for coordinates in found.values() for coordinate in coordinates.likelihood()]
    is_more = is_rounded or not all(noise.is_exact for noise in noises.values())
    return tuple(replace(one, is_exact=one.is_exact and not is_more) for one in stated)


def _whitening(noise: Noise, places: Rows) -> tuple[FloatMatrix, FloatMatrix]:
    """Return the matrix that turns the noise of some columns into uncorrelated elements, and what these are made of.

    Returns
    -------
    The matrix, and the coefficients of each element in the independent elements of the whole noise: where all columns
    are known, or all down to some column, each is one of them.
    """
    root = noise.root
    if len(places) == len(root):
        white = inverse_root(root)[:, places]
    else:
        white = inverse_root(square_root(noise.covariance[np.ix_(places, places)]))
    return white, np.asarray(white @ root[places], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Coordinates:
    """The coordinates of the records that lack the same values: where they stand, and the distribution of the noise.

    Parameters
    ----------
    before, after
        The places of both files, one column for each coordinate; NaN for all other records.
    loads
        The coefficients of each coordinate in the independent elements of the noise.
    spreads
        What rounding adds to the variance of each coordinate.
    mixture
        The distribution of an independent element.
    """

    before: FloatMatrix
    after: FloatMatrix
    loads: FloatMatrix
    spreads: FloatColumn
    mixture: NormalMixture

    @classmethod
    def empty(
        cls, before: FloatMatrix, after: FloatMatrix, loads: FloatMatrix, mixture: NormalMixture
    ) -> "_Coordinates":
        count = len(loads)
        places = [np.full((len(file), count), np.nan) for file in (before, after)]
        return cls(places[0], places[1], loads, np.zeros(count), mixture)

    def likelihood(self) -> Likelihood:
        """Return the coordinates, with their joint density where each is a sum of several elements."""
        is_exact = bool((np.abs(self.loads).max(axis=1, initial=0.0) > 1 - 10.0**-DIGITS).all())
        if np.isnan(self.after).all():
            return ()
        joint = None if is_exact else joint_density(self.mixture, self.loads, self.spreads)
        is_fine = bool((self.spreads <= MAX_ROUNDING * self.mixture.variance).all())
        is_exact = is_fine and (is_exact or joint is not None)
        return tuple(
            Coordinate(before, after, sum_density(self.mixture, load, spread), is_exact, joint)
            for before, after, load, spread in zip(self.before.T, self.after.T, self.loads, self.spreads, strict=True)
        )


def joint_density(mixture: NormalMixture, loads: FloatMatrix, spreads: FloatColumn) -> JointMixture | None:
    """Return the density of uncorrelated sums of independent elements together; none where it has too many components.

    The sums have variance 1, so that inside a component they are independent, too.
    """
    elements = loads.shape[1]
    if not elements or len(mixture.weights) ** elements > MAX_JOINT:
        return None
    weights, centres = np.ones(1), np.zeros((1, len(loads)))
    for load in loads.T:
        weights = np.outer(weights, mixture.weights).ravel()
        moved = mixture.centres[:, None] * load
        centres = (centres[:, None] + moved).reshape(-1, len(loads))
    return JointMixture(weights, centres, mixture.variance * (loads**2).sum(axis=1) + spreads)


def sum_density(mixture: NormalMixture, load: FloatColumn, spread: float) -> NormalMixture:
    """Return the distribution of a weighted sum of independent elements, and of rounding with the variance `spread`.

    The elements with the largest weights keep their mixture, as many as give at most `MAX_COMPONENTS` components; the
    others together are taken for normal.

    Examples
    --------
    >>> two = NormalMixture(np.array([0.5, 0.5]), np.array([-0.9, 0.9]), 0.19)
    >>> found = sum_density(two, np.array([0.8, 0.6]), 0.0)
    >>> found.centres.round(2), round(found.variance, 2)
    (array([-1.26, -0.18,  0.18,  1.26]), 0.19)
    """
    largest = np.argsort(-np.abs(load), kind="stable")
    kept = int(np.log(MAX_COMPONENTS) / np.log(max(len(mixture.weights), 2)))
    weights, centres = np.ones(1), np.zeros(1)
    for coefficient in load[largest[:kept]]:
        if abs(coefficient) > 10.0**-DIGITS:
            weights = np.outer(weights, mixture.weights).ravel()
            centres = np.add.outer(centres, coefficient * mixture.centres).ravel()
    within = mixture.variance * (load[largest[:kept]] ** 2).sum()
    total = 1.0 if not load.size else float((load**2).sum())
    return NormalMixture(weights, centres, float(within + total - (load[largest[:kept]] ** 2).sum() + spread))


def _groups(
    original: Microdata, masked: Microdata, strata: tuple[str, ...], before: FloatMatrix, after: FloatMatrix
) -> tuple[CodeColumn, CodeColumn]:
    """Return for each record of both files the number of its group: one stratum, the same values missing."""
    columns = [np.concatenate(common_codes(original, masked, name)[:2]) for name in strata]
    columns += [np.isnan(np.concatenate(pair)).astype(np.int64) for pair in zip(before.T, after.T, strict=True)]
    numbers = classes_of(np.array(columns)).numbers
    return numbers[: original.n], numbers[original.n :]


def _unit(before: FloatColumn, after: FloatColumn) -> float:
    """Return what masked values are multiples of: 1 where both files are whole, else a power of a tenth, or 0."""
    unit = rounding_unit(after)
    return unit if unit < 1 else float(rounding_unit(before) == 1)
