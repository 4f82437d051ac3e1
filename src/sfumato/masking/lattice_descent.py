"""Walk down a lattice of recodings that is too large to be searched: good levels, not certainly the best."""

from sfumato.masking.class_model import ClassModel
from sfumato.masking.key_lattice import KeyLattice, Levels
from sfumato.masking.lattice_search import Lookout, Optimum


def low_loss(lattice: KeyLattice, model: ClassModel, most_suppressed: int) -> Optimum | None:
    """Return the levels at the end of a walk from the top, each step to the neighbour that loses least.

    A neighbour is one level lower in one key; where none of these loses less, it may be one level higher in another.
    Nothing is returned where not even the top is allowed.
    """
    lookout = Lookout(lattice, model, most_suppressed)
    lookout.look_at(lattice.top)
    while lookout.best is not None:
        start = lookout.best
        for near in (lower_ones(start.levels), exchanged_ones(start.levels, lattice.top)):
            for levels in near:
                if lookout.generalisation(levels) < lookout.least:
                    lookout.look_at(levels)
            if lookout.best is not start:
                break
        else:
            break
    return lookout.optimum(is_optimal=lattice.nodes == 1)


def lower_ones(levels: Levels) -> list[Levels]:
    """Return the nodes that are one level lower in one key.

    Examples
    --------
    >>> lower_ones((2, 0, 1))
    [(1, 0, 1), (2, 0, 0)]
    """
    return [_moved(levels, {key: -1}) for key, level in enumerate(levels) if level > 0]


def exchanged_ones(levels: Levels, top: Levels) -> list[Levels]:
    """Return the nodes that are one level lower in one key and one higher in another.

    Examples
    --------
    >>> exchanged_ones((2, 0), (2, 1))
    [(1, 1)]
    """
    lower = [key for key, level in enumerate(levels) if level > 0]
    higher = [key for key, level in enumerate(levels) if level < top[key]]
    return [_moved(levels, {down: -1, up: 1}) for down in lower for up in higher if down != up]


def _moved(levels: Levels, steps: dict[int, int]) -> Levels:
    return tuple(level + steps.get(key, 0) for key, level in enumerate(levels))
