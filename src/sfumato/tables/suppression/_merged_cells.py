"""Cells that are always equal made into one: a total with a single part moves as its part does."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression._infeasibility import infeasibility_error
from sfumato.tables.suppression._reach import levels_of


@dataclass(frozen=True, eq=False)
class Merged:
    """A smaller problem, and what its patterns mean in the larger one.

    Parameters
    ----------
    problem
        The problem of groups of equal cells.
    groups
        For each cell of the larger problem its group.
    must_suppress
        The cells of the larger problem that are suppressed whatever happens.
    """

    problem: Problem
    groups: Rows
    must_suppress: Booleans

    def spread(self, suppressed: Booleans) -> Booleans:
        """Return a pattern of the groups as a pattern of the cells."""
        return suppressed[self.groups] | self.must_suppress

    def gather(self, suppressed: Booleans) -> Booleans:
        """Return the groups all of whose cells a pattern suppresses: the others cannot move."""
        return ~_any(self.groups, ~suppressed) | self.problem.must_suppress

    def add_up(self, costs: FloatColumn) -> FloatColumn:
        """Return what suppressing each group costs, given what each cell does."""
        return _add_up(self.groups, np.where(self.must_suppress, 0.0, costs))


def merge_cells(problem: Problem) -> Merged:
    """Return the problem with equal cells made one, and with each relation once.

    A group can move only if all its cells are suppressed; so it costs as much as they do together, and a primary in it
    suppresses them all. An intruder who knows one of its cells knows them all. Cells stay apart where an intruder is
    spared one primary but not another that equals it, as their levels may differ.
    """
    groups = _separate_mixed(problem, _equal_cells(problem.relations))
    count = int(groups.max(initial=-1)) + 1
    primaries, place = np.unique(groups[problem.primaries], return_inverse=True)
    levels = [_largest(part, place) for part in (*levels_of(problem), problem.sliding_levels)]
    _check_intruders(problem, groups)
    must_suppress = ~_any(groups, ~problem.must_suppress)
    must_suppress[primaries[np.stack(levels).any(axis=0)]] = True
    first = np.unique(groups, return_index=True)[1]
    named = first.copy()
    named[groups[problem.primaries]] = problem.primaries
    above, below = np.full(count, np.inf), np.full(count, np.inf)
    np.minimum.at(above, groups, problem.room_above)
    np.minimum.at(below, groups, problem.room_below)
    smaller = Problem(
        values=problem.values[first],
        relations=_merge_relations(problem.relations, groups, count),
        lower=problem.values[first] - below,
        upper=problem.values[first] + above,
        costs=_add_up(groups, np.where(problem.must_suppress, 0.0, problem.costs)),
        primaries=primaries,
        upper_levels=levels[0],
        lower_levels=levels[1],
        sliding_levels=levels[2],
        must_suppress=must_suppress,
        must_publish=_any(groups, problem.must_publish),
        intruders=tuple(np.unique(groups[cells]) for cells in problem.intruders),
        names=tuple(problem.cell_name(int(cell)) for cell in named),
        spared=tuple(np.unique(groups[cells]) for cells in problem.spared),
        only_exact=problem.only_exact,
    )
    return Merged(smaller, groups, problem.must_suppress)


def _equal_cells(relations: Any) -> Rows:
    """Return a group number for each cell; two cells that alone make up a relation, with opposite signs, share one."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    pairs = np.flatnonzero(np.diff(relations.indptr) == 2)
    first, second = relations.indptr[pairs], relations.indptr[pairs] + 1
    equal = relations.data[first] == -relations.data[second]
    ends = relations.indices[first[equal]], relations.indices[second[equal]]
    ties = csr_array((np.ones(ends[0].size), ends), shape=(relations.shape[1], relations.shape[1]))
    groups: Rows = connected_components(ties, directed=False)[1].astype(np.int64)
    return groups


def _separate_mixed(problem: Problem, groups: Rows) -> Rows:
    """Return the groups without those of which an intruder is spared some primaries but not all."""
    of_primaries, splits = groups[problem.primaries], [NOBODY_KNOWS]
    is_shared = np.bincount(of_primaries, minlength=groups.size)[of_primaries] > 1
    of_primaries, primaries = of_primaries[is_shared], problem.primaries[is_shared]
    for intruder, known in enumerate(problem.intruders if problem.spared and primaries.size else ()):
        is_open = np.isin(primaries, problem.open_to(intruder))
        splits.append(np.setdiff1d(np.intersect1d(of_primaries[is_open], of_primaries[~is_open]), groups[known]))
    mixed = np.isin(groups, np.concatenate(splits))
    apart = np.where(mixed, groups.size + np.arange(groups.size), groups)
    numbers: Rows = np.unique(apart, return_inverse=True)[1].astype(np.int64)
    return numbers


def _merge_relations(relations: Any, groups: Rows, count: int) -> Any:
    """Return each relation of groups once; cells of one group in one relation add up, or cancel."""
    from scipy.sparse import csr_array

    cells = groups.size
    gathering = csr_array((np.ones(cells), (np.arange(cells), groups)), shape=(cells, count))
    smaller = csr_array(relations @ gathering)
    smaller.eliminate_zeros()
    smaller.sort_indices()
    lines = zip(smaller.indptr[:-1].tolist(), smaller.indptr[1:].tolist(), strict=True)
    kept: dict[tuple[bytes, bytes], int] = {}
    for line, (start, end) in enumerate(lines):
        if end > start:
            signs = smaller.data[start:end] * np.sign(smaller.data[start])
            kept.setdefault((smaller.indices[start:end].tobytes(), signs.tobytes()), line)
    return smaller[list(kept.values())]


def _check_intruders(problem: Problem, groups: Rows) -> None:
    """Refuse an intruder who knows a cell that equals a primary that they should be kept from."""
    of_primaries = groups[problem.primaries]
    order = np.argsort(of_primaries, kind="stable")
    for intruder, cells in enumerate(problem.intruders):
        ends = (np.searchsorted(of_primaries, groups[cells], side, sorter=order) for side in ("left", "right"))
        same = np.unique([place for first, last in zip(*ends, strict=True) for place in order[first:last].tolist()])
        same = same.astype(np.int64)
        is_asked = problem.levels_for(intruder)[:, same].max(axis=0, initial=0.0) > 0
        open_to = same[is_asked & ~np.isin(problem.primaries[same], problem.open_to(intruder))]
        if open_to.size:
            raise infeasibility_error(problem, int(open_to[0]), intruder)


def _add_up(groups: Rows, costs: FloatColumn) -> FloatColumn:
    """Return the sum of the costs of each group."""
    sums: FloatColumn = np.bincount(groups, weights=costs).astype(np.float64)
    return sums


def _any(groups: Rows, is_so: Booleans) -> Booleans:
    """Return for each group whether it is so for any of its cells."""
    found = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.bool_)
    found[groups[is_so]] = True
    return found


def _largest(levels: FloatColumn, place: Rows) -> FloatColumn:
    """Return the largest level of the primaries of each group."""
    largest = np.zeros(int(place.max(initial=-1)) + 1)
    np.maximum.at(largest, place, levels)
    return largest
