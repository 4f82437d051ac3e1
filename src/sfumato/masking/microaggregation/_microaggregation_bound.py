"""How far a microaggregation in groups of at least three may be from the optimum."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.errors import DataError
from sfumato.kernels.microaggregation.group_pricing import cheapest_triples
from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

GROUP_SIZE = 3
MAX_RECORDS = 2000
NEAREST = 8  # the triples that a record makes with these are there from the start

Members = tuple[int, ...]


class Bound(NamedTuple):
    """What groups cost, what any groups cost at least, and the difference.

    Parameters
    ----------
    sse
        The sum of the squared distances of the records from the means of their groups.
    bound
        A number that this sum is not below for any groups of at least three records.
    gap
        The difference in percent of `sse`: better groups would save at most so much.
    """

    sse: float
    bound: float
    gap: float


def microaggregation_bound(points: FloatMatrix, groups: CodeColumn, rounds: int = 30) -> Bound:
    """Return the loss of groups of at least three records, and a bound below the loss of all such groups.

    Parameters
    ----------
    points
        Standardised records without missing values, shape (n, d), at most 2000.
    groups
        The group number of each, groups of at least 3 records.
    rounds
        How often to improve the bound at most; it holds whenever it stops.

    Notes
    -----
    To choose groups that hold each record once is a set partitioning problem. Its linear relaxation is solved by column
    generation; the dual values say what each record is worth, and their sum is a bound when no group costs less than
    its members are worth. Of groups of three or more only the triples need be looked at (see `cheapest_triples`), and
    all of them are. Where a triple is still cheaper by some excess, a third of it is taken off the worth of each of its
    members, so that the sum is a bound before the last round too.

    Examples
    --------
    >>> records = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    >>> microaggregation_bound(records, np.array([0, 0, 0, 1, 1, 1]))
    Bound(sse=4.0, bound=4.0, gap=0.0)
    """
    _check(points, groups)
    distances = _squared_distances(points)
    known = {tuple(np.flatnonzero(groups == number).tolist()) for number in np.unique(groups)}
    sse = sum(_cost(distances, members) for members in known)
    near = nearest_others(points, NEAREST)
    known |= {tuple(sorted((row, *pair))) for row in range(len(points)) for pair in combinations(near[row].tolist(), 2)}
    bound = 0.0
    for _ in range(rounds):
        worths = _dual_values(distances, sorted(known), len(points))
        excess, others = cheapest_triples(distances, worths)
        bound = max(bound, float((worths + excess / GROUP_SIZE).sum()))
        cheaper = np.flatnonzero(others[:, 0] >= 0)
        found = {tuple(sorted((int(row), *others[row].tolist()))) for row in cheaper}
        if found <= known or _gap(sse, bound) < 1e-6:
            break
        known |= found
    bound = min(bound, sse)  # above it only by rounding
    return Bound(sse, bound, _gap(sse, bound))


def _dual_values(distances: FloatMatrix, known: list[Members], n: int) -> FloatColumn:
    """Return the dual values of the records when groups are chosen from those known, parts of groups allowed."""
    from scipy.optimize import linprog
    from scipy.sparse import csc_array

    sizes = [len(members) for members in known]
    records = np.concatenate(known)
    held = csc_array((np.ones(records.size), records, np.concatenate([[0], np.cumsum(sizes)])), shape=(n, len(known)))
    costs = [_cost(distances, members) for members in known]
    solved = linprog(costs, A_eq=held, b_eq=np.ones(n), method="highs-ds")
    return np.asarray(solved.eqlin.marginals, dtype=np.float64)


def _cost(distances: FloatMatrix, members: Members) -> float:
    return float(distances[np.ix_(members, members)].sum() / 2 / len(members))


def _gap(sse: float, bound: float) -> float:
    return 100 * (sse - bound) / sse if sse > 0 else 0.0


def _squared_distances(points: FloatMatrix) -> FloatMatrix:
    total = np.zeros((len(points), len(points)))
    for column in points.T:
        total += (column[:, None] - column) ** 2
    return total


def _check(points: FloatMatrix, groups: CodeColumn) -> None:
    if len(points) > MAX_RECORDS:
        raise DataError(
            f"microaggregation_bound takes at most {MAX_RECORDS} records; got {len(points)}: take a stratum or a sample"
        )
    if np.unique(groups, return_counts=True)[1].min(initial=GROUP_SIZE) < GROUP_SIZE:
        raise DataError("microaggregation_bound needs groups of at least 3 records; some are smaller: group with k = 3")
    if not len(points) or np.isnan(points).any():
        raise DataError("microaggregation_bound needs records without missing values; leave out those that have some")
