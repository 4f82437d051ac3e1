"""Send messages along exchanges that are not certain: which pairs of records confirm each other, and how much.

In a column, person i shows the value of a partner o, and o that of i. Let masked record j come from i: it shows the
value of o with weight w(j, o), the swap joins i and o with chance d(i, o), and some masked record k comes from o, which
shows the value of i. What the column says of the pair (j, i) is thus

    M(j, i) = sum over o of w(j, o) d(i, o) t(o, i),    t(o, i) = sum over k of P(k, o) w(k, i),

where P(k, o) is what is believed of the pair (k, o) by all other columns: sum-product belief propagation (Kschischang,
Frey and Loeliger 2001, Factor graphs and the sum-product algorithm).
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.linkage.exchange_cells import CandidatePairs, ExchangedCells, Showing
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers

FLOOR = 0.002  # of what a column says of a pair of which nothing is known: no column rules a pair out by itself
NEGLIGIBLE = 1e-3  # a belief, in parts of that in a pair of which nothing is known
SMALLEST = 1e-300
MAX_HELD = 20_000_000  # places of filled rows that are kept for the next value


def exchange_messages(pairs: CandidatePairs, beliefs: Floats, cells: ExchangedCells) -> Floats:
    """Return the logarithm of what a column says of each pair, times the number of originals, shape (p,).

    `beliefs` are what the other columns make of the pairs, shape (p,). A masked record without owners says nothing: 0.
    """
    messages = np.zeros(len(pairs.originals))
    firsts = cells.starts[:-1]
    some = np.flatnonzero(np.diff(cells.starts) > 0)
    if not some.size:
        return messages
    spans = cells.owners[cells.starts[1:][some] - 1] - cells.owners[firsts[some]]
    values = some[np.argsort(cells.owners[firsts[some]], kind="stable")]
    width = int(spans.max()) + 1
    by_value = np.argsort(cells.values, kind="stable")
    showing = Showing(np.searchsorted(cells.values[by_value], np.arange(len(cells.starts))), by_value)
    most = max(MAX_HELD // len(cells.ranks), 1)
    is_sparse = _is_sparse(pairs, cells, showing)

    def run(piece: slice) -> None:
        if is_sparse:
            _send_few(values[piece], pairs, beliefs, cells, showing, messages)
        else:
            _send(values[piece], min(width, most), pairs, beliefs, cells, showing, messages)

    run_in_threads(run, len(values))
    return messages


def _is_sparse(pairs: CandidatePairs, cells: ExchangedCells, showing: Showing) -> bool:
    """Tell whether so few pairs are left that each is sooner looked at by itself than all originals of each owner."""
    by_record, owners = np.diff(pairs.starts), np.diff(cells.starts)
    asked = np.bincount(np.maximum(cells.values, 0), np.where(cells.values < 0, 0, by_record), len(owners))
    reached = np.minimum(asked, float(len(cells.ranks)))  # originals of which something is asked, by value
    shown = 2.0 * len(cells.owners) * by_record.mean() * owners[owners > 0].mean()
    looks = 8.0 * float(reached @ owners)  # a look costs several times what a place of a filled row does
    return bool(shown + looks < float(len(np.unique(cells.owners))) * len(cells.ranks))


@compiled
def _send(
    values: Integers,
    width: int,
    pairs: CandidatePairs,
    beliefs: Floats,
    cells: ExchangedCells,
    showing: Showing,
    messages: Floats,
) -> None:
    """Fill the messages (output) of the records that show some values, in the order of their first owners."""
    count = len(cells.ranks)
    rows, held = np.zeros((width, count)), np.full(width, -1, dtype=np.int64)
    sums, asked, marks = np.empty(count), np.empty(count, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    shown, of_values = np.zeros(count), np.zeros(len(cells.starts) - 1)
    touched = np.empty(len(cells.starts) - 1, dtype=np.int64)
    for value in values:
        many = _ask(value, pairs, showing, asked, marks, sums)
        for cell in range(cells.starts[value], cells.starts[value + 1]):
            place, weight = cells.owners[cell], cells.weights[cell]
            row = rows[place % width]
            if held[place % width] != place:
                _fill(row, cells.order[place], pairs, beliefs, cells, shown, of_values, touched)
                held[place % width] = place
            for at in range(many):
                sums[asked[at]] += weight * row[asked[at]]
        _tell(value, pairs, showing, sums, messages)


@compiled
def _send_few(
    values: Integers,
    pairs: CandidatePairs,
    beliefs: Floats,
    cells: ExchangedCells,
    showing: Showing,
    messages: Floats,
) -> None:
    """Fill the messages (output) as `_send` does, to the last bit, without what is not asked for."""
    count = len(cells.ranks)
    chances, ranks, levels, groups = cells.chances, cells.ranks, cells.levels, cells.groups
    half = chances.shape[1] // 2
    sums, asked, marks = np.empty(count), np.empty(count, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    shown, of_values = np.zeros(count), np.zeros(len(cells.starts) - 1)
    touched = np.empty(len(cells.starts) - 1, dtype=np.int64)
    for value in values:
        many = _ask(value, pairs, showing, asked, marks, sums)
        for cell in range(cells.starts[value], cells.starts[value + 1]):
            owner, weight = cells.order[cells.owners[cell]], cells.weights[cell]
            told, held = _show(shown, owner, pairs, beliefs, cells, of_values, touched)
            rest = max(1.0 - told, 0.0) / count
            last = ranks[owner] * half + half + 0.5
            for at in range(many):
                original, said = asked[at], 0.0
                if levels[original] >= 0 and levels[owner] >= 0 and groups[original] == groups[owner]:
                    said = chances[levels[original], int(last - ranks[original] * half)]
                said *= count * (shown[original] + rest * cells.unshown[original]) / cells.totals[original]
                sums[original] += weight * (cells.stays if original == owner else said)
            _hide(shown, held, cells, touched)
        _tell(value, pairs, showing, sums, messages)


@compiled
def _ask(value: int, pairs: CandidatePairs, showing: Showing, asked: Integers, marks: Integers, sums: Floats) -> int:
    """List the originals in pairs with the records of a value in `asked`, begin their sums, and count them."""
    many, floor = 0, FLOOR / len(sums)
    for at in range(showing.starts[value], showing.starts[value + 1]):
        record = showing.records[at]
        for pair in range(pairs.starts[record], pairs.starts[record + 1]):
            original = pairs.originals[pair]
            if marks[original] != value:
                marks[original] = value
                asked[many], sums[original] = original, floor
                many += 1
    return many


@compiled
def _tell(value: int, pairs: CandidatePairs, showing: Showing, sums: Floats, messages: Floats) -> None:
    """Fill the messages (output) of the pairs with the records of a value."""
    for at in range(showing.starts[value], showing.starts[value + 1]):
        record = showing.records[at]
        for pair in range(pairs.starts[record], pairs.starts[record + 1]):
            messages[pair] = np.log(sums[pairs.originals[pair]])


@compiled
def _show(
    shown: Floats,
    owner: int,
    pairs: CandidatePairs,
    beliefs: Floats,
    cells: ExchangedCells,
    of_values: Floats,
    touched: Integers,
) -> tuple[float, int]:
    """Add to `shown` (output) whose values are shown by those who may come from one original.

    Returns of how much of it is told, and how many values are listed in `touched` (output). `of_values` holds zeros
    before and after.
    """
    told, held = 0.0, 0
    for at in range(pairs.original_starts[owner], pairs.original_starts[owner + 1]):
        record, belief = pairs.records[pairs.by_original[at]], beliefs[pairs.by_original[at]]
        value = cells.values[record]
        if value >= 0 and cells.starts[value] < cells.starts[value + 1] and belief * len(shown) > NEGLIGIBLE:
            told += belief
            if of_values[value] == 0.0:
                touched[held] = value
                held += 1
            of_values[value] += belief
    for at in range(held):
        belief = of_values[touched[at]]
        for cell in range(cells.starts[touched[at]], cells.starts[touched[at] + 1]):
            shown[cells.order[cells.owners[cell]]] += belief * cells.weights[cell]
        of_values[touched[at]] = 0.0
    return told, held


@compiled
def _hide(shown: Floats, held: int, cells: ExchangedCells, touched: Integers) -> None:
    """Put `shown` (output) back to 0."""
    for at in range(held):
        for cell in range(cells.starts[touched[at]], cells.starts[touched[at] + 1]):
            shown[cells.order[cells.owners[cell]]] = 0.0


@compiled
def _fill(
    row: Floats,
    owner: int,
    pairs: CandidatePairs,
    beliefs: Floats,
    cells: ExchangedCells,
    shown: Floats,
    of_values: Floats,
    touched: Integers,
) -> None:
    """Fill `row` (output) with n d(i, o) t(o, i) for one o and all i, and with the chance to stay for o itself."""
    count = len(row)
    _fill_chances(row, owner, cells.ranks, cells.levels, cells.chances, cells.groups)
    told, held = _show(shown, owner, pairs, beliefs, cells, of_values, touched)
    rest = max(1.0 - told, 0.0) / count  # of o is not known whose value it shows
    for original in range(count):
        row[original] *= count * (shown[original] + rest * cells.unshown[original]) / cells.totals[original]
    row[owner] = cells.stays
    _hide(shown, held, cells, touched)


@compiled
def _fill_chances(
    row: Floats, partner: int, ranks: Floats, levels: Integers, chances: Floats, groups: Integers
) -> None:
    """Fill `row` (output) with how probable an exchange with one partner is, up to a factor for each original."""
    half = chances.shape[1] // 2
    last = ranks[partner] * half + half + 0.5  # rounded up where it is cut off
    for original in range(len(row)):
        is_other = original != partner and groups[original] == groups[partner]
        if levels[original] < 0 or levels[partner] < 0 or not is_other:
            row[original] = 0.0
        else:
            row[original] = chances[levels[original], int(last - ranks[original] * half)]


@compiled
def chance_totals(ranks: Floats, levels: Integers, chances: Floats, groups: Integers) -> Floats:
    """Return for each original the sum of the chances of all partners, at least a little, shape (n,)."""
    totals, row = np.full(len(ranks), SMALLEST), np.empty(len(ranks))
    for partner in range(len(ranks)):
        _fill_chances(row, partner, ranks, levels, chances, groups)
        totals += row
    return totals


@compiled
def scale_to_matching(starts: Integers, columns: Integers, logs: Floats, count: int, rounds: int) -> Floats:
    """Return weights that add up to 1 in each row and to at most 1, nearly, in each of `count` columns.

    Rows are given by `starts`, their columns and logarithms of weights by `columns` and `logs`, shape (p,). Sinkhorn
    (1964), A relationship between arbitrary positive matrices and doubly stochastic matrices.
    """
    weights, sums = np.empty(len(logs)), np.empty(count)
    for row in range(len(starts) - 1):
        best = -np.inf
        for place in range(starts[row], starts[row + 1]):
            best = max(best, logs[place])
        for place in range(starts[row], starts[row + 1]):
            weights[place] = np.exp(logs[place] - best)
    for number in range(rounds + 1):
        sums[:] = 0.0
        for row in range(len(starts) - 1):
            total = 0.0
            for place in range(starts[row], starts[row + 1]):
                total += weights[place]
            for place in range(starts[row], starts[row + 1]):
                weights[place] /= total
                sums[columns[place]] += weights[place]
        if number == rounds:
            break
        for place in range(len(weights)):
            weights[place] /= max(sums[columns[place]], 1.0)
    return weights
