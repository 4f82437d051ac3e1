"""Keys laid out in order, so that a box of records can be cut between two of their values."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import Category, Hierarchy, Kind, Microdata
from sfumato.kernels.keys.mondrian import boxes_of
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn


@dataclass(frozen=True, eq=False)
class KeyPlaces:
    """A key as codes in an order.

    Parameters
    ----------
    codes
        The code of each record, -1 where missing.
    places
        Where each code lies between 0 and 1; with a hierarchy the share of its leaves under the code.
    parents, lasts
        With a hierarchy, whose codes come each directly before those under it: the code above each one, -1 for the
        root, and the last one under it. Zeros without.
    categories
        What the codes stand for; none for numbers.
    is_tree
        Whether there is a hierarchy.
    """

    codes: CodeColumn
    places: FloatColumn
    parents: CodeColumn
    lasts: CodeColumn
    categories: tuple[Category, ...]
    is_tree: bool

    def above(self, low: CodeColumn, high: CodeColumn) -> CodeColumn:
        """Return the lowest code of the hierarchy that has a range of codes under it, or is one of them."""
        code = low.copy()
        while (short := self.lasts[code] < high).any():
            code[short] = self.parents[code[short]]
        return code


def places_of_key(data: Microdata, name: str, hierarchy: Hierarchy | None) -> KeyPlaces:
    """Return a key in the order of its numbers or categories, or of its hierarchy."""
    if data.schema[name].kind is Kind.CONTINUOUS:
        values = data.values(name)
        different, codes = np.unique(values, return_inverse=True)  # NaN is one value, the last
        codes[np.isnan(values)] = -1
        different = different[~np.isnan(different)]
        return _plain(codes, (different - different[0]) / ((different[-1] - different[0]) or 1.0), ())
    codes, categories = data.codes(name)
    if hierarchy is None:
        return _plain(codes, np.arange(len(categories)) / max(len(categories) - 1, 1), categories)
    place = {code: number for number, code in enumerate(hierarchy.codes)}
    known = np.array([place.get(category, -1) for category in categories] + [-1])
    parents = [hierarchy.parent(code) for code in hierarchy.codes]
    below = np.ones(len(place), dtype=np.int64)
    leaves = np.array([not hierarchy.children(code) for code in hierarchy.codes], dtype=np.float64)
    above = np.array([-1 if parent is None else place[parent] for parent in parents])
    for number in range(len(place) - 1, 0, -1):
        below[above[number]] += below[number]
        leaves[above[number]] += leaves[number]
    return KeyPlaces(
        known[codes], leaves / leaves[0], above, np.arange(len(place)) + below - 1, hierarchy.codes, is_tree=True
    )


def boxes(keys: list[KeyPlaces], k: int, sensitive: CodeColumn, l: int) -> CodeColumn:
    """Return the box of each record, from 0.

    Parameters
    ----------
    keys
        The keys.
    k
        How many records a box must have at least.
    sensitive, l
        The sensitive value of each record, -1 where missing, and how many different ones a box must have at least.
    """
    numbers, _ = boxes_of(
        np.stack([key.codes for key in keys]),
        np.concatenate([key.places for key in keys]),
        np.cumsum([0, *(key.places.size for key in keys)]),
        np.concatenate([key.parents for key in keys]),
        np.concatenate([key.lasts for key in keys]),
        np.array([key.is_tree for key in keys]),
        sensitive,
        k,
        l,
    )
    return numbers


def without_key(key: KeyPlaces, numbers: CodeColumn) -> Booleans:
    """Tell for each box whether some record of it lacks the key, so that all must."""
    lacking = np.zeros(int(numbers.max()) + 1, dtype=np.bool_)
    lacking[numbers[key.codes < 0]] = True
    return lacking


def _plain(codes: CodeColumn, places: FloatColumn, categories: tuple[Category, ...]) -> KeyPlaces:
    none = np.zeros(places.size, dtype=np.int64)
    return KeyPlaces(codes, np.asarray(places, dtype=np.float64), none, none, categories, is_tree=False)
