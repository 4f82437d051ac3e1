"""Covariances where some values are missing."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.numerics.exact_sums import exact_sum
from sfumato.numerics.portable.symmetric import symmetric_inverse

Parts = Callable[[], Iterable[FloatMatrix]]
"""Gives the records of a file (records x columns) as often as it is called, part by part in one order."""

UNFINISHED = 1e-3  # of the way from the complete records to the estimate, after the steps that are taken
MAX_REGRESSIONS = 20_000  # one for each step and pattern of missing values; at least one step is taken
NEGLIGIBLE = 1e-10  # of the variance of a column: a linear relation, which predicts nothing of other columns


def complete_covariances(matrix: FloatMatrix) -> FloatMatrix:
    """Return the covariances of the records that have every value (divisor n - 1), NaN where there are fewer than 2.

    Examples
    --------
    >>> complete_covariances(np.array([[1.0, 0.0], [3.0, 4.0], [9.0, np.nan]]))
    array([[2., 4.], [4., 8.]])
    """
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    if len(complete) < 2:
        return np.full((matrix.shape[1], matrix.shape[1]), np.nan)
    centred = complete - complete.mean(axis=0)
    # einsum adds in one fixed order; a threaded BLAS may not
    return np.asarray(np.einsum("ni,nj->ij", centred, centred) / (len(complete) - 1), dtype=np.float64)


def covariances_of(parts: Parts) -> FloatMatrix:
    """Return the covariances of the records of all parts (divisor n - 1); no value may be missing."""
    rows = sum(len(part) for part in parts())
    means = exact_sum([part.sum(axis=0) for part in parts()]) / rows
    lowest = np.min([part.min(axis=0) for part in parts() if len(part)], axis=0)
    constant = np.max([part.max(axis=0) for part in parts() if len(part)], axis=0) == lowest

    def products(part: FloatMatrix) -> FloatMatrix:
        centred = (part - means).T
        centred[constant] = 0.0  # the mean of equal numbers may differ in the last bit
        # einsum adds in one fixed order; a threaded BLAS may not, and a recipe must give the same bytes everywhere
        return np.asarray(np.einsum("in,jn->ij", centred, centred), dtype=np.float64)

    return exact_sum([products(part) for part in parts()]) / (rows - 1)


def estimated_covariances(matrix: FloatMatrix) -> FloatMatrix:
    """Return the covariances of all records, each value that is missing expected from the others of its record.

    These are steps of the expectation-maximisation algorithm for normal records, from the covariances of the complete
    ones; the divisor is n - 1. Columns without missing values have the covariances that they have on their own. A
    linear relation that every record with its columns keeps has variance 0, as what is expected keeps it too; and only
    such a relation: the records that break it count as they are.

    Parameters
    ----------
    matrix
        The records (records x columns), at least 2 of them complete, each with at least one value.

    References
    ----------
    Little and Rubin (2002), Statistical analysis with missing data, section 11.2.

    Examples
    --------
    >>> matrix = np.array([[1.0, 2.0], [3.0, 6.0], [8.0, np.nan]])  # the second column is twice the first
    >>> estimated_covariances(matrix).round(9)
    array([[13., 26.], [26., 52.]])
    """
    return estimated_covariances_of(lambda: [matrix])


def estimated_covariances_of(parts: Parts) -> FloatMatrix:
    """Return the covariances of the records of all parts, as `estimated_covariances` has them."""
    means, scales = _means_and_scales(parts)
    units = np.where(scales > 0, scales, 1.0)
    facts = _gather_patterns(lambda: ((part - means) / units for part in parts()))
    covariance = _maximise_likelihood(facts)
    varies = scales > 0
    return np.asarray(covariance * np.outer(units * varies, units * varies), dtype=np.float64)


@dataclass(frozen=True)
class _Patterns:
    """The records by which of their values are known: what the estimate needs of them.

    Parameters
    ----------
    known
        The patterns (patterns x columns), 1 where a value is known.
    counts, sums, squares
        Of the records of each pattern: how many, the sums of their values and of the products of these, 0 for missing.
    means, covariance
        Those of the complete records.
    """

    known: FloatMatrix
    counts: FloatColumn
    sums: FloatMatrix
    squares: FloatMatrix
    means: FloatColumn
    covariance: FloatMatrix

    @property
    def records(self) -> int:
        return int(self.counts.sum())

    @property
    def incomplete(self) -> float:
        """The share of records that lack a value."""
        return float(self.counts[~self.known.all(axis=1)].sum() / self.records)


def _means_and_scales(parts: Parts) -> tuple[FloatColumn, FloatColumn]:
    """Return the means and the standard deviations of the columns (divisor n), each of its known values."""
    counts = np.sum([(~np.isnan(part)).sum(axis=0) for part in parts()], axis=0)
    means = exact_sum([_without_gaps(part).sum(axis=0) for part in parts()]) / counts
    squares = exact_sum([(_without_gaps(part - means) ** 2).sum(axis=0) for part in parts()])
    lowest = np.nanmin([np.fmin.reduce(part, axis=0, initial=np.inf) for part in parts()], axis=0)
    highest = np.nanmax([np.fmax.reduce(part, axis=0, initial=-np.inf) for part in parts()], axis=0)
    constant = highest == lowest  # or a rounding error would pass for a relation to other columns
    return np.where(constant, lowest, means), np.where(constant, 0.0, np.sqrt(squares / counts))


def _without_gaps(part: FloatMatrix) -> FloatMatrix:
    filled = part.copy(order="K")
    filled[np.isnan(part)] = 0.0
    return filled


def _gather_patterns(parts: Parts) -> _Patterns:
    counts: dict[tuple[bool, ...], int] = defaultdict(int)
    sums, squares = (
        defaultdict[tuple[bool, ...], list[FloatColumn]](list),
        defaultdict[tuple[bool, ...], list[FloatMatrix]](list),
    )
    whole: list[FloatColumn] = []
    for part in parts():
        for pattern, group in _groups(part):
            counts[pattern] += len(group)
            sums[pattern].append(group.sum(axis=0))
            squares[pattern].append(np.einsum("ni,nj->ij", group, group))
        whole.append(part[_complete(part)].sum(axis=0))
    patterns = sorted(counts)
    complete = sum(int(_complete(part).sum()) for part in parts())
    means = exact_sum(whole) / complete

    def products(part: FloatMatrix) -> FloatMatrix:
        centred = part[_complete(part)] - means
        return np.asarray(np.einsum("ni,nj->ij", centred, centred), dtype=np.float64)

    return _Patterns(
        np.array(patterns, dtype=np.float64),
        np.array([counts[pattern] for pattern in patterns], dtype=np.float64),
        np.array([exact_sum(sums[pattern]) for pattern in patterns]),
        np.array([exact_sum(squares[pattern]) for pattern in patterns]),
        means,
        exact_sum([products(part) for part in parts()]) / (complete - 1),
    )


def _complete(part: FloatMatrix) -> Booleans:
    return np.asarray(~np.isnan(part).any(axis=1), dtype=np.bool_)


def _groups(part: FloatMatrix) -> Iterable[tuple[tuple[bool, ...], FloatMatrix]]:
    """Yield each pattern of known values with its records, their gaps as 0."""
    if not len(part):
        return
    patterns, numbers = np.unique(~np.isnan(part), axis=0, return_inverse=True)
    filled = np.where(np.isnan(part), 0.0, part)
    groups = np.split(filled[np.argsort(numbers, kind="stable")], np.cumsum(np.bincount(numbers))[:-1])
    yield from zip(map(tuple, patterns.tolist()), groups, strict=True)


def _maximise_likelihood(facts: _Patterns) -> FloatMatrix:
    """Return the covariances after the steps that are taken from those of the complete records."""
    known, counts, sums, n = facts.known, facts.counts, facts.sums, facts.records
    means, covariance = facts.means, facts.covariance
    for _ in range(_steps(facts.incomplete, len(known))):
        slopes, left = _regressions(covariance, known)
        centres = known * means
        crossed = np.einsum("pi,pj->pij", sums, centres)
        about = facts.squares - crossed - crossed.transpose(0, 2, 1)
        about += np.einsum("p,pi,pj->pij", counts, centres, centres)
        scatter = np.einsum("pib,pjb->ij", np.einsum("pia,pab->pib", slopes, about), slopes)
        shift = np.einsum("pia,pa->i", slopes, sums - counts[:, None] * centres) / n
        scatter += np.einsum("p,pij->ij", counts, left) - n * np.outer(shift, shift)
        means, covariance = means + shift, (scatter + scatter.T) / 2 / (n - 1)
    return covariance


def _steps(incomplete: float, patterns: int) -> int:
    """Return the number of steps, each of which leaves at most the share of incomplete records of the way to go."""
    return min(int(np.ceil(np.log(UNFINISHED) / np.log(incomplete))), max(MAX_REGRESSIONS // patterns, 1))


def _regressions(covariance: FloatMatrix, known: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return for each pattern of known columns what they let expect of all, and the covariance that is left.

    Returns
    -------
    The slopes (patterns x columns x known columns): known columns are themselves, and slopes on others are 0; and the
    residual covariance of the missing columns, 0 for known ones.
    """
    missing = 1 - known
    inverse = symmetric_inverse(covariance * known[:, :, None] * known[:, None, :], NEGLIGIBLE)
    inverse *= known[:, :, None] * known[:, None, :]
    slopes = missing[:, :, None] * np.einsum("ij,pjk->pik", covariance, inverse)
    left = covariance - np.einsum("pik,kj->pij", slopes, covariance)
    left *= missing[:, :, None] * missing[:, None, :]
    return slopes + known[:, :, None] * np.eye(len(covariance)), left
