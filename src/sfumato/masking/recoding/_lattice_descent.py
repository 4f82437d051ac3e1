"""Walk down a lattice of recodings that is too large to be searched: good levels, not certainly the best."""

from sfumato.masking.recoding._class_model import ClassModel
from sfumato.masking.recoding._key_lattice import KeyLattice, Levels
from sfumato.masking.recoding._lattice_node import Node
from sfumato.masking.recoding._lattice_search import EQUAL, NodeEvaluator, Optimum


def low_loss(lattice: KeyLattice, model: ClassModel, max_suppressed: int) -> Optimum | None:
    """Return the best levels at the ends of some walks down: one from the top, and one from where each key is lowest.

    Nothing is returned where not even the top is allowed.
    """
    evaluator = NodeEvaluator(lattice, model, max_suppressed)
    top = evaluator.look_at(lattice.top)
    if top.is_allowed:
        for start in [top, *(lowest_in(evaluator, top, key) for key in range(len(top.levels)))]:
            walk_down(evaluator, start)
    return evaluator.optimum(is_optimal=lattice.nodes == 1)


def walk_down(evaluator: NodeEvaluator, node: Node) -> Node:
    """Return the node at the end of a walk, each step to the neighbour that loses least.

    A neighbour is one level lower in one key; where none of these loses less, it may be one level higher in another.
    """
    top = evaluator.lattice.top
    while True:
        near = best_of(evaluator, lower_neighbours(node.levels), node) or best_of(
            evaluator, exchange_neighbours(node.levels, top), node
        )
        if near is None:
            return node
        node = near


def best_of(evaluator: NodeEvaluator, near: list[Levels], node: Node) -> Node | None:
    """Return the best of some nodes, if it loses less than `node`."""
    promising = [levels for levels in near if evaluator.generalisation(levels) < node.loss]
    better = [other for other in map(evaluator.look_at, promising) if other.is_allowed]
    better = [other for other in better if other.loss < node.loss - EQUAL]
    return min(better, key=lambda other: other.loss, default=None)


def lowest_in(evaluator: NodeEvaluator, node: Node, key: int) -> Node:
    """Return the node that is reached by lowering one key as far as is allowed at every step."""
    while node.levels[key]:
        lower = evaluator.look_at(_move(node.levels, {key: -1}))
        if not lower.is_allowed:
            break
        node = lower
    return node


def lower_neighbours(levels: Levels) -> list[Levels]:
    """Return the nodes that are one level lower in one key.

    Examples
    --------
    >>> lower_neighbours((2, 0, 1))
    [(1, 0, 1), (2, 0, 0)]
    """
    return [_move(levels, {key: -1}) for key, level in enumerate(levels) if level > 0]


def exchange_neighbours(levels: Levels, top: Levels) -> list[Levels]:
    """Return the nodes that are one level lower in one key and one higher in another.

    Examples
    --------
    >>> exchange_neighbours((2, 0), (2, 1))
    [(1, 1)]
    """
    lower = [key for key, level in enumerate(levels) if level > 0]
    higher = [key for key, level in enumerate(levels) if level < top[key]]
    return [_move(levels, {down: -1, up: 1}) for down in lower for up in higher if down != up]


def _move(levels: Levels, steps: dict[int, int]) -> Levels:
    return tuple(level + steps.get(key, 0) for key, level in enumerate(levels))
