"""Count the persons whom a released record may be about, as far as other columns leave their keys possible."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Integers, SmallIntegers


@compiled
def count_fitting(
    rows: Integers,
    groups: Integers,
    group_starts: Integers,
    members: Integers,
    held: SmallIntegers,
    starts: Integers,
    persons: Integers,
    categories: SmallIntegers,
    kinds: SmallIntegers,
    about: Integers,
    allowed: Booleans,
    allowed_places: Integers,
    left: Booleans,
    left_places: Integers,
    k: int,
) -> Integers:
    """Return for each record how many persons fit it, at most k: more are not looked for.

    Parameters
    ----------
    rows
        The records, shape (r,).
    groups
        For each of them the group of classes of persons that have what it shows, shape (r,).
    group_starts, members
        Where each group starts among `members`, one more than there are groups, and the classes of one group after
        the other.
    held
        What all persons of each class would show of each key, shape (classes, keys).
    starts, persons
        Where each class starts among `persons`, one more than there are classes, and the persons class by class.
    categories
        The category of each person in each key as it was, and in what else columns are about, shape (n, t).
    kinds, about
        The kind of each record's value in each column, shape (n, q), and what each column is about: its places in
        `held` and in `categories`, shape (2, q).
    allowed, allowed_places
        Whether kind a of column j leaves category b, at `allowed_places[j, 0] + a * allowed_places[j, 1] + b`.
    left, left_places
        In the same way, whether it leaves anything of those who would show b.
    k
        How many are enough.
    """
    counts = np.zeros(rows.size, dtype=np.int64)
    shown_about, category_about = about[0], about[1]
    for i in range(rows.size):
        row, found = rows[i], 0
        for place in range(group_starts[groups[i]], group_starts[groups[i] + 1]):
            member = members[place]
            if not _is_left(kinds, row, left, left_places, held, member, shown_about):
                continue
            for other in range(starts[member], starts[member + 1]):
                if _is_left(kinds, row, allowed, allowed_places, categories, persons[other], category_about):
                    found += 1
                    if found == k:
                        break
            if found == k:
                break
        counts[i] = found
    return counts


@compiled
def _is_left(
    kinds: SmallIntegers,
    row: int,
    left: Booleans,
    places: Integers,
    codes: SmallIntegers,
    whose: int,
    about: Integers,
) -> bool:
    """Tell whether no column of a record rules out what a person, or a class, has in the key that it is about."""
    is_left = True
    for j in range(about.size):
        if not left[places[j, 0] + kinds[row, j] * places[j, 1] + codes[whose, about[j]]]:
            is_left = False
            break
    return is_left
