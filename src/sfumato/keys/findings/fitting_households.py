"""Persons who are found by the keys of their whole household, for somebody who does not know what was taken out."""

import numpy as np

from sfumato.data import Microdata, role
from sfumato.keys.findings.sides_by_keys import classes_by_keys
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix

MAX_HOUSEHOLDS = 3_000  # of more so many are looked for, evenly from the file


def persons_found_by_fit(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> int | None:
    """Return how many persons live in a household whose keys, as they were, only its own released records fit.

    A household fits another of the same size where each member of the one can be given a record of the other that fits
    it. None where the file tells no households, or a key was exchanged. Of many households some are looked for, and
    the count is scaled up.

    Parameters
    ----------
    original, masked
        The file as it was and as it is released, in the same order.
    names
        The keys that are released.
    """
    numbers = masked.select(role("household"))
    classes = classes_by_keys(original, masked, names)
    if classes is None or not numbers:
        return None
    homes = np.unique(masked.numbers(numbers[0]), return_inverse=True)[1]
    return count_found_by_fit(classes.shown, classes.known, homes)


def count_found_by_fit(shown: CodeMatrix, known: CodeMatrix, homes: CodeColumn) -> int:
    """Return how many persons are found; what is shown and known are codes (keys x records), a gap as -1.

    Examples
    --------
    >>> known = np.array([[0, 1, 0, 1, 0, 0]])
    >>> count_found_by_fit(known, known, np.array([0, 0, 1, 1, 2, 2]))
    2
    """
    order = np.argsort(homes, kind="stable")
    sizes = np.bincount(homes)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    asked = np.arange(min(sizes.size, MAX_HOUSEHOLDS)) * sizes.size // min(sizes.size, MAX_HOUSEHOLDS)
    rows_of_size = {
        size: order[np.isin(homes[order], np.flatnonzero(sizes == size))] for size in np.unique(sizes[asked])
    }
    found = persons = 0
    for home in asked.tolist():
        members = order[starts[home] : starts[home + 1]]
        rows = rows_of_size[members.size].reshape(-1, members.size)
        persons += members.size
        found += members.size * _is_alone(shown, known, members, rows, homes)
    return round(found * homes.size / persons)


def _is_alone(shown: CodeMatrix, known: CodeMatrix, members: CodeColumn, rows: CodeMatrix, homes: CodeColumn) -> bool:
    """Tell whether no other household of the size, its records in a row each, fits the members."""
    left = rows
    for member in members.tolist():  # each must fit some record
        left = left[_fits(shown, known[:, member], left).any(axis=1)]
    own = homes[members[0]]
    return not any(
        homes[others[0]] != own
        and _can_be_matched(np.array([_fits(shown, known[:, member], others) for member in members]))
        for others in left
    )


def _fits(shown: CodeMatrix, person: CodeColumn, rows: CodeMatrix) -> Booleans:
    fits = np.ones(rows.shape, dtype=np.bool_)
    for key, code in zip(shown, person, strict=True):
        value = key[rows]
        fits &= (value < 0) | (value == code)
    return fits


def _can_be_matched(fits: Booleans) -> bool:
    """Tell whether each member can be given a record of its own (members x records), by augmenting paths."""
    taken = [-1] * fits.shape[1]
    return all(_give(member, fits, taken, set()) for member in range(fits.shape[0]))


def _give(member: int, fits: Booleans, taken: list[int], tried: set[int]) -> bool:
    for record in np.flatnonzero(fits[member]).tolist():
        if record not in tried:
            tried.add(record)
            if taken[record] < 0 or _give(taken[record], fits, taken, tried):
                taken[record] = member
                return True
    return False
