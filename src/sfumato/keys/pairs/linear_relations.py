"""Columns of numbers that others give as a sum of multiples: a total of seven parts among hundreds of columns.

A fit by all columns needs records that have all of them, and several for each. A total has few parts: they are taken
one by one (forward selection), so that neither gaps in other columns nor their number matter.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from sfumato.keys.pairs._trimmed_fits import FITTED, central_width
from sfumato.keys.pairs.pair_amounts import MIN_FITTED
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix

LOOKED_AT = 1_000  # records, by which columns are chosen
FAR = 20  # times the usual distance from the middle: farther values, as wrong entries may be, count as such at first
MAX_CHOSEN = 40  # columns; a total that needs more is not looked for
MIN_FOR_EACH = 5  # records that have all chosen columns, for each of them: of fewer a fit says nothing
MIN_WHERE_ROUNDED = 20  # of them, where the columns give the number nearly and not exactly, as they may by chance
DEPENDENT = 1e-6  # of the variance of a column, left by the chosen ones: it adds nothing
EXPLAINED = 0.6  # of the variance of a number, at first: columns that explain less hardly give it, gaps or not
EXACT = 1e-7  # of the range of a number, left open at the end in half of the records that fit: there is no more to find
WITHIN = 0.01  # of that range: a sum that leaves more open does not give the number
ROUNDS = 4  # of leaving aside those that fit worst


def linear_relations(columns: Mapping[str, FloatColumn]) -> dict[str, tuple[str, ...]]:
    """Return the columns that are a sum of multiples of others in most records, each with as few others as give it.

    Columns with the largest values come first, as totals have; what is a part of an exact one is not looked at again.

    Parameters
    ----------
    columns
        The columns, whose records are in random order; any may have gaps.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> columns = {f"q{place}": rng.integers(0, 90, 300).astype(float) for place in range(250)}
    >>> columns["total"] = sum(columns[name] for name in ("q3", "q77", "q150", "q240"))
    >>> for column in columns.values():
    ...     column[rng.random(300) < 0.05] = np.nan
    >>> linear_relations(columns)["total"]
    ('q3', 'q77', 'q150', 'q240')
    """
    names = [name for name, column in columns.items() if _varies(column[:LOOKED_AT])]
    if len(names) < 2:
        return {}
    values = np.column_stack([columns[name][:LOOKED_AT] for name in names])
    near = np.column_stack([_cut(column) for column in values.T])
    correlations, lack = _correlations(near), float(np.mean(near != values))
    found, parts = dict[str, tuple[str, ...]](), set[int]()
    promising = np.flatnonzero(_may_be_explained(correlations))
    for target in promising[np.argsort(-np.nanmean(np.abs(near[:, promising]), axis=0), kind="stable")]:
        first = [] if target in parts else _explaining(correlations, int(target), len(near), lack)
        chosen, is_exact = _completed(values, int(target), first) if first else ([], False)
        if chosen:
            found[names[target]] = tuple(names[place] for place in sorted(chosen))
        parts |= {*chosen} if is_exact else set()
    return found


def sources_of(name: str, relations: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the sets of columns that give a number: the parts of a total, and the total with its other parts.

    Examples
    --------
    >>> sources_of("wage", {"income": ("wage", "rent", "pension")})
    [('income', 'rent', 'pension')]
    """
    own = [tuple(relations[name])] if name in relations else []
    of_totals = [
        (total, *(part for part in parts if part != name)) for total, parts in relations.items() if name in parts
    ]
    return [*own, *of_totals]


def _varies(column: FloatColumn) -> bool:
    known = column[np.isfinite(column)]
    return known.size >= MIN_FITTED and bool(np.ptp(known))


def _may_be_explained(correlations: FloatMatrix) -> Booleans:
    """Tell of which columns all others together may explain enough: what a sum of some explains is no more."""
    eased = correlations + DEPENDENT * np.eye(len(correlations))
    if np.linalg.eigvalsh(eased)[0] <= 0:  # correlations over different records
        return np.ones(len(eased), dtype=np.bool_)
    return np.asarray(1 - 1 / np.diagonal(np.linalg.inv(eased)) >= EXPLAINED)


