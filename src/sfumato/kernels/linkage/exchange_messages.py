"""Send messages along exchanges that are not certain: which pairs of records confirm each other, and how much.

In a column, person i shows the value of a partner o, and o that of i. Let masked record j come from i: it shows the
value of o with weight w(j, o), the swap joins i and o with chance d(i, o), and some masked record k comes from o, which
shows the value of i. What the column says of the pair (j, i) is thus

    M(j, i) = sum over o of w(j, o) d(i, o) t(o, i),    t(o, i) = sum over k of P(k, o) w(k, i),

where P(k, o) is what is believed of the pair (k, o) by all other columns: sum-product belief propagation (Kschischang,
Frey and Loeliger 2001, Factor graphs and the sum-product algorithm).
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers

FLOOR = 0.002  # of what a column says of a pair of which nothing is known: no column rules a pair out by itself
NEGLIGIBLE = 1e-3  # a belief, in parts of that in a pair of which nothing is known
SMALLEST = 1e-300


class CandidatePairs(NamedTuple):
    """Pairs of a masked record and an original that may be the same person, by masked record and by original.

    Parameters
    ----------
    starts
        Where the pairs of each masked record start, with the end, shape (m + 1,).
    originals, records
        The original and the masked record of each pair, shape (p,).
    original_starts, by_original
        Where the pairs of each original start in `by_original`, with the end, shapes (n + 1,) and (p,).
    """

    starts: Integers
    originals: Integers
    records: Integers
    original_starts: Integers
    by_original: Integers


class ExchangedCells(NamedTuple):
    """Whose value each masked record may show in a column, and who may have exchanged values.

    Parameters
    ----------
    starts
        Where the owners of the value of each masked record start, with the end, shape (m + 1,).
    owners, weights
        Owners as places in `order`, rising for each masked record, and the chance that the value is theirs.
    order
        The originals that have a value, such that the owners of a value lie near each other.
    ranks, levels
        Where the value of each original stands, from 0 to 1, and its row in `chances`; -1 where it has none.
    chances
        The chance of an exchange with a partner so far up or down, by level, shape (levels, 2 h + 1): in steps of 1/h.
    totals
        For each original the sum of the chances over all partners, shape (n,).
    groups
        Only originals of one group exchange values, shape (n,).
    stays
        The chance that a value stays where it is.
    unshown
        How far no masked record shows the value of each original, beside the mean, shape (n,): what those show who are
        left out.
    """

    starts: Integers
    owners: Integers
    weights: Floats
    order: Integers
    ranks: Floats
    levels: Integers
    chances: Floats
    totals: Floats
    groups: Integers
    stays: float
    unshown: Floats


def pairs_of(starts: Integers, originals: Integers, count: int) -> CandidatePairs:
    """Return pairs that are given by masked record with those of each of `count` originals."""
    records = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    by_original = np.argsort(originals, kind="stable")
    original_starts = np.searchsorted(originals[by_original], np.arange(count + 1))
    return CandidatePairs(starts, originals, records, original_starts, by_original)


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
    records = some[np.argsort(cells.owners[firsts[some]], kind="stable")]
    width = int(spans.max()) + 1
    is_sparse = _is_sparse(pairs, cells)

    def run(piece: slice) -> None:
        if is_sparse:
            _send_few(records[piece], pairs, beliefs, cells, messages)
        else:
            _send(records[piece], width, pairs, beliefs, cells, messages)

    run_in_threads(run, len(records))
    return messages


def _is_sparse(pairs: CandidatePairs, cells: ExchangedCells) -> bool:
    """Tell whether so few pairs are left that each is sooner looked at by itself than all originals of each owner."""
    by_record, cells_by_record = np.diff(pairs.starts), np.diff(cells.starts)
    shown = 2.0 * len(cells.owners) * by_record.mean() * cells_by_record.mean()
    asked = 8.0 * float(by_record @ cells_by_record)  # a look costs several times what a place of a filled row does
    return bool(shown + asked < float(len(np.unique(cells.owners))) * len(cells.ranks))


@compiled
def _send(
    records: Integers,
    width: int,
    pairs: CandidatePairs,
    beliefs: Floats,
    cells: ExchangedCells,
    messages: Floats,
) -> None:
    """Fill the messages (output) of some masked records, in the order of their first owners."""
    count, originals = len(cells.ranks), pairs.originals
    rows, held = np.zeros((width, count)), np.full(width, -1, dtype=np.int64)
    sums = np.empty(count)
    for record in records:
        start, end = pairs.starts[record], pairs.starts[record + 1]
        sums[: end - start] = FLOOR / count
        for cell in range(cells.starts[record], cells.starts[record + 1]):
            place, weight = cells.owners[cell], cells.weights[cell]
            row = rows[place % width]
            if held[place % width] != place:
                _fill(row, cells.order[place], pairs, beliefs, cells)
                held[place % width] = place
            for pair in range(start, end):
                sums[pair - start] += weight * row[originals[pair]]
        for pair in range(start, end):
            messages[pair] = np.log(sums[pair - start])


@compiled
def _send_few(
    records: Integers, pairs: CandidatePairs, beliefs: Floats, cells: ExchangedCells, messages: Floats
) -> None:
    """Fill the messages (output) as `_send` does, to the last bit, without what is not asked for."""
    count, originals = len(cells.ranks), pairs.originals
    chances, ranks, levels, groups = cells.chances, cells.ranks, cells.levels, cells.groups
    half = chances.shape[1] // 2
    shown, sums = np.zeros(count), np.empty(count)
    for record in records:
        start, end = pairs.starts[record], pairs.starts[record + 1]
        for pair in range(start, end):
            sums[pair - start] = FLOOR / count
        for cell in range(cells.starts[record], cells.starts[record + 1]):
            owner, weight = cells.order[cells.owners[cell]], cells.weights[cell]
            rest = max(1.0 - _show(shown, owner, pairs, beliefs, cells), 0.0) / count
            last = ranks[owner] * half + half + 0.5
            for pair in range(start, end):
                original, said = originals[pair], 0.0
                if levels[original] >= 0 and levels[owner] >= 0 and groups[original] == groups[owner]:
                    said = chances[levels[original], int(last - ranks[original] * half)]
                said *= count * (shown[original] + rest * cells.unshown[original]) / cells.totals[original]
                sums[pair - start] += weight * (cells.stays if original == owner else said)
            _hide(shown, owner, pairs, cells)
        for pair in range(start, end):
            messages[pair] = np.log(sums[pair - start])


@compiled
def _show(shown: Floats, owner: int, pairs: CandidatePairs, beliefs: Floats, cells: ExchangedCells) -> float:
    """Add to `shown` (output) whose values are shown by those who may come from one original; return who is told of."""
    told = 0.0
    for at in range(pairs.original_starts[owner], pairs.original_starts[owner + 1]):
        record, belief = pairs.records[pairs.by_original[at]], beliefs[pairs.by_original[at]]
        first, last = cells.starts[record], cells.starts[record + 1]
        if first < last and belief * len(shown) > NEGLIGIBLE:
            told += belief
            for cell in range(first, last):
                shown[cells.order[cells.owners[cell]]] += belief * cells.weights[cell]
    return told


@compiled
def _hide(shown: Floats, owner: int, pairs: CandidatePairs, cells: ExchangedCells) -> None:
    """Put `shown` (output) back to 0."""
    for at in range(pairs.original_starts[owner], pairs.original_starts[owner + 1]):
        record = pairs.records[pairs.by_original[at]]
        for cell in range(cells.starts[record], cells.starts[record + 1]):
            shown[cells.order[cells.owners[cell]]] = 0.0


@compiled
def _fill(row: Floats, owner: int, pairs: CandidatePairs, beliefs: Floats, cells: ExchangedCells) -> None:
    """Fill `row` (output) with n d(i, o) t(o, i) for one o and all i, and with the chance to stay for o itself."""
    count = len(row)
    _fill_chances(row, owner, cells.ranks, cells.levels, cells.chances, cells.groups)
    shown = np.zeros(count)
    told = _show(shown, owner, pairs, beliefs, cells)
    rest = max(1.0 - told, 0.0) / count  # of o is not known whose value it shows
    for original in range(count):
        row[original] *= count * (shown[original] + rest * cells.unshown[original]) / cells.totals[original]
    row[owner] = cells.stays


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
