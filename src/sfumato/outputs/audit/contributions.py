"""Who stands behind the sum of a group: its largest contributions, judged by the rules of tables."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.outputs.audit.atoms import Atoms
from sfumato.tables import AnyOf, Dimension, Sensitivity, Table
from sfumato.tables.cells.contributions import NOBODY, Contributions


def unsafe_sums(
    members: Any, atoms: Atoms, values: FloatColumn, is_told: Booleans, rule: AnyOf
) -> tuple[Booleans, FloatColumn]:
    """Return which groups have an unsafe sum, and how far from it a reader must be kept.

    Parameters
    ----------
    members
        The groups, as a sparse 0/1 matrix over the atoms.
    atoms
        The atoms.
    values
        What each record contributes; 0 where it is no part of any sum.
    is_told
        The records that contribute.
    rule
        What makes a sum unsafe.
    """
    kept = max(one.contributions for one in rule.rules)
    largest = _largest_of_atoms(atoms, np.abs(values), is_told, max(kept, 1))
    counts = members @ np.bincount(atoms.of_record[is_told], minlength=atoms.size).astype(np.float64)
    amounts = np.zeros((members.shape[0], max(kept, 1)))
    for group in range(members.shape[0]):
        inside = members.indices[members.indptr[group] : members.indptr[group + 1]]
        amounts[group] = np.sort(largest[inside].reshape(-1))[::-1][: max(kept, 1)]
    totals = np.maximum(members @ atoms.sums(np.abs(values)), amounts.sum(axis=1))
    found = _judge(members @ atoms.sums(values), counts, amounts, totals, rule)
    return found.unsafe, found.levels


def _largest_of_atoms(atoms: Atoms, sizes: FloatColumn, is_told: Booleans, kept: int) -> FloatMatrix:
    """Return the largest contributions of each atom, descending."""
    told = np.flatnonzero(is_told)
    order = told[np.lexsort((-sizes[told], atoms.of_record[told]))]
    owner = atoms.of_record[order]
    rank = np.arange(order.size) - np.searchsorted(owner, owner)
    largest = np.zeros((atoms.size, kept))
    first = rank < kept
    largest[owner[first], rank[first]] = sizes[order[first]]
    return largest


def _judge(
    values: FloatColumn, counts: FloatColumn, amounts: FloatMatrix, totals: FloatColumn, rule: AnyOf
) -> Sensitivity:
    groups = values.size
    dimension = Dimension("group", tuple(range(groups)), ())
    contributions = Contributions(amounts, np.full(amounts.shape, NOBODY), np.ones(amounts.shape), totals)
    table = Table((dimension,), np.arange(groups).reshape(-1, 1), values, counts, "sum", contributions)
    return rule.find(table)
