"""How broad each key is to be: broader categories, key by key, until few values are left to suppress."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.data import CodeMatrix, FloatColumn, Mask
from sfumato.kernels.counting import classes_of
from sfumato.masking.households import Households
from sfumato.masking.joint_suppression import jointly_suppressed_cells
from sfumato.masking.key_combinations import needed_fits
from sfumato.masking.local_suppression import suppressed_cells
from sfumato.protection.ladders import Rung, loss_of

FREE = 1e-12  # the price of a step that loses nothing, by which gains can be divided


@dataclass(frozen=True, eq=False)
class Demand:
    """What local suppression will be asked for.

    Parameters
    ----------
    k
        How many records must share what each shows.
    most_suppressed
        How many percent of the key values may be suppressed.
    importance
        What a value of each key is worth.
    households, is_shared
        Which records live together, and which keys they share.
    """

    k: int
    most_suppressed: float
    importance: FloatColumn
    households: Households
    is_shared: Mask


class Stop(NamedTuple):
    """A stop on the walk up the ladders: the rung of each key, the percent of values to suppress, and what is lost."""

    places: tuple[int, ...]
    suppressed: float
    loss: float


def chosen_rungs(ladders: Sequence[Sequence[Rung]], demand: Demand) -> tuple[int, ...]:
    """Return the rung of each key at which least is lost, of those where few enough values must be suppressed.

    From the finest rungs, one step is taken at a time: that which, for what it loses, leaves fewest records in classes
    that are too small. Of all stops on this way that keep to the limit the one with the least loss is taken, what is
    suppressed included; where none does, the one with the fewest values to suppress.

    Parameters
    ----------
    ladders
        The rungs of each key, finest first.
    demand
        What must be met.
    """
    stops = list(_walk(ladders, demand))
    kept = [stop for stop in stops if stop.suppressed <= demand.most_suppressed]
    if kept:
        return min(kept, key=lambda stop: stop.loss).places
    return min(stops, key=lambda stop: stop.suppressed).places


def _walk(ladders: Sequence[Sequence[Rung]], demand: Demand) -> Iterator[Stop]:
    """Yield the stops from the finest rungs up to where nothing is left to suppress, or no rung to take."""
    places = [0] * len(ladders)
    while True:
        codes = _codes(ladders, places)
        cells = _suppressed_cells(codes, demand)
        shown = np.where(cells.T, -1, codes)
        losses = [loss_of(rungs[0].codes, column) for rungs, column in zip(ladders, shown, strict=True)]
        values = max(int(np.count_nonzero(codes >= 0)), 1)
        yield Stop(tuple(places), 100 * float(cells.sum()) / values, float(np.dot(losses, demand.importance)))
        higher = [j for j, rungs in enumerate(ladders) if places[j] + 1 < len(rungs)]
        violating = _violating(codes, demand.k)
        if not violating or not higher:
            return
        gains = [violating - _violating(_codes(ladders, _raised(places, j)), demand.k) for j in higher]
        prices = [demand.importance[j] * (ladders[j][places[j] + 1].loss - ladders[j][places[j]].loss) for j in higher]
        places = _raised(places, higher[int(np.argmax(np.array(gains) / np.maximum(prices, FREE)))])


def _codes(ladders: Sequence[Sequence[Rung]], places: Sequence[int]) -> CodeMatrix:
    return np.stack([rungs[place].codes for rungs, place in zip(ladders, places, strict=True)])


def _raised(places: Sequence[int], key: int) -> list[int]:
    return [place + (j == key) for j, place in enumerate(places)]


def _violating(codes: CodeMatrix, k: int) -> int:
    classes = classes_of(codes)
    return int(np.count_nonzero(classes.sizes()[classes.numbers] < k))


def _suppressed_cells(codes: CodeMatrix, demand: Demand) -> Mask:
    """Return the cells that local suppression takes (records x keys)."""
    records = np.ascontiguousarray(codes.T)
    if not demand.is_shared.any():
        return suppressed_cells(records, demand.k, demand.importance)
    needed = needed_fits((), tuple(map(str, range(len(codes)))), demand.k)
    return jointly_suppressed_cells(records, needed, demand.importance, demand.households, demand.is_shared)
