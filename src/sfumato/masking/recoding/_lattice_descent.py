"""Walk down a lattice of recodings that is too large to be searched: good levels, not certainly the best."""

from sfumato.masking.recoding._class_model import ClassModel
from sfumato.masking.recoding._key_lattice import KeyLattice, Levels
from sfumato.masking.recoding._lattice_node import Node
from sfumato.masking.recoding._lattice_search import EQUAL, Lookout, Optimum


def low_loss(lattice: KeyLattice, model: ClassModel, max_suppressed: int) -> Optimum | None:
    """Return the best levels at the ends of some walks down: one from the top, and one from where each key is lowest.

    Nothing is returned where not even the top is allowed.
    """
    lookout = Lookout(lattice, model, max_suppressed)
    top = lookout.look_at(lattice.top)
    if top.is_allowed:
        for start in [top, *(lowest_in(lookout, top, key) for key in range(len(top.levels)))]:
            walk_down(lookout, start)
    return lookout.optimum(is_optimal=lattice.nodes == 1)


def walk_down(lookout: Lookout, node: Node) -> Node:
    """Return the node at the end of a walk, each step to the neighbour that loses least.

    A neighbour is one level lower in one key; where none of these loses less, it may be one level higher in another.
    """
    top = lookout.lattice.top
    while True:
        near = best_of(lookout, lower_neighbours(node.levels), node) or best_of(
            lookout, exchange_neighbours(node.levels, top), node
        )
        if near is None:
            return node
        node = near


def best_of(lookout: Lookout, near: list[Levels], node: Node) -> Node | None:
    """Return the one of some nodes that loses least, if that is less than a node does."""
    promising = [levels for levels in near if lookout.generalisation(levels) < node.loss]
    found = [found for found in map(lookout.look_at, promising) if found.is_allowed and found.loss < node.loss - EQUAL]
    return min(found, key=lambda found: found.loss, default=None)


def lowest_in(lookout: Lookout, node: Node, key: int) -> Node:
    """Return the node that is reached by lowering one key as far as is allowed at every step."""
    while node.levels[key]:
        lower = lookout.look_at(_move(node.levels, {key: -1}))
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
