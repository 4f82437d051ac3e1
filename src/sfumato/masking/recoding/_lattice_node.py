"""One node of a lattice of recodings: its classes, what must be suppressed there, and what is lost."""

from dataclasses import dataclass
from math import prod

import numpy as np

from sfumato.kernels.keys.counting import LARGEST, classes_of
from sfumato.kernels.keys.lattice_classes import (
    NEARLY,
    SAFE,
    codes_at,
    lost_shares,
    merge_parts,
    merge_sizes,
    number_classes_at,
)
from sfumato.masking.recoding._class_model import ClassModel
from sfumato.masking.recoding._key_lattice import KeyLattice, Levels, Parts
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the lattice with what was found there.

    Parameters
    ----------
    levels
        The level of each key.
    parts
        Its classes.
    suppressed
        How many records must be suppressed.
    loss
        The logarithm of 1 + loss, with these records suppressed.
    is_allowed
        Whether so many may be suppressed, and are safe when taken for one class.
    needed, lost
        How many records must be suppressed here and at every finer node, and the shares of each key that go with them.
    """

    levels: Levels
    parts: Parts
    suppressed: int
    loss: float
    is_allowed: bool
    needed: int
    lost: FloatColumn


def node_at(lattice: KeyLattice, model: ClassModel, max_suppressed: int, levels: Levels, finer: Parts) -> Node:
    """Evaluate a node.

    Parameters
    ----------
    lattice, model
        The lattice, and what its classes must be like.
    max_suppressed
        How many records may be suppressed.
    levels
        The level of each key.
    finer
        The classes of a node whose levels are nowhere higher.
    """
    at = np.array(levels, dtype=np.int64)
    _, parts = roll_up(lattice, model, at, finer)
    states = model.states(parts)
    judged = (parts.starts, parts.rows, parts.sizes, lattice.keys, at, lattice.shares)
    needed = lost_shares(states, NEARLY, *judged)
    suppressed = lost_shares(states, SAFE, *judged) if (states == NEARLY).any() else needed
    is_allowed = suppressed[0] <= max_suppressed and suppressed_are_safe(model, parts, states < SAFE)
    if not max_suppressed:  # classes that are all safe stay so when they are joined, whatever the condition
        needed = suppressed
    return Node(
        levels,
        parts,
        int(suppressed[0]),
        lattice.logarithm(levels, suppressed[1:]),
        is_allowed,
        int(needed[0]),
        needed[1:],
    )


def suppressed_records(lattice: KeyLattice, model: ClassModel, levels: Levels) -> Booleans:
    """Tell for each record of the file whether it must be suppressed at a node."""
    numbers, parts = roll_up(lattice, model, np.array(levels, dtype=np.int64), lattice.parts)
    unsafe = np.zeros(len(lattice.keys), dtype=np.bool_)
    unsafe[lattice.parts.rows] = (model.states(parts) < SAFE)[numbers]
    return unsafe[lattice.combinations]


def roll_up(lattice: KeyLattice, model: ClassModel, levels: CodeColumn, finer: Parts) -> tuple[CodeColumn, Parts]:
    """Return the class of each part of a finer node at this one, and the classes."""
    numbers, count = class_numbers(lattice, levels, finer.rows)
    if model.overall.size == 1:
        return numbers, Parts(*merge_sizes(numbers, count, finer.rows, finer.sizes))
    possible = model.overall.size + 1
    return numbers, Parts(*merge_parts(numbers, count, finer.rows, finer.values, finer.sizes, possible))


def class_numbers(lattice: KeyLattice, levels: CodeColumn, rows: CodeColumn) -> tuple[CodeColumn, int]:
    """Return the class of each of some combinations of keys at a node, and how many classes there are."""
    widths = lattice.widths[np.arange(levels.size), levels]
    if prod(widths.tolist()) < LARGEST:
        return number_classes_at(lattice.codes, levels, widths, lattice.keys, rows)
    classes = classes_of(codes_at(lattice.codes, levels, lattice.keys, rows))
    return classes.numbers, classes.count


def suppressed_are_safe(model: ClassModel, parts: Parts, unsafe: Booleans) -> bool:
    """Tell whether the records of unsafe classes, taken for one class, are safe."""
    if not unsafe.any():
        return True
    chosen = np.repeat(unsafe, np.diff(parts.starts))
    sizes = np.bincount(parts.values[chosen], weights=parts.sizes[chosen]).astype(np.int64)
    values = np.flatnonzero(sizes)
    together = Parts(np.array([0, values.size]), np.zeros_like(values), values, sizes[values])
    return bool(model.states(together)[0] == SAFE)