def _explaining(correlations: FloatMatrix, target: int, records: int, lack: float) -> list[int]:
    """Return which columns explain most of one, each chosen by what it adds; none where they do not."""
    swept, chance = correlations.copy(), _by_chance(len(correlations), records)
    own, left = np.diagonal(swept), swept[target]
    chosen: list[int] = []
    free = np.arange(len(swept)) != target
    while free.any() and len(chosen) < min(MAX_CHOSEN, records // MIN_FOR_EACH):
        added = np.where(free, left**2 / np.where(free, own, 1.0), 0.0)
        best = int(added.argmax())
        if added[best] <= chance * (left[target] + lack):  # correlations over different records do not fit each other
            break
        _sweep(swept, best)
        chosen.append(best)
        free &= own > DEPENDENT
        free[chosen] = False
    return chosen if left[target] <= 1 - EXPLAINED else []


def _completed(columns: FloatMatrix, target: int, chosen: list[int]) -> tuple[list[int], bool]:
    """Return the columns that give one of them, with some that explain most of it, and whether they give it exactly.

    There are none where they leave it open.
    """
    columns = columns / np.nanmean(np.abs(columns), axis=0)
    known = np.isfinite(columns)
    wanted, whole = columns[:, target], central_width(columns[known[:, target], target])
    while not _are_enough(rows := np.flatnonzero(known[:, [target, *chosen]].all(axis=1)), chosen):
        if not chosen:
            return [], False
        chosen = chosen[:-1]  # what adds least
    while True:
        factors, rest, fitting = _fit(columns[rows][:, chosen], wanted[rows])
        if np.median(np.abs(rest[fitting])) <= EXACT * whole or len(chosen) == MAX_CHOSEN:
            break
        best, explained = _next_column(columns[rows[fitting]], rest[fitting], [target, *chosen])
        having = rows[known[rows, best]]
        if explained <= _by_chance(columns.shape[1], fitting.size) or not _are_enough(having, [*chosen, best]):
            break
        chosen, rows = [*chosen, best], having
    usual, open_at_most = float(np.median(np.abs(rest[fitting]))), float(np.abs(rest[fitting]).max())
    if usual > WITHIN * whole or (usual > EXACT * whole and rows.size < MIN_WHERE_ROUNDED * len(chosen)):
        return [], False
    added = np.abs(factors) * np.array([np.ptp(columns[rows, place]) for place in chosen])
    needed = [place for place, one in zip(chosen, added, strict=True) if one > max(EXACT * whole, open_at_most)]
    return needed, usual <= EXACT * whole


def _are_enough(rows: CodeColumn, chosen: Sequence[int]) -> bool:
    """Tell whether so many records have all chosen columns that a fit by these says something."""
    return bool(rows.size >= max(MIN_FITTED, MIN_FOR_EACH * len(chosen)))


def _next_column(columns: FloatMatrix, rest: FloatColumn, used: list[int]) -> tuple[int, float]:
    """Return the column, beside those that are used, that explains most of what they leave open, and which part."""
    known = np.isfinite(columns)
    seen, filled = known.astype(np.float64), np.where(known, columns, 0.0)
    centred = np.where(known, columns - filled.sum(axis=0) / np.maximum(seen.sum(axis=0), 1), 0.0)
    spread, left = (centred**2).sum(axis=0), rest - rest.mean()
    is_free = (spread > 0) & (seen.sum(axis=0) >= MIN_FITTED / 2)
    is_free[used] = False
    open_before = np.maximum(left**2 @ seen, np.finfo(np.float64).tiny)
    explained = np.where(is_free, (left @ centred) ** 2 / np.where(is_free, spread, 1.0) / open_before, 0.0)
    best = int(explained.argmax())
    return best, float(explained[best])


def _fit(columns: FloatMatrix, target: FloatColumn) -> tuple[FloatColumn, FloatColumn, CodeColumn]:
    """Return the factors of columns, what they leave open of a target, and the records that fit best."""
    design = np.column_stack([columns, np.ones(target.size)])
    kept = max(int(FITTED * target.size), min(design.shape[1], target.size))
    factors, rest, fitting = np.zeros(design.shape[1]), target, np.arange(target.size)
    for _ in range(ROUNDS):
        factors = np.linalg.lstsq(design[fitting], target[fitting], rcond=None)[0]
        rest = target - design @ factors
        fitting = np.argpartition(np.abs(rest), kept - 1)[:kept]
    return factors[:-1], rest, fitting


def _by_chance(columns: int, records: int) -> float:
    """Return which part of what is left the best of so many columns explains by chance."""
    return float(2 * np.log(columns + 1) / records)


def _sweep(matrix: FloatMatrix, place: int) -> None:
    """Take out of a matrix of correlations what one column explains of the others (Goodnight 1979)."""
    row = matrix[place].copy()
    pivot = row[place]
    matrix -= np.outer(row, row) / pivot
    matrix[place] = matrix[:, place] = row / pivot
    matrix[place, place] = -1 / pivot


def _correlations(columns: FloatMatrix) -> FloatMatrix:
    """Return the correlations of columns, each over the records that have both; 0 for one that does not vary."""
    known = np.isfinite(columns)
    seen, filled = known.astype(np.float64), np.where(known, columns, 0.0)
    centred = np.where(known, columns - filled.sum(axis=0) / np.maximum(seen.sum(axis=0), 1), 0.0)
    products = centred.T @ centred / np.maximum(seen.T @ seen, 1)
    spread = np.sqrt(np.diagonal(products))
    scale = np.where(spread > 0, 1 / np.where(spread > 0, spread, 1.0), 0.0)
    return np.asarray(products * np.outer(scale, scale))


def _cut(column: FloatColumn) -> FloatColumn:
    """Return a column with its far values, among which wrong entries are, drawn nearer."""
    known = np.isfinite(column)
    middle = np.median(column[known])
    away = np.abs(column[known] - middle)
    far = FAR * (np.median(away) or away.mean())
    return np.asarray(np.clip(column, middle - far, middle + far))
