"""Outputs as a suppression problem of tables: atoms, shown figures and unsafe groups are its cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.small_groups import hashes
from sfumato.outputs.facts import Facts
from sfumato.tables import Problem

if TYPE_CHECKING:
    from sfumato.outputs.audit.measures import Demands, Measure


@dataclass(frozen=True, eq=False)
class Programme:
    """A suppression problem whose cells are atoms, known figures, figures to decide on, and unsafe groups.

    Parameters
    ----------
    problem
        The problem.
    candidates
        The cells of the problem that are figures to decide on.
    primaries
        For each demand its cell in the problem.
    """

    problem: Problem
    candidates: Rows
    primaries: Rows

    def suppressed(self, hidden: Booleans | None = None) -> Booleans:
        """Return the pattern that hides some of the figures to decide on; all others are shown."""
        pattern = self.problem.must_suppress.copy()
        if hidden is not None:
            pattern[self.candidates] = hidden
        return pattern


def build_programme(
    measure: "Measure",
    facts: Sequence[Facts],
    atoms: Atoms,
    demands: "Demands",
    candidates: Any = None,
    must_hide: Booleans | None = None,
    costs: FloatColumn | None = None,
) -> Programme:
    """Return the problem of a measure.

    Parameters
    ----------
    measure
        What the figures measure.
    facts
        The outputs that are out already, or all of them.
    atoms
        The atoms.
    demands
        What readers must be kept from.
    candidates
        The sets of atoms whose figures may be shown or hidden (a sparse 0/1 matrix); none when not given.
    must_hide, costs
        For each of them whether it must be hidden, and what hiding it costs.
    """
    from scipy.sparse import csr_array, eye_array, hstack, vstack

    known, amounts = measure.known(facts, atoms), measure.amounts(atoms)
    chosen = csr_array((0, atoms.size)) if candidates is None else candidates
    wanted = demands.groups.members
    place = _places_among(hashes(wanted, atoms.marks), hashes(chosen, atoms.marks))
    own = np.flatnonzero(place < 0)
    sets = vstack([known.sets, chosen, wanted[own]]).tocsr()
    first, of_atom = _merge_equal(sets)
    merged = csr_array((np.ones(atoms.size), (of_atom, np.arange(atoms.size))), shape=(first.size, atoms.size))
    parts, figures, size = first.size, known.lower.size, chosen.shape[0]
    relations = hstack([sets[:, first], -eye_array(sets.shape[0])]).tocsr()
    values = np.concatenate([merged @ amounts, sets @ amounts])
    lowest, largest = measure.limits(atoms)
    lower, upper = np.full(values.size, lowest), np.full(values.size, largest)
    is_known = np.arange(parts, parts + figures)
    lower[is_known], upper[is_known] = known.lower, known.upper
    must_suppress = np.ones(values.size, dtype=np.bool_)
    must_suppress[is_known] = ~known.is_exact
    columns = np.arange(parts + figures, parts + figures + size)
    must_suppress[columns] = False if must_hide is None else must_hide
    primaries = np.empty(demands.groups.count, dtype=np.int64)
    primaries[own] = parts + figures + size + np.arange(own.size)
    shared = np.flatnonzero(place >= 0)
    primaries[shared] = columns[place[shared]] if size else 0
    must_suppress[primaries] = True
    must_publish = np.zeros(values.size, dtype=np.bool_)
    must_publish[is_known] = known.is_exact
    price = np.zeros(values.size)
    price[columns] = 1.0 if costs is None else costs
    order = np.argsort(primaries, kind="stable")
    problem = Problem(
        values,
        relations,
        np.minimum(lower, values),
        np.maximum(upper, values),
        price,
        primaries[order],
        demands.above[order],
        demands.below[order],
        demands.width[order],
        must_suppress,
        must_publish,
        names=tuple(f"cell {cell}" for cell in range(values.size)),
    )
    return Programme(problem, columns, primaries)


def _places_among(wanted: Any, chosen: Any) -> Rows:
    """Return for each set where it stands among others; -1 for nowhere."""
    known = {mark: place for place, mark in enumerate(chosen.tolist())}
    return np.array([known.get(mark, -1) for mark in wanted.tolist()], dtype=np.int64)


def _merge_equal(sets: Any) -> tuple[Rows, Rows]:
    """Return one atom of each kind that some set tells from others, and the kind of each atom."""
    marks = np.random.default_rng(sets.shape[0]).integers(1, 2**63, size=sets.shape[0], dtype=np.uint64)
    _, first, place = np.unique(hashes(sets.T.tocsr(), marks), return_index=True, return_inverse=True)
    return first, place
