"""Search a lattice of recodings for the levels that lose least: by bounds, so that few of its nodes are looked at."""

from dataclasses import dataclass
from functools import reduce
from math import expm1, inf

import numpy as np

from sfumato.masking.recoding._class_model import ClassModel
from sfumato.masking.recoding._key_lattice import KeyLattice, Levels, Parts
from sfumato.masking.recoding._lattice_node import Node, node_at
from sfumato.numerics.arrays import FloatColumn, Floats

MAX_NODES = 1_000_000  # beyond so many the bounds of all nodes take too much memory and time
MAX_KEPT = 256  # nodes that are kept to roll others up from
MAX_PARTS = 4_000_000  # and how many parts of classes they may have together
EQUAL = 1e-12  # logarithms of losses that differ by less are the same


@dataclass(frozen=True)
class Optimum:
    """The levels that a search found.

    Parameters
    ----------
    levels
        The level of each key, from 0 for values as they are.
    loss
        The information loss, suppressed records included.
    suppressed
        How many records are suppressed.
    looked_at
        How many nodes had their classes counted.
    is_optimal
        Whether it is certain that no other node loses less.
    """

    levels: Levels
    loss: float
    suppressed: int
    looked_at: int
    is_optimal: bool


class NodeEvaluator:
    """Looks at nodes, rolling up the classes of each from the smallest finer node that is kept."""

    def __init__(self, lattice: KeyLattice, model: ClassModel, max_suppressed: int) -> None:
        self.lattice = lattice
        self.model = model
        self.max_suppressed = max_suppressed
        self.looked_at = 0
        self.best: Node | None = None
        self.steps = [column.tolist() for column in lattice.logarithms(np.zeros(len(lattice.key_levels)))]
        self._kept: list[Parts] = [lattice.parts]
        self._levels = np.zeros((MAX_KEPT, len(lattice.key_levels)), dtype=np.int64)
        self._sizes = np.full(MAX_KEPT, lattice.parts.rows.size)
        self._oldest = 1

    @property
    def least(self) -> float:
        """The logarithm of 1 + the least loss so far."""
        return inf if self.best is None else self.best.loss - EQUAL

    def look_at(self, levels: Levels) -> Node:
        """Evaluate a node, and remember it if it is the best so far."""
        node = node_at(self.lattice, self.model, self.max_suppressed, levels, self._finer(levels))
        self.looked_at += 1
        self._keep(node)
        if node.is_allowed and node.loss < self.least:
            self.best = node
        return node

    def generalisation(self, levels: Levels) -> float:
        """Return the logarithm of 1 + what generalisation alone loses at a node: no node loses less than that."""
        return float(sum(steps[level] for steps, level in zip(self.steps, levels, strict=True)))

    def optimum(self, is_optimal: bool) -> Optimum | None:
        """Return the best node; nothing where none is allowed."""
        if self.best is None:
            return None
        return Optimum(self.best.levels, expm1(self.best.loss), self.best.suppressed, self.looked_at, is_optimal)

    def _finer(self, levels: Levels) -> Parts:
        """Return the classes of the kept node that has the fewest of those that are finer in all keys."""
        count = len(self._kept)
        is_finer = (self._levels[:count] <= np.array(levels)).all(axis=1)
        return self._kept[int(np.where(is_finer, self._sizes[:count], np.iinfo(np.int64).max).argmin())]

    def _keep(self, node: Node) -> None:
        """Keep the classes of a node; the first that are kept, all records, serve every node and stay."""
        place = len(self._kept)
        if place == MAX_KEPT or self._sizes[1:place].sum() > MAX_PARTS:
            place, self._oldest = self._oldest, max(1, (self._oldest + 1) % len(self._kept))
            self._kept[place] = node.parts
        else:
            self._kept.append(node.parts)
        self._levels[place], self._sizes[place] = node.levels, node.parts.rows.size


def least_loss(lattice: KeyLattice, model: ClassModel, max_suppressed: int) -> Optimum | None:
    """Return the levels that lose least of all that are allowed; nothing where none are.

    What generalisation alone loses bounds the loss of each node from below. Records that are unsafe at a node are so
    at every finer one, where they lose no less, which raises the bounds of these; or rules them out, where they are
    too many. The node of the lowest bound is ruled out by one as far above it as possible, or looked at itself.
    """
    evaluator = NodeEvaluator(lattice, model, max_suppressed)
    bounds = outer_sum(lattice.logarithms(np.zeros(len(lattice.key_levels))))
    while bounds.min() < evaluator.least:
        lowest = tuple(int(level) for level in np.unravel_index(bounds.argmin(), bounds.shape))
        chain = chain_above(evaluator, lowest)
        while bounds[lowest] < evaluator.least:
            chain = chain[: max(1, 3 * len(chain) // 4)]
            if bounds[chain[-1]] < inf:  # else it was looked at, and has raised the bounds of those below
                raise_bounds(evaluator, bounds, evaluator.look_at(chain[-1]))
    return evaluator.optimum(is_optimal=True)


def chain_above(evaluator: NodeEvaluator, levels: Levels) -> list[Levels]:
    """Return a node and others above it, each one step up where that loses least, as long as they may be the best."""
    chain, at, top = [levels], list(levels), evaluator.lattice.top
    loss = evaluator.generalisation(levels)
    while True:
        above = [
            (steps[level + 1] - steps[level], key)
            for key, (steps, level) in enumerate(zip(evaluator.steps, at, strict=True))
            if level < top[key]
        ]
        more, key = min(above, default=(inf, 0))
        loss += more
        if not loss < evaluator.least:
            return chain
        at[key] += 1
        chain.append(tuple(at))


def raise_bounds(evaluator: NodeEvaluator, bounds: Floats, node: Node) -> None:
    """Raise the bounds (output) of all nodes that are finer than one that was looked at; its own is done with."""
    finer = tuple(slice(0, level + 1) for level in node.levels)
    if node.needed > evaluator.max_suppressed:
        bounds[finer] = inf
    elif node.needed:
        raised = evaluator.lattice.logarithms(node.lost)
        np.maximum(
            bounds[finer],
            outer_sum([column[: level + 1] for column, level in zip(raised, node.levels, strict=True)]),
            out=bounds[finer],
        )
    bounds[node.levels] = inf


def outer_sum(columns: list[FloatColumn]) -> Floats:
    """Return all sums of one entry from each column, in as many dimensions.

    Examples
    --------
    >>> outer_sum([np.array([1.0, 2.0]), np.array([10.0, 20.0, 30.0])])
    array([[11., 21., 31.],
           [12., 22., 32.]])
    """
    return reduce(np.add.outer, columns)
