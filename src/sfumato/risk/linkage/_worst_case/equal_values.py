"""Equal values: an intruder links the records that share most values, rare values above all."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.risk.linkage._assignment import Links, chances_of_being_right, classes, link_candidates
from sfumato.risk.linkage._candidates import GOLDEN, SILVER, lots

MAX_HOLDERS = 100  # a value that more original records have tells little and would make many pairs


def equal_value_share(original: FloatMatrix, masked: FloatMatrix, rows: Rows, count: int) -> FloatColumn:
    """Return for each masked record the chance that the links of equal values lead to the original in its row.

    Records are taken in the order of their lots, and those that are equal to others share what their links get.
    """
    before = np.argsort(lots(np.arange(len(original)), GOLDEN), kind="stable")
    after = np.argsort(lots(rows, SILVER), kind="stable")
    found = equal_value_links(original[before], masked[after], count)
    links = Links(after[found.masked_rows], before[found.original_rows], found.weights)
    alike = [classes(file, np.zeros(len(file), dtype=np.int64)) for file in (original, masked)]
    return chances_of_being_right(links, rows, alike[0], alike[1])[1]


def equal_value_links(original: FloatMatrix, masked: FloatMatrix, count: int) -> Links:
    """Link the records that have equal values, one to one, with the largest total weight.

    A value that f of n original records have weighs log(n / f). Each masked record may be linked to the `count`
    originals that it has most in common with. Missing values are equal to none.

    Examples
    --------
    >>> original, masked = np.array([[1.0, 7.0], [2.0, 8.0], [3.0, 8.0]]), np.array([[3.0, 7.5], [2.0, 8.0]])
    >>> links = equal_value_links(original, masked, count=3)
    >>> links.masked_rows.tolist(), links.original_rows.tolist()
    ([1, 0], [1, 2])
    """
    pairs, weights = _sum_by_pair(*_pairs(original, masked))
    candidates, gains = _heaviest(pairs // len(original), pairs % len(original), weights, len(masked), count)
    linked, weight = link_candidates(candidates, gains, 0.0, len(original))
    by_weight = np.argsort(-weight, kind="stable")
    some = by_weight[linked[by_weight] >= 0]
    return Links(some, linked[some], weight[some])


def _pairs(original: FloatMatrix, masked: FloatMatrix) -> tuple[list[CodeColumn], list[FloatColumn]]:
    """Return, column by column, the pairs of records that share a value, as masked row * n + original row, and why."""
    pairs, weights = [], []
    for known, column in zip(original.T, masked.T, strict=True):
        order = np.argsort(known, kind="stable")  # missing comes last
        rising = known[order][: np.count_nonzero(~np.isnan(known))]
        first, behind = (np.searchsorted(rising, column, side=side) for side in ("left", "right"))
        held = np.where(np.isnan(column), 0, behind - first)
        rows = np.flatnonzero((held > 0) & (held <= MAX_HOLDERS) & (held < len(rising)))
        place = np.repeat(first[rows] - np.cumsum(held[rows]) + held[rows], held[rows]) + np.arange(held[rows].sum())
        pairs.append(np.repeat(rows, held[rows]) * len(original) + order[place])
        weights.append(np.repeat(np.log(len(rising) / np.maximum(held[rows], 1)), held[rows]))
    return pairs, weights


def _sum_by_pair(pairs: list[CodeColumn], weights: list[FloatColumn]) -> tuple[CodeColumn, FloatColumn]:
    """Return each pair once, with the sum of its weights."""
    if not pairs:
        return np.empty(0, dtype=np.int64), np.empty(0)
    once, place = np.unique(np.concatenate(pairs), return_inverse=True)
    sums = np.bincount(place, weights=np.concatenate(weights), minlength=len(once))
    return once, np.asarray(sums, dtype=np.float64)


def _heaviest(
    masked_rows: Rows, original_rows: Rows, weights: FloatColumn, records: int, count: int
) -> tuple[CodeMatrix, FloatMatrix]:
    """Return the heaviest `count` originals of each masked record and their weights; -1 and 0 where there are fewer."""
    order = np.lexsort((-weights, masked_rows))
    rows = masked_rows[order]
    place = np.arange(len(rows)) - np.searchsorted(rows, rows)  # among those of the same record
    some = place < count
    candidates, gains = np.full((records, count), -1, dtype=np.int64), np.zeros((records, count))
    candidates[rows[some], place[some]] = original_rows[order][some]
    gains[rows[some], place[some]] = weights[order][some]
    return candidates, gains
