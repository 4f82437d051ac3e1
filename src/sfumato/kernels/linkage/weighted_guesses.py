"""Guess the values of persons from weighted classes of records: quantiles of numbers, and the likeliest categories.

Person p gives each record of class c the weight w_pc. Nothing is stored for pairs of persons and records: that so much
of a class lies below a value is looked up in its sorted values.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

TIE = 1e-9  # of the largest weight


class WeightedClasses(NamedTuple):
    """Classes of records with weights, group of persons by group: group g has those from `starts[g]` on.

    Parameters
    ----------
    starts
        Where each group begins, with the end, shape (groups + 1,).
    classes, weights
        The classes, and the weight that each of their records has, shape (entries,).
    """

    starts: Integers
    classes: Integers
    weights: Floats


class ClassValues(NamedTuple):
    """The values of the records of each class: class c has those from `starts[c]` on.

    Parameters
    ----------
    starts
        Where each class begins, with the end, shape (classes + 1,).
    codes
        The different values of each class as codes from 0, rising inside the class.
    counts
        How many records of the class have a value up to this one, this one included.
    """

    starts: Integers
    codes: Integers
    counts: Integers

    @classmethod
    def of(cls, classes: Integers, codes: Integers, number: int) -> "ClassValues":
        """Return the values of records by their class; a code below 0 is missing.

        Examples
        --------
        >>> ClassValues.of(np.array([1, 0, 1, 1]), np.array([4, 2, 3, 4]), 2)
        ClassValues(starts=array([0, 1, 3]), codes=array([2, 3, 4]), counts=array([1, 1, 3]))
        """
        is_known = codes >= 0
        width = int(codes.max(initial=0)) + 1
        kinds, counts = np.unique(classes[is_known] * width + codes[is_known], return_counts=True)
        starts = np.searchsorted(kinds // width, np.arange(number + 1))
        totals = np.cumsum(counts)
        before = np.concatenate([[0], totals])[starts[:-1]]
        return cls(starts, kinds % width, totals - np.repeat(before, np.diff(starts)))


@compiled
def weighted_quantiles(
    groups: Integers,
    own_classes: Integers,
    own_codes: Integers,
    given: WeightedClasses,
    values: ClassValues,
    levels: Floats,
) -> Integers:
    """Return for each person the smallest code at which the summed weights reach each level, -1 without any weight.

    Parameters
    ----------
    groups
        The group of each person, shape (n,).
    own_classes, own_codes
        The class of one record that is left out, shape (n,), and the codes that it has there, shape (n, codes); -1
        leaves out none.
    given, values
        The weights of each group, and what the classes hold.
    levels
        Shares of all the weight, shape (levels,).
    """
    found = np.full((len(groups), len(levels)), -1, dtype=np.int64)
    last = values.codes.max()
    for person in range(len(groups)):
        own_class, own = own_classes[person], own_codes[person]
        total = _weight_up_to(last, groups[person], own_class, own, given, values)
        if total <= 0.0:
            continue
        for place in range(len(levels)):
            low, high = 0, last
            while low < high:
                middle = (low + high) // 2
                if _weight_up_to(middle, groups[person], own_class, own, given, values) >= levels[place] * total:
                    high = middle
                else:
                    low = middle + 1
            found[person, place] = low
    return found


@compiled
def _weight_up_to(
    code: int, group: int, own_class: int, own_codes: Integers, given: WeightedClasses, values: ClassValues
) -> float:
    """Return the weight of the records whose code is at most this one."""
    total = 0.0
    for entry in range(given.starts[group], given.starts[group + 1]):
        source = given.classes[entry]
        start, end = values.starts[source], values.starts[source + 1]
        low, high = start, end
        while low < high:
            middle = (low + high) // 2
            if values.codes[middle] <= code:
                low = middle + 1
            else:
                high = middle
        count = values.counts[low - 1] if low > start else 0
        if source == own_class:
            for own in own_codes:
                if 0 <= own <= code:
                    count -= 1
        total += given.weights[entry] * count
    return total


@compiled
def chances_of_modes(
    groups: Integers,
    own_classes: Integers,
    own_codes: Integers,
    given: WeightedClasses,
    values: ClassValues,
    truth: Integers,
) -> Floats:
    """Return for each person the chance that the code of the largest weight is the true one, NaN without any weight.

    Equally large ones share it. `truth` (n,) holds the true codes; the rest is as in `weighted_quantiles`.
    """
    chances = np.full(len(groups), np.nan)
    width = max(values.codes.max(), truth.max()) + 1
    totals, seen = np.zeros(width), np.empty(width, dtype=np.int64)
    for person in range(len(groups)):
        number = 0
        for entry in range(given.starts[groups[person]], given.starts[groups[person] + 1]):
            source, before = given.classes[entry], 0
            for place in range(values.starts[source], values.starts[source + 1]):
                code, count = values.codes[place], values.counts[place] - before
                before = values.counts[place]
                if source == own_classes[person]:
                    for own in own_codes[person]:
                        if own == code:
                            count -= 1
                if count == 0:
                    continue
                if totals[code] == 0.0:
                    seen[number] = code
                    number += 1
                totals[code] += given.weights[entry] * count
        best, ties = 0.0, 0
        for code in seen[:number]:
            best = max(best, totals[code])
        for code in seen[:number]:
            ties += totals[code] >= best * (1.0 - TIE)
        if best > 0.0:
            is_right = truth[person] >= 0 and totals[truth[person]] >= best * (1.0 - TIE)
            chances[person] = 1.0 / ties if is_right else 0.0
        totals[seen[:number]] = 0.0
    return chances
