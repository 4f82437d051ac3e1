"""Log-linear models of the table of the keys: which margins they keep, and how many records they expect in a cell."""

from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np

from sfumato.errors import ParameterError, did_you_mean
from sfumato.kernels.keys.counting import classes_of
from sfumato.kernels.keys.raking import fit_margins
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn

MAIN_EFFECTS, TWO_WAY = "main_effects", "two_way"
MAX_CELLS = 2_000_000  # of a table that is fitted; about 200 megabytes with seven keys and all two-way margins
TRIED = 10  # times as many cells are tried, most of which have an empty margin
TOLERANCE = 1e-4  # records that a fitted margin may be off
MAX_ROUNDS = 1000

Margins = tuple[tuple[int, ...], ...]
"""The margins that a model keeps, each as the places of its keys; none is part of another."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted model.

    Parameters
    ----------
    expected
        The expected number of records in each cell that has one.
    squares
        The sum of the squares of the expected numbers over all cells, those without a record too.
    off
        How many records the worst margin is off.
    """

    expected: FloatColumn
    squares: float
    off: float = 0.0

    def dispersion(self, counts: FloatColumn) -> float:
        """Return by how many standard deviations the counts vary more than those of the model would (less: below 0)."""
        unseen = self.squares - float((self.expected**2).sum())
        return (float(((counts - self.expected) ** 2 - counts).sum()) + unseen) / float(np.sqrt(2 * self.squares))


def margins_of(who: str, model: str, names: tuple[str, ...]) -> Margins:
    """Return the margins of a model: that of each key, of each two, or those that a formula names.

    Examples
    --------
    >>> margins_of("LogLinearRisk", "two_way", ("region", "sex", "age"))
    ((0, 1), (0, 2), (1, 2))
    >>> margins_of("LogLinearRisk", "region * sex + age", ("region", "sex", "age"))
    ((0, 1), (2,))
    """
    if model == MAIN_EFFECTS:
        return tuple((place,) for place in range(len(names)))
    if model == TWO_WAY:
        return tuple(combinations(range(len(names)), min(2, len(names))))
    terms = [[name.strip() for name in term.split("*")] for term in model.split("+")]
    for name in (name for term in terms for name in term):
        if name not in names:
            raise ParameterError([f"{who}.model: {_unknown_key(name, names)}"])
    left = [name for name in names if not any(name in term for term in terms)]
    if left:
        raise ParameterError(
            [f"{who}.model leaves out {', '.join(map(repr, left))}; add '+ {left[0]}', or take it out of columns"]
        )
    sets = {tuple(sorted({names.index(name) for name in term})) for term in terms}
    return tuple(sorted(margin for margin in sets if not any(set(margin) < set(other) for other in sets)))


def fit_model(cells: CodeMatrix, counts: FloatColumn, margins: Margins, tolerance: float = TOLERANCE) -> Fit | None:
    """Return the most likely expected counts of a model that keeps some margins; None where the table is too large.

    Margins without a common key are independent, and the expected counts are products of their shares. Otherwise they
    are found by iterative proportional fitting over all cells that can have a record, which are those whose margins all
    have one.

    Parameters
    ----------
    cells
        The cells that have a record, as codes from 0 (keys x cells).
    counts
        How many records each has.
    margins
        What the model keeps.
    tolerance
        How many records a fitted margin may be off.
    """
    if sum(map(len, margins)) == len(cells):
        return _fit_independence(cells, counts, margins)
    possible = possible_cells(cells, margins)
    if possible is None:
        return None
    seen = cells.shape[1]
    places, wanted, starts = [], [], [0]
    for margin in margins:
        keys = list(margin)
        entries = classes_of(np.concatenate([cells[keys], possible[keys]], axis=1))
        places.append(entries.numbers[seen:] + starts[-1])
        wanted.append(np.bincount(entries.numbers[:seen], weights=counts, minlength=entries.count))
        starts.append(starts[-1] + entries.count)
    expected = np.ones(possible.shape[1])
    _, off = fit_margins(
        expected, np.array(places, dtype=np.int32), np.concatenate(wanted), np.array(starts), tolerance, MAX_ROUNDS
    )
    together = classes_of(np.concatenate([cells, possible], axis=1)).numbers
    of_class = np.zeros(expected.size)
    of_class[together[seen:]] = expected
    return Fit(of_class[together[:seen]], float((expected**2).sum()), off)


def possible_cells(cells: CodeMatrix, margins: Margins, most: int = MAX_CELLS) -> CodeMatrix | None:
    """Return the cells in which no margin is empty (keys x cells), found key by key; None for more than `most`.

    Examples
    --------
    >>> possible_cells(np.array([[0, 1, 1], [0, 0, 1], [0, 1, 1]]), ((0, 1), (1, 2))).tolist()
    [[0, 0, 1, 1, 1], [0, 0, 0, 0, 1], [0, 1, 0, 1, 1]]
    """
    found = np.zeros((0, 1), dtype=np.int64)
    for key in range(len(cells)):
        categories = int(cells[key].max()) + 1
        if found.shape[1] * categories > TRIED * most:
            return None
        known = [[place for place in margin if place <= key] for margin in margins if key in margin]
        step = max(most // found.shape[1], 1)  # so many categories at a time, that memory stays bounded
        parts = []
        for first in range(0, categories, step):
            parts.append(_extend_cells(found, np.arange(first, min(first + step, categories)), cells, known))
            if sum(part.shape[1] for part in parts) > most:
                return None
        found = np.concatenate(parts, axis=1)
    return found


def _extend_cells(found: CodeMatrix, categories: CodeColumn, cells: CodeMatrix, known: list[list[int]]) -> CodeMatrix:
    """Return the cells with each of some categories of the next key, as far as none of the margins is empty."""
    grown = np.vstack([np.repeat(found, categories.size, axis=1), np.tile(categories, found.shape[1])])
    for keys in known:
        grown = grown[:, _occurs(grown[keys], cells[keys])]
    return grown


def _fit_independence(cells: CodeMatrix, counts: FloatColumn, margins: Margins) -> Fit:
    """Return the fit of margins that share no key: each cell has the product of their shares."""
    n = float(counts.sum())
    entries = [classes_of(cells[list(margin)]) for margin in margins]
    shares = [entry.totals(counts) / n for entry in entries]
    expected = n * reduce(np.multiply, [share[entry.numbers] for share, entry in zip(shares, entries, strict=True)])
    return Fit(expected, n**2 * float(np.prod([(share**2).sum() for share in shares])))


def _occurs(asking: CodeMatrix, cells: CodeMatrix) -> Booleans:
    """Tell for each column of `asking` whether `cells` has it too."""
    together = classes_of(np.concatenate([cells, asking], axis=1))
    last = int(together.numbers[: cells.shape[1]].max())  # numbers come in the order of their first appearance
    return np.asarray(together.numbers[cells.shape[1] :] <= last, dtype=np.bool_)


def _unknown_key(name: str, names: tuple[str, ...]) -> str:
    if not name:
        return "a name is missing beside '+' or '*'; write for example 'region * sex + age'"
    near = did_you_mean(name, (*names, MAIN_EFFECTS, TWO_WAY))
    return f"'{name}' is not one of the columns" + (near or f", which are {', '.join(names)}")
