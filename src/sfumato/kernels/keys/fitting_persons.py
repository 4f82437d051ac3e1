"""Count the persons whom a released record may be about, as far as other columns leave their keys possible."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers, SmallIntegers


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
    is_open: Booleans,
    open_places: Integers,
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
        The kinds of each record's values, shape (n, u), and what each column is about: its places in `held`, in
        `categories` and, as many columns have the same kinds, in `kinds`, shape (3, q).
    allowed, allowed_places
        Whether kind a of column j leaves category b, at `allowed_places[j, 0] + a * allowed_places[j, 1] + b`.
    left, left_places
        In the same way, whether it leaves anything of those who would show b.
    is_open, open_places
        Whether kind a of column j leaves all categories, at `open_places[j] + a`: such columns are not looked at.
    k
        How many are enough.
    """
    counts = np.zeros(rows.size, dtype=np.int64)
    shown_about, category_about, kind_of = about[0], about[1], about[2]
    telling, beginning = np.empty(kind_of.size, dtype=np.int64), np.empty((2, kind_of.size), dtype=np.int64)
    for i in range(rows.size):
        row, found, count = rows[i], 0, 0
        for j in range(kind_of.size):
            kind = kinds[row, kind_of[j]]
            if not is_open[open_places[j] + kind]:
                telling[count] = j
                beginning[0, j] = left_places[j, 0] + kind * left_places[j, 1]
                beginning[1, j] = allowed_places[j, 0] + kind * allowed_places[j, 1]
                count += 1
        for place in range(group_starts[groups[i]], group_starts[groups[i] + 1]):
            member = members[place]
            if not _is_left_by(telling, count, beginning[0], left, held, member, shown_about):
                continue
            for other in range(starts[member], starts[member + 1]):
                if _is_left_by(telling, count, beginning[1], allowed, categories, persons[other], category_about):
                    found += 1
                    if found == k:
                        break
            if found == k:
                break
        counts[i] = found
    return counts


@compiled
def count_fitting_records(
    persons: Integers,
    groups: Integers,
    group_starts: Integers,
    members: Integers,
    starts: Integers,
    categories: SmallIntegers,
    kinds: SmallIntegers,
    about: Integers,
    allowed: Booleans,
    allowed_places: Integers,
    k: int,
) -> Integers:
    """Return for each person how many records fit them, at most k: more are not looked for.

    Parameters
    ----------
    persons
        The persons, shape (p,).
    groups
        For each of them the group of looks that show what they would show, shape (p,).
    group_starts, members
        Where each group starts among `members`, one more than there are groups, and the looks of one group after the
        other.
    starts
        Where each look starts among the records look by look, one more than there are looks.
    kinds
        As in `count_fitting`, the records look by look, so that those that are compared lie side by side.
    categories, about, allowed, allowed_places, k
        As in `count_fitting`; of `about` the second and third row are used.
    """
    counts = np.zeros(persons.size, dtype=np.int64)
    category_about, kind_of = about[1], about[2]
    for i in range(persons.size):
        found = 0
        for place in range(group_starts[groups[i]], group_starts[groups[i] + 1]):
            look = members[place]
            for other in range(starts[look], starts[look + 1]):
                if _is_left(kinds, other, kind_of, allowed, allowed_places, categories, persons[i], category_about):
                    found += 1
                    if found == k:
                        break
            if found == k:
                break
        counts[i] = found
    return counts


@compiled
def suppress_for_persons(
    shown: SmallIntegers,
    persons: Integers,
    known: SmallIntegers,
    categories: SmallIntegers,
    kinds: SmallIntegers,
    about: Integers,
    allowed: Booleans,
    allowed_places: Integers,
    importance: Floats,
    k: int,
) -> None:
    """Suppress values of the k records that come nearest to each person, so that they fit; none where k cannot.

    Parameters
    ----------
    shown
        What each record shows of each key, a gap as -1, shape (n, keys); output: with more gaps.
    persons
        The persons, shape (p,), who are helped one after the other.
    known
        What each person would show, shape (n, keys).
    categories, kinds, about, allowed, allowed_places, k
        As in `count_fitting_records`.
    importance
        What a value of each key is worth, shape (keys,): records come near that lose little.
    """
    costs, rows, keys = np.empty(k), np.empty(k, dtype=np.int64), shown.shape[1]
    category_about, kind_of = about[1], about[2]
    for person in persons:
        costs[:] = np.inf
        for row in range(shown.shape[0]):
            cost = 0.0
            for key in range(keys):
                if shown[row, key] >= 0 and shown[row, key] != known[person, key]:
                    cost += importance[key]
                    if cost >= costs[k - 1]:
                        break
            if cost >= costs[k - 1]:
                continue
            if not _is_left(kinds, row, kind_of, allowed, allowed_places, categories, person, category_about):
                continue
            place = k - 1
            while place > 0 and costs[place - 1] > cost:
                costs[place], rows[place] = costs[place - 1], rows[place - 1]
                place -= 1
            costs[place], rows[place] = cost, row
            if costs[k - 1] == 0.0:
                break
        if costs[k - 1] < np.inf:
            for near in rows:
                for key in range(keys):
                    if shown[near, key] != known[person, key]:
                        shown[near, key] = -1


@compiled
def _is_left_by(
    telling: Integers,
    count: int,
    beginning: Integers,
    left: Booleans,
    codes: SmallIntegers,
    whose: int,
    about: Integers,
) -> bool:
    """Tell the same as `_is_left` by the first columns of `telling`, of which that which rules out is put first.

    `beginning` says where what the record's kind leaves begins among all that is left, by column.
    """
    for place in range(count):
        j = telling[place]
        if not left[beginning[j] + codes[whose, about[j]]]:
            telling[place], telling[0] = telling[0], j  # it will often rule out the next one too
            return False
    return True


@compiled
def _is_left(
    kinds: SmallIntegers,
    row: int,
    kind_of: Integers,
    left: Booleans,
    places: Integers,
    codes: SmallIntegers,
    whose: int,
    about: Integers,
) -> bool:
    """Tell whether no column of a record rules out what a person, or a class, has in the key that it is about."""
    is_left = True
    for j in range(about.size):
        if not left[places[j, 0] + kinds[row, kind_of[j]] * places[j, 1] + codes[whose, about[j]]]:
            is_left = False
            break
    return is_left
