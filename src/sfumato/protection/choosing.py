"""How broad each key is to be: broader categories, key by key, until few values are left to suppress."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import CodeMatrix, FloatColumn
from sfumato.kernels.counting import classes_of
from sfumato.masking.local_suppression import suppressed_cells
from sfumato.protection.ladders import Rung


def chosen_rungs(
    ladders: Sequence[Sequence[Rung]], k: int, most_suppressed: float, importance: FloatColumn
) -> tuple[int, ...]:
    """Return the rung of each key at which at most a percentage of the key values must be suppressed.

    From the keys as they are, one step is taken at a time: that which, for what it loses, leaves fewest records in
    classes that are too small. Where even the broadest keys leave more to suppress, these are returned.

    Parameters
    ----------
    ladders
        The rungs of each key, finest first.
    k
        How many records must share what each shows.
    most_suppressed
        How many percent of the key values may be suppressed.
    importance
        What a key is worth, by which its losses are weighed.
    """
    places = [0] * len(ladders)
    while _suppressed(_codes(ladders, places), k) > most_suppressed:
        higher = [j for j, rungs in enumerate(ladders) if places[j] + 1 < len(rungs)]
        if not higher:
            break
        violating = _violating(_codes(ladders, places), k)
        gains = [violating - _violating(_codes(ladders, _raised(places, j)), k) for j in higher]
        prices = [importance[j] * (ladders[j][places[j] + 1].loss - ladders[j][places[j]].loss) for j in higher]
        places = _raised(places, higher[int(np.argmax(np.array(gains) / np.maximum(prices, 1e-12)))])
    return tuple(places)


def _codes(ladders: Sequence[Sequence[Rung]], places: Sequence[int]) -> CodeMatrix:
    return np.stack([rungs[place].codes for rungs, place in zip(ladders, places, strict=True)])


def _raised(places: Sequence[int], key: int) -> list[int]:
    return [place + (j == key) for j, place in enumerate(places)]


def _violating(codes: CodeMatrix, k: int) -> int:
    classes = classes_of(codes)
    return int(np.count_nonzero(classes.sizes()[classes.numbers] < k))


def _suppressed(codes: CodeMatrix, k: int) -> float:
    """Return the percentage of the key values that local suppression takes."""
    cells = suppressed_cells(np.ascontiguousarray(codes.T), k, np.ones(len(codes)))
    return 100 * float(cells.sum()) / max(int(np.count_nonzero(codes >= 0)), 1)
