"""Which cells to suppress so that every combination of keys is common, with whole households losing what they share."""

from collections.abc import Callable, Iterator

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.keys.unsafe_sets import cheapest_together, mark_rare_sets
from sfumato.keys.cells import fill_from_household
from sfumato.keys.combinations import largest_demands
from sfumato.keys.households import Households
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

MAX_FLAGS = 1 << 27  # a table of what is rare holds so many at a time: one byte each

COUNTING, COMPARING = 40.0, 1.0  # about how long it takes to count a record among all, and to compare two in a column
CALL = 5000  # a count takes as long as for so many records more


def cells_of_households(
    codes: CodeColumn,
    needed: CodeColumn,
    importance: FloatColumn,
    households: Households,
    is_shared: Booleans,
    held: CodeColumn | None = None,
) -> Booleans:
    """Return which cells to suppress (records x columns), of the least importance in all.

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    needed
        How many records must show the values of each set of columns, by its bits; no more than there are, and no less
        than of a larger set.
    importance
        What a cell of each column costs.
    households
        Which records belong together.
    is_shared
        Which columns are those of the household: one of them is suppressed in all its members, or in none. The members
        that have a value have the same, and a member without counts as showing that of the others.
    held
        How many records each row stands for; one when not given.

    Notes
    -----
    What is safe for a record depends on its own gaps alone, so that the problem falls apart by household: each choice
    of shared columns is tried, and each member then takes its cheapest others.
    """
    known = keys_known_in_household(codes, households, is_shared)
    classes = classes_of(known.T)
    records, copies = np.ascontiguousarray(known[classes.first_rows()]), classes.sizes(held)
    sets = np.flatnonzero(needed[1:]) + 1

    def rare_of(rows: Rows) -> Booleans:
        return rare_sets(records, copies, rows, sets, needed[sets])

    at_risk = _at_risk(records, copies, needed)
    return cheapest_cells(codes, classes.numbers, at_risk, sets, rare_of, importance, households, is_shared)


def cheapest_cells(
    codes: CodeColumn,
    numbers: CodeColumn,
    at_risk: Booleans,
    sets: CodeColumn,
    rare_of: Callable[[Rows], Booleans],
    importance: FloatColumn,
    households: Households,
    is_shared: Booleans,
) -> Booleans:
    """Return the cells to suppress (records x columns) so that no record shows a set of columns that is rare for it.

    Parameters
    ----------
    codes, numbers
        The keys as codes, and the number of the different record that each is equal to, with what its household tells.
    at_risk
        Which of the different records may have something to suppress.
    sets, rare_of
        The sets of columns to look at, as bits, and what tells which are rare for some of the different records.
    importance, households, is_shared
        See `cells_of_households`.
    """
    concerned = np.unique(households.number[at_risk[numbers]])
    shared, _ = _sets_of(is_shared, importance)
    own, own_costs = _sets_of(~is_shared, importance)
    chosen = np.zeros(len(codes), dtype=np.int64)
    for rows, starts in _portions(households, concerned, sets.size):
        held, members = np.unique(numbers[rows], return_inverse=True)
        worth = np.add.reduceat(codes[rows] >= 0, starts[:-1], dtype=np.float64) * importance
        chosen[rows] = cheapest_together(rare_of(held), sets, members, starts, shared, worth, own, own_costs)
    is_chosen = (chosen[:, None] >> np.arange(codes.shape[1])) & 1 == 1
    return np.asarray(is_chosen & (codes >= 0), dtype=np.bool_)


def rare_sets(records: CodeColumn, copies: CodeColumn, rows: Rows, sets: CodeColumn, needed: CodeColumn) -> Booleans:
    """Return for some records and some sets of columns whether fewer records than needed show their values.

    A set in which a record lacks a value is not rare for it: what it shows of the set is another one. There are two
    ways: to count all records for each set, or to compare each record with all others; the quicker is taken.
    """
    rare = np.zeros((rows.size, sets.size), dtype=np.bool_)
    if counting_is_quicker(records, rows.size, sets.size):
        missing = missing_columns(records[rows])
        for place, (columns, least) in enumerate(zip(sets.tolist(), needed, strict=True)):
            rare[:, place] = (missing & columns == 0) & (records_showing(records, copies, columns)[rows] < least)
    else:
        mark_rare_sets(records, copies, rows, sets, needed, rare)
    return rare


def records_showing(records: CodeColumn, held: CodeColumn | FloatColumn, kept: int) -> FloatColumn:
    """Return for each record how much is held by those that are equal to it in a set of columns, the set as bits.

    For a record that has all these values it is what is held by those that show them; for one that lacks some it is
    less than that, since gaps are equal to gaps only.
    """
    classes = classes_of(records[:, (kept >> np.arange(records.shape[1])) & 1 == 1].T)
    return classes.totals(held.astype(np.float64))[classes.numbers]


def missing_columns(records: CodeColumn) -> CodeColumn:
    """Return the set of columns, as bits, in which each record lacks a value.

    Examples
    --------
    >>> missing_columns(np.array([[5, 0, 2], [-1, 0, -1]]))
    array([0, 5])
    """
    return np.asarray((records < 0) @ (1 << np.arange(records.shape[1])), dtype=np.int64)


def keys_known_in_household(codes: CodeColumn, households: Households, is_shared: Booleans) -> CodeColumn:
    """Return the keys with the values of household columns that a member lacks and the others have."""
    known = codes.copy()
    for place in np.flatnonzero(is_shared):
        known[:, place] = fill_from_household(codes[:, place], households)
    return known


def _at_risk(records: CodeColumn, copies: CodeColumn, needed: CodeColumn) -> Booleans:
    """Tell which records may be rare in a combination as they are, or all when it is not worth while to count."""
    combinations = largest_demands(needed)
    if not counting_is_quicker(records, len(records), combinations.size):
        return np.ones(len(records), dtype=np.bool_)
    at_risk = np.zeros(len(records), dtype=np.bool_)
    for combination in combinations:
        at_risk |= records_showing(records, copies, int(combination)) < needed[combination]
    return at_risk


def counting_is_quicker(records: CodeColumn, rows: int, sets: int) -> bool:
    """Tell whether to count all records for each set of columns, rather than compare some with all others."""
    n, m = records.shape
    return bool(COUNTING * sets * (n + CALL) <= COMPARING * m * rows * (n + (1 << m)))


def _portions(households: Households, concerned: CodeColumn, sets: int) -> Iterator[tuple[Rows, CodeColumn]]:
    """Cut some households into portions of bounded tables: their rows, and where each household starts among them."""
    ends = np.append(households.starts[1:], households.number.size)
    sizes = (ends - households.starts)[concerned]
    portion = (np.cumsum(sizes) - 1) * sets // MAX_FLAGS
    for number in np.unique(portion):
        here = np.flatnonzero(portion == number)
        starts = np.concatenate(([0], np.cumsum(sizes[here])))
        begins = np.repeat(households.starts[concerned[here]] - starts[:-1], sizes[here])
        yield households.order[begins + np.arange(starts[-1])], starts


def _sets_of(columns: Booleans, importance: FloatColumn) -> tuple[CodeColumn, FloatColumn]:
    """Return the sets of some columns, as bits, and what they cost, by rising cost."""
    sets, costs = np.zeros(1, dtype=np.int64), np.zeros(1)
    for place in np.flatnonzero(columns):
        sets, costs = np.append(sets, sets | (1 << place)), np.append(costs, costs + importance[place])
    order = np.argsort(costs, kind="stable")
    return sets[order], costs[order]
