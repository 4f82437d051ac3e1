"""How broad each key is to be: broader categories, key by key, until few values are left to suppress."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.kernels.keys.counting import Classes, classes_of
from sfumato.keys.combinations import largest_demands
from sfumato.keys.households import Households
from sfumato.masking.suppression._diverse_groups import Diversity
from sfumato.masking.suppression._joint_suppression import cells_of_households
from sfumato.masking.suppression.local_suppression import cells_to_suppress
from sfumato.masking.suppression.strict_local_suppression import cells_of_equal_households
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn
from sfumato.protection.ladders import Rung, loss_of

FREE = 1e-12  # the price of a step that loses nothing, by which gains can be divided
MAX_COUNTED, MIN_TRIES = 2_000_000, 10  # records that are counted in trying better rungs, and how many are tried


@dataclass(frozen=True, eq=False)
class Demand:
    """What local suppression will be asked for.

    Parameters
    ----------
    k
        How many records must share what each shows.
    max_suppressed
        How many percent of the key values may be suppressed.
    importance
        What a value of each key is worth.
    households, is_shared
        Which records live together, and which keys they share.
    strict
        Whether a gap is a value of its own.
    needed
        How many records must fit each set of keys, by its bits, where not all keys are known at once.
    diversity
        What groups of equal records must be like in sensitive columns.
    """

    k: int
    max_suppressed: float
    importance: FloatColumn
    households: Households
    is_shared: Booleans
    strict: bool = False
    needed: CodeColumn | None = None
    diversity: Diversity | None = None

    def cells(self, records: CodeColumn) -> Booleans:
        """Return which cells are to be suppressed (records x keys)."""
        if self.needed is not None:
            return cells_of_households(records, self.needed, self.importance, self.households, self.is_shared)
        if self.strict:
            together = self.households, self.is_shared
            return cells_of_equal_households(records, self.k, self.importance, *together, self.diversity)
        return cells_to_suppress(records, self.k, self.importance, self.households, self.is_shared)

    def violating(self, codes: CodeMatrix) -> int:
        """Return how many records are not in groups as they should be (keys x records)."""
        if self.needed is None:
            classes = classes_of(codes)
            return int(np.count_nonzero((classes.sizes()[classes.numbers] < self.k) | self._uniform(classes)))
        is_rare = np.zeros(codes.shape[1], dtype=np.bool_)
        for known in largest_demands(self.needed):
            classes = classes_of(codes[known >> np.arange(len(codes)) & 1 == 1])
            is_rare |= classes.sizes()[classes.numbers] < self.needed[known]
        return int(np.count_nonzero(is_rare))

    def _uniform(self, classes: Classes) -> Booleans:
        """Tell which records are in groups that are not diverse."""
        if self.diversity is None:
            return np.zeros(classes.numbers.size, dtype=np.bool_)
        everybody = np.arange(classes.numbers.size)
        return self.diversity.unsafe(classes.numbers, classes.count, everybody)[classes.numbers]


class Stop(NamedTuple):
    """A stop on the walk up the ladders: the rung of each key, the percent of values to suppress, and what is lost."""

    places: tuple[int, ...]
    suppressed: float
    loss: float


def choose_rungs(ladders: Sequence[Sequence[Rung]], demand: Demand) -> tuple[int, ...]:
    """Return the rung of each key at which least is lost, of those where few enough values must be suppressed.

    From the finest rungs one step is taken at a time: that which, for what it loses, leaves fewest records in classes
    that are too small. Of all stops on this way that keep to the limit the one with the least loss is taken, what is
    suppressed included; where none does, the one with the fewest values to suppress. From there steps down, and steps
    down of one key with a step up of another, are tried as long as they lower the loss.

    Parameters
    ----------
    ladders
        The rungs of each key, finest first.
    demand
        What must be met.
    """
    stops = list(_walk(ladders, demand))
    kept = [stop for stop in stops if stop.suppressed <= demand.max_suppressed]
    if not kept:
        return min(stops, key=lambda stop: stop.suppressed).places
    return _improve(ladders, demand, min(kept, key=lambda stop: stop.loss)).places


def _walk(ladders: Sequence[Sequence[Rung]], demand: Demand) -> Iterator[Stop]:
    """Yield the stops from the finest rungs up to where nothing is left to suppress, or no rung to take."""
    places = (0,) * len(ladders)
    while True:
        yield _stop(ladders, places, demand)
        higher = [j for j, rungs in enumerate(ladders) if places[j] + 1 < len(rungs)]
        violating = demand.violating(_codes(ladders, places))
        if not violating or not higher:
            return
        gains = [violating - demand.violating(_codes(ladders, _move(places, j, 1))) for j in higher]
        prices = [demand.importance[j] * (ladders[j][places[j] + 1].loss - ladders[j][places[j]].loss) for j in higher]
        places = _move(places, higher[int(np.argmax(np.array(gains) / np.maximum(prices, FREE)))], 1)


def _improve(ladders: Sequence[Sequence[Rung]], demand: Demand, stop: Stop) -> Stop:
    """Return the best stop that is found from one by steps down, alone or with a step up of another key."""
    left = max(MIN_TRIES, MAX_COUNTED // ladders[0][0].codes.size)
    seen = {stop.places}
    while True:
        for places in _nearby(ladders, stop.places):
            if places in seen or _recoding_loss(ladders, places, demand) >= stop.loss:
                continue
            if not left:
                return stop
            seen.add(places)
            left -= 1
            found = _stop(ladders, places, demand)
            if found.suppressed <= demand.max_suppressed and found.loss < stop.loss:
                stop = found
                break
        else:
            return stop


def _nearby(ladders: Sequence[Sequence[Rung]], places: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the places one step down, then those one or two steps down with another key one or two steps up."""
    lower = [j for j, place in enumerate(places) if place]
    for j in lower:
        yield _move(places, j, -1)
    for j in lower:
        for down in (1, 2):
            for other, rungs in enumerate(ladders):
                for up in (1, 2):
                    if other != j and places[j] >= down and places[other] + up < len(rungs):
                        yield _move(_move(places, j, -down), other, up)


def _stop(ladders: Sequence[Sequence[Rung]], places: tuple[int, ...], demand: Demand) -> Stop:
    """Return what must be suppressed at some rungs, and what is lost in all."""
    codes = _codes(ladders, places)
    records = np.ascontiguousarray(codes.T)
    cells = demand.cells(records)
    shown = np.where(cells.T, -1, codes)
    losses = [loss_of(rungs[0].codes, column) for rungs, column in zip(ladders, shown, strict=True)]
    values = max(int(np.count_nonzero(codes >= 0)), 1)
    return Stop(places, 100 * float(cells.sum()) / values, float(np.dot(losses, demand.importance)))


def _recoding_loss(ladders: Sequence[Sequence[Rung]], places: tuple[int, ...], demand: Demand) -> float:
    """Return what is lost at some rungs at least, before anything is suppressed."""
    finest = [rungs[0].loss for rungs in ladders]
    losses = [rungs[place].loss for rungs, place in zip(ladders, places, strict=True)]
    return float(np.dot(np.subtract(losses, finest), demand.importance))


def _codes(ladders: Sequence[Sequence[Rung]], places: Sequence[int]) -> CodeMatrix:
    return np.stack([rungs[place].codes for rungs, place in zip(ladders, places, strict=True)])


def _move(places: tuple[int, ...], key: int, steps: int) -> tuple[int, ...]:
    return tuple(place + steps * (j == key) for j, place in enumerate(places))
