"""What else of a file users rely on: spread and quantiles, rows that differ, and sums between variables."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix
from sfumato.reports.release.chapters.utility.category_shares import MIN_CATEGORY
from sfumato.reports.release.chapters.utility.compared_statistics import ComparedMean, numbers_of_both
from sfumato.reports.release.chapters.utility.judged_means import FAR

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
MAX_SUMMED = 16  # numbers among which sums are looked for
MIN_SUMMED = 20  # records with the total and all its terms that a sum must hold in
SIEVES = 4  # records that most subsets are ruled out by, beside one for each term
EQUAL = 1e-6  # of the total: sums that differ by less are equal
OFF = 1e-4  # of the mean total: released sums that differ by less were only rounded


class SumRule(NamedTuple):
    """A number of the original that is the sum of others in every record, and which these are."""

    total: str
    terms: tuple[str, ...]


def spread_changes(original: Microdata, released: Microdata, means: Sequence[ComparedMean]) -> dict[str, float]:
    """Return for each number how far its standard deviation, a quantile or the share of zeros moved, the worst of them.

    In percent of the standard deviation in the original, or of the records; quantiles and zeros count records once.
    Where the share that has an amount lost or gained more than half of itself, it moved too far.
    """
    halved = {one.name for one in changed_amount_shares(original, released, means)}
    found = {}
    for one in means:
        scale = one.deviation_before
        if not scale > 0:
            continue
        before, after = (_quantiles(data.values(one.name)) for data in (original, released))
        moved = [abs(one.deviation_after - scale), *np.abs(after - before).tolist()]
        zeros = [_zeros(data.values(one.name)) for data in (original, released)]
        found[one.name] = max(100 * max(moved) / scale, abs(zeros[1] - zeros[0]), 2 * FAR * (one.name in halved))
    return found


class AmountShare(NamedTuple):
    """A number, and the percent of its known values that are not 0, in both files."""

    name: str
    before: float
    after: float


def changed_amount_shares(original: Microdata, released: Microdata, means: Sequence[ComparedMean]) -> list[AmountShare]:
    """Return the numbers of which the share that is not 0 lost or gained more than half of itself, the worst first.

    Those that at least 10 persons have, as of categories: with few zeros a share of the records hides it.
    """
    found = []
    for one in means:
        shares = [100 - _zeros(data.values(one.name)) for data in (original, released)]
        persons = shares[0] * float(original.observed(one.name).sum()) / 100
        if persons >= MIN_CATEGORY and abs(shares[1] - shares[0]) > shares[0] / 2:
            found.append(AmountShare(one.name, *shares))
    return sorted(found, key=lambda each: -abs(each.after - each.before) / each.before)


def spread_moved(mean: ComparedMean) -> float:
    """Return how far a standard deviation moved, in percent of itself; errors that users compute move with it."""
    scale = mean.deviation_before
    return 100 * abs(mean.deviation_after - scale) / scale if scale > 0 else 0.0


def _zeros(values: FloatColumn) -> float:
    """Return the percent of the known values that are 0."""
    return 100 * float(np.mean(values[~np.isnan(values)] == 0))


def _quantiles(values: FloatColumn) -> FloatColumn:
    return np.asarray(np.quantile(values[~np.isnan(values)], QUANTILES), dtype=np.float64)


def different_rows(data: Microdata) -> int:
    """Return how many rows of a file differ in what they tell of persons, weights and numbers of households aside."""
    names = [one.name for one in data.schema.variables if one.role in CONTENT_ROLES]
    return len(data.table.select(names).unique()) if names and data.n else data.n


def find_sums(original: Microdata, released: Microdata) -> list[SumRule]:
    """Return the numbers of the original that are the sum of two or more others in every record that has all of these.

    Looked for among the first 16 numbers that both files have; of several sums of one number the shortest.
    """
    names = numbers_of_both(original, released)[:MAX_SUMMED]
    if len(names) < 3:
        return []
    matrix = original.matrix(names)
    found = []
    for place, name in enumerate(names):
        terms = _terms_of(matrix, place)
        if terms:
            found.append(SumRule(name, tuple(names[term] for term in terms)))
    return found


def _terms_of(matrix: FloatMatrix, place: int) -> tuple[int, ...]:
    """Return the columns, two or more, that add up to one in every record that has them; nothing where none do."""
    matrix = matrix[~np.isnan(matrix[:, place])]
    told = ~np.isnan(matrix) & (matrix != 0)
    others = [one for one in range(matrix.shape[1]) if one != place and told[:, one].any()]
    fits = _seen_together(matrix[:, others])
    for row in matrix[_sieves(told, others)]:
        sums = np.zeros(1)
        for one in others:  # subset i holds the term j where bit j of i is set; a gap rules nothing out
            sums = np.concatenate([sums, sums + row[one]])
        fits &= ~(np.abs(sums - row[place]) > EQUAL * max(abs(float(row[place])), 1.0))
    subsets = [tuple(one for bit, one in enumerate(others) if index >> bit & 1) for index in np.flatnonzero(fits)]
    for terms in sorted((one for one in subsets if len(one) > 1), key=len):
        if _is_sum(matrix, place, terms):
            return terms
    return ()


def _seen_together(matrix: FloatMatrix) -> Booleans:
    """Tell which subsets of the columns have no two that hardly any record has both of."""
    known = ~np.isnan(matrix)
    subsets = np.arange(1 << known.shape[1])
    fits = np.ones(subsets.size, dtype=np.bool_)
    for one, two in combinations(range(known.shape[1]), 2):
        if np.count_nonzero(known[:, one] & known[:, two]) < MIN_SUMMED:
            fits &= ~((subsets >> one & subsets >> two & 1) == 1)
    return fits


def _sieves(told: Booleans, others: Sequence[int]) -> list[int]:
    """Return the records that tell most, and of those with each term the one that tells most."""
    order = np.argsort(-told.sum(axis=1), kind="stable")
    each = [int(order[np.argmax(told[order, one])]) for one in others]
    return [*dict.fromkeys([*order[:SIEVES].tolist(), *each])]


def _is_sum(matrix: FloatMatrix, place: int, terms: tuple[int, ...]) -> bool:
    """Tell whether terms add up in every record that has them and their total, none of them being 0 in all of these."""
    rows = matrix[:, (place, *terms)]
    rows = rows[~np.isnan(rows).any(axis=1)]
    if len(rows) < MIN_SUMMED or not (rows[:, 1:] != 0).any(axis=0).all():
        return False
    total = rows[:, 0]
    return bool((np.abs(rows[:, 1:].sum(axis=1) - total) <= EQUAL * np.maximum(np.abs(total), 1.0)).all())


def broken_share(released: Microdata, rule: SumRule) -> float:
    """Return in how many of the released records that have all its numbers a sum does not hold, in percent."""
    matrix = released.matrix((rule.total, *rule.terms))
    matrix = matrix[~np.isnan(matrix).any(axis=1)]
    if not len(matrix):
        return 0.0
    gaps = np.abs(matrix[:, 1:].sum(axis=1) - matrix[:, 0])
    return 100 * float((gaps > max(OFF * float(np.abs(matrix[:, 0]).mean()), EQUAL)).mean())
