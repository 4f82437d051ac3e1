"""Groups whose means are released: who can be in them, as only few sets of originals have just that mean.

Microaggregation of all records can be run again. Of a sample it cannot, as nobody knows who was drawn; but the means
have many digits, and of the originals that are likely members of a group few sets of its size come to them. Members
of a group lack the same values, so that those whose values are missing elsewhere are left out.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.data import METRIC, Microdata
from sfumato.intruder.pair_scores import log_likelihoods, places
from sfumato.intruder.shadow_masking import Shadow
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Transitions

LIKELY = {2: 400, 3: 120, 4: 60, 5: 40, 6: 30}  # originals of which sets are made, by the size of the set
MAX_CELLS = 5_000_000  # originals x groups
MAX_SETS = 500  # that come to a mean: with more nothing is told
ELSE = 1e-6  # how likely an original in none of the sets is beside one that is: those looked at may lack the right one
MOSTLY = 0.9  # of the groups of a file whose truth is known must have the means of their members
CLOSE = 1e-9  # of the largest value: means that are so near are the same
NEAR = 0.1  # of the deviation of a column: released values that are farther off are no rounded means


def group_likelihood(
    original: Microdata, masked: Microdata, names: tuple[str, ...], shadow: Shadow, learnt: Likelihood
) -> Likelihood:
    """Return what the means of groups tell beyond a learnt likelihood; nothing where values are no means of groups.

    Parameters
    ----------
    original, masked
        The two files.
    names
        The columns that one step masks together.
    shadow
        A file that the intruder masked.
    learnt
        The likelihood of the masked records by which the likely members of a group are found.
    """
    files = (original, masked, shadow.data)
    if any(file.schema[name].kind not in METRIC for file in files for name in names):
        return ()
    before, after, example = (file.matrix(names) for file in files)
    tolerances = _tolerances(before[shadow.rows], example)
    if tolerances is None:
        return ()
    groups = _equal_records(after)
    first = np.unique(groups, return_index=True)[1]
    if len(first) * original.n > MAX_CELLS:
        return ()
    likely = _likely_members(learnt, original.n, masked.n, first)
    sizes = np.bincount(groups)
    matrix = np.ones((original.n, len(first)))
    for number, size in enumerate(sizes.tolist()):
        if size in LIKELY:
            mean = after[first[number]]
            has_value = ~np.isnan(mean)
            members = likely[number]
            lacks_the_same = (np.isnan(before[members]) != has_value).all(axis=1)
            members = members[lacks_the_same][: LIKELY[size]]
            found = sets_with_mean(before[members][:, has_value], mean[has_value], size, tolerances[has_value])
            if 0 < len(found) <= MAX_SETS:
                shares = np.bincount(found.ravel(), minlength=len(members)) / len(found)
                matrix[:, number] = ELSE
                matrix[members, number] = np.maximum(shares, ELSE)
    if (matrix == 1.0).all():
        return ()
    codes = np.arange(original.n, dtype=np.float64), groups.astype(np.float64)
    return (Coordinate(*codes, Transitions(matrix), is_exact=False),)


def sets_with_mean(values: FloatMatrix, mean: FloatColumn, size: int, tolerances: FloatColumn) -> CodeMatrix:
    """Return the sets of so many records whose mean is the given one in all columns (sets x records).

    Half of each set is looked up among the sums of the other halves, column by column.

    Examples
    --------
    >>> values = np.array([[1.0, 5.0], [2.0, 7.0], [6.0, 0.0], [3.0, 3.0]])
    >>> sets_with_mean(values, np.array([3.0, 4.0]), 3, np.array([1e-9, 1e-9]))
    array([[0, 1, 2]])
    """
    if len(values) < size or not len(mean):
        return np.empty((0, size), dtype=np.int64)
    halves = _Sums.of(values, size // 2), _Sums.of(values, size - size // 2)
    finest = int(np.argmax(values.std(axis=0) / np.maximum(tolerances, 1e-300)))
    wanted, spare = size * mean, size * tolerances
    order = np.argsort(halves[1].totals[:, finest], kind="stable")
    rising = halves[1].totals[order, finest]
    left = wanted[finest] - halves[0].totals[:, finest]
    low = np.searchsorted(rising, left - spare[finest], side="left")
    high = np.searchsorted(rising, left + spare[finest], side="right")
    counts = high - low
    one = np.repeat(np.arange(len(counts)), counts)
    other = order[np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(low, counts)]
    fits = (np.abs(halves[0].totals[one] + halves[1].totals[other] - wanted) <= spare).all(axis=1)
    sets = np.sort(np.column_stack([halves[0].members[one[fits]], halves[1].members[other[fits]]]), axis=1)
    sets = sets[(np.diff(sets, axis=1) > 0).all(axis=1)]
    return np.unique(sets, axis=0)


@dataclass(frozen=True, eq=False)
class _Sums:
    """All sets of so many records, and the sums of their values."""

    members: CodeMatrix
    totals: FloatMatrix

    @classmethod
    def of(cls, values: FloatMatrix, size: int) -> "_Sums":
        members = np.array(list(combinations(range(len(values)), size)), dtype=np.int64)
        return cls(members, values[members].sum(axis=1))


def _equal_records(matrix: FloatMatrix) -> CodeColumn:
    codes = [np.unique(column, return_inverse=True)[1] for column in matrix.T]
    return classes_of(np.array(codes, dtype=np.int64)).numbers


def _tolerances(before: FloatMatrix, after: FloatMatrix) -> FloatColumn | None:
    """Return how far equal records lie from the means of those they come from; none where these are no means.

    Rounding after microaggregation leaves them near, noise does not.
    """
    groups = _equal_records(after)
    counts = np.bincount(groups)
    first = np.unique(groups, return_index=True)[1]
    shared = counts > 1
    if counts[shared].sum() <= MOSTLY * len(groups):
        return None
    means = np.column_stack([np.bincount(groups, column) for column in before.T]) / counts[:, None]
    both_lack = np.isnan(means) & np.isnan(after[first])
    apart = np.where(both_lack, 0.0, np.abs(means - after[first]))[shared]
    has_values = np.where(np.isnan(before).all(axis=0), 0.0, before)
    near = np.asarray((apart <= NEAR * np.nanstd(has_values, axis=0)).all(axis=1))
    if near.mean() <= MOSTLY:
        return None
    found: FloatColumn = apart[near].max(axis=0) * (1 + CLOSE) + CLOSE * np.nanmax(np.abs(has_values), axis=0)
    return found


def _likely_members(likelihood: Likelihood, originals: int, masked: int, records: Rows) -> CodeMatrix:
    """Return the likeliest originals of some records, the likeliest first."""
    before, after = places(likelihood, originals, masked)
    count = min(max(LIKELY.values()), originals)
    found = np.empty((len(records), count), dtype=np.int64)
    for number, record in enumerate(records):
        scores = log_likelihoods(likelihood, before, after[[record]], np.arange(originals)[None, :])[0]
        found[number] = np.argsort(-scores, kind="stable")[:count]
    return found
