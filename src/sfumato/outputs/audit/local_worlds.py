"""Worlds near the real one: whole numbers of records moved between few atoms, so that every shown figure stays."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.numerics.highs import Options, has_solution, load_model, make_model, unknowns_of
from sfumato.tables.problem.local_programme import LocalProgramme, Tied

WHOLE_NUMBER = 1e-6  # a count this near to a whole number is one
FIRST_NEIGHBOURS = 120  # atoms of the first programme
NEIGHBOURS_FACTOR = 4  # by which the next one is larger where one does not do
MAX_NEIGHBOURS = 1280  # atoms of the largest; what it does not settle counts as not protected
DONORS = 2  # one of so many of them is taken for what it shares with the group
MAX_NODES = 100  # of a search in whole numbers
MOVE_PRICE = 0.01  # of what another group gains that is short of records too
LINEAR: Options = {"presolve": "off", "solver": "simplex"}
INTEGER: Options = {"mip_max_nodes": MAX_NODES, "mip_rel_gap": np.inf}


class Moved(NamedTuple):
    """Atoms that have other counts than in reality, and by how many records they differ."""

    atoms: Rows
    records: FloatColumn


class LocalWorlds:
    """Finds worlds that a reader cannot tell from the real one and that differ from it around one group only.

    Atoms are near to a group when they lie in many cells with it. Only the nearest move records; all figures that they
    lie in must stay as they are shown. Every world is checked by additions before it counts.

    Parameters
    ----------
    sets
        The sparse 0/1 matrix of the figures that are known (figures x atoms).
    lower, upper
        The bounds of the figures.
    sizes
        The records of each atom in reality.
    """

    def __init__(self, sets: Any, lower: FloatColumn, upper: FloatColumn, sizes: FloatColumn) -> None:
        from scipy.sparse import csr_array, hstack

        figures = np.asarray(sets @ sizes)
        loose = np.flatnonzero(lower < upper)
        slack = csr_array((-np.ones(loose.size), (loose, np.arange(loose.size))), shape=(sets.shape[0], loose.size))
        self._sets = sets.tocsr()
        self._by_atom = sets.tocsc()
        self._rests = lower - figures, upper - figures
        self._slack_of = np.full(sets.shape[0], -1)
        self._slack_of[loose] = sizes.size + np.arange(loose.size)
        self._sizes = sizes
        self._weights = sizes / (sizes + 1.0)
        self._degrees = np.diff(self._by_atom.indptr).astype(np.float64)
        self._room_above = np.concatenate([np.full(sizes.size, sizes.sum()), (upper - figures)[loose]])
        self._room_below = np.concatenate([sizes, (figures - lower)[loose]])
        relations = hstack([sets, slack]).tocsr()
        self._programme = LocalProgramme(relations, LINEAR)
        self._free = np.zeros(relations.shape[1])

    def move(self, group: Rows, records: float, wanted: FloatColumn) -> Moved | None:
        """Return a world in which a group has so many records more, or less where negative; None if none is found.

        Parameters
        ----------
        group
            Its atoms.
        records
            How many records more it must have at least.
        wanted
            For each atom how many records more would be welcome beside that.
        """
        most = FIRST_NEIGHBOURS
        if records < 0 and self._sizes[group].sum() < -records:
            return None
        while True:
            near, is_all = self._near(group, most)
            found, is_possible = self._search(group, records, wanted, near)
            if found is not None or is_all or most >= MAX_NEIGHBOURS:
                return found
            if not is_possible and not self._is_open_outside(group, records, near):
                return None
            most *= NEIGHBOURS_FACTOR

    def _near(self, group: Rows, most: int) -> tuple[Rows, bool]:
        """Return the atoms around a group, and whether there are no others.

        First come those that share the most figures with it, the largest of them; then those that lie in as few other
        figures as possible, so that what moves between them stays among them.
        """
        donors = self._first(group, self._sharing(self._lines(group)) + self._weights, max(most // DONORS, 1))
        covered = self._lines(donors)
        inside = self._sharing(covered)
        around = np.flatnonzero(inside)
        if around.size == self._sizes.size <= most:
            return self._with_slack(around), True
        return self._with_slack(self._first(donors, np.where(inside > 0, inside - self._degrees, -np.inf), most)), False

    def _lines(self, atoms: Rows) -> Rows:
        """Return the figures that atoms lie in."""
        return np.unique(_entries(self._by_atom, atoms))

    def _sharing(self, lines: Rows) -> FloatColumn:
        """Return for each atom in how many of some figures it lies."""
        return np.bincount(_entries(self._sets, lines), minlength=self._sizes.size).astype(np.float64)

    def _first(self, atoms: Rows, scores: FloatColumn, most: int) -> Rows:
        """Return atoms and others of the highest scores, so many in all, ascending."""
        scores = scores.copy()
        scores[atoms] = np.inf
        among = np.flatnonzero(scores > -np.inf)
        if among.size > most:
            among = among[np.argpartition(-scores[among], most - 1)[:most]]
        return np.sort(among)

    def _with_slack(self, atoms: Rows) -> Rows:
        """Return atoms and the room that the bounds of their figures leave."""
        if (self._slack_of < 0).all():
            return atoms
        slack = self._slack_of[self._lines(atoms)]
        return np.concatenate([atoms, slack[slack >= 0]])

    def _search(self, group: Rows, records: float, wanted: FloatColumn, near: Rows) -> tuple[Moved | None, bool]:
        """Return a world that moves only near atoms, and whether there is one in fractions of records."""
        tied = self._programme.tied(self._free, near, with_outside=False)
        is_target = np.isin(tied.cells, group)
        if not is_target.any():
            return None, False
        more = np.where(tied.cells < self._sizes.size, np.append(wanted, 0.0)[np.minimum(tied.cells, wanted.size)], 0.0)
        is_possible = False
        for welcome in (more, np.zeros(more.size)) if more.any() else (more,):
            moves = self._solve(tied, is_target, records, welcome)
            if moves is None:
                return None, False
            is_possible = True
            found = self._whole(tied.cells, moves)
            if found is not None:
                return found, True
        return self._whole(tied.cells, self._solve_whole(tied, is_target, records)), is_possible

    def _is_open_outside(self, group: Rows, records: float, near: Rows) -> bool:
        """Tell whether a group could move if all atoms but the near ones did as they like."""
        tied = self._programme.tied(self._free, near, with_outside=True)
        is_target = np.isin(tied.cells, group)
        return bool(is_target.any()) and self._solve(tied, is_target, records, np.zeros(tied.cells.size)) is not None

    def _solve(self, tied: Tied, is_target: Booleans, records: float, welcome: FloatColumn) -> FloatColumn | None:
        """Return moves by the solver, in fractions; what is welcome elsewhere is gained as far as it can be."""
        above, below = self._room_above[tied.cells], self._room_below[tied.cells]
        gains = welcome > 0
        above = np.where(gains, np.minimum(above, welcome), above)
        costs = np.concatenate([np.where(gains, -1.0, MOVE_PRICE), np.full(above.size, MOVE_PRICE)])
        highest = np.concatenate([above, below])
        asked = _with_target(tied, is_target)
        return self._programme.moves(costs, np.zeros(costs.size), highest, asked, _ends(tied.lines, records))

    def _solve_whole(self, tied: Tied, is_target: Booleans, records: float) -> FloatColumn | None:
        """Return moves in whole numbers by a short search."""
        from scipy.sparse import csc_array

        above, below = self._room_above[tied.cells], self._room_below[tied.cells]
        asked = _with_target(tied, is_target)
        rows = csc_array((asked.signs, asked.rows, asked.starts), shape=(asked.lines, above.size))
        is_whole = np.full(above.size, True)
        model = make_model(rows, np.zeros(above.size), -below, above, *_ends(tied.lines, records), is_whole=is_whole)
        solver = load_model(INTEGER, model)
        solver.run()
        return unknowns_of(solver) if has_solution(solver) else None

    def _whole(self, cells: Rows, moves: FloatColumn | None) -> Moved | None:
        """Return moves if they are whole numbers and every figure stays in its bounds; the solver is not believed."""
        if moves is None:
            return None
        records = np.rint(moves)
        if np.abs(moves - records).max(initial=0.0) > WHOLE_NUMBER:
            return None
        is_moved = (records != 0) & (cells < self._sizes.size)
        atoms, records = cells[is_moved], records[is_moved]
        if (self._sizes[atoms] + records < 0).any():
            return None
        rests = self._by_atom[:, atoms] @ records
        is_kept = (rests >= np.minimum(self._rests[0], 0.0)) & (rests <= np.maximum(self._rests[1], 0.0))
        return Moved(atoms, records) if is_kept.all() else None


def _entries(matrix: Any, places: Rows) -> Rows:
    """Return the entries of some lines of a sparse matrix, one after the other."""
    starts, sizes = matrix.indptr[places], matrix.indptr[places + 1] - matrix.indptr[places]
    shifts = np.repeat(starts - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    entries: Rows = matrix.indices[shifts + np.arange(shifts.size)]
    return entries


def _with_target(tied: Tied, is_target: Booleans) -> Tied:
    """Return the relations of some cells, and a last one that adds up those that are asked for."""
    ends = tied.starts[np.flatnonzero(is_target) + 1]
    starts = tied.starts + np.concatenate([[0], np.cumsum(is_target)])
    rows, signs = np.insert(tied.rows, ends, tied.lines), np.insert(tied.signs, ends, 1.0)
    return Tied(tied.cells, starts.astype(np.int32), rows, signs, tied.lines + 1)


def _ends(lines: int, records: float) -> tuple[FloatColumn, FloatColumn]:
    """Return between what moves add up to: to nothing, and last to so many records, or more of the same sign."""
    last = (records, np.inf) if records > 0 else (-np.inf, records)
    return np.append(np.zeros(lines), last[0]), np.append(np.zeros(lines), last[1])
