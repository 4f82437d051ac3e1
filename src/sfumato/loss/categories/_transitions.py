"""Transitions: how probable each original category is once the masked one is seen, given or estimated."""

from dataclasses import dataclass

import numpy as np

from sfumato.comparison.side_by_side import CategoricalComparison
from sfumato.data import Category
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters import Matrix


@dataclass(frozen=True, eq=False)
class Posterior:
    """P(V = i | V' = j): the probability of each original category i once the masked category j is seen.

    Parameters
    ----------
    original, masked
        The codes i and j of each pair that can occur, every pair once, by rising i and then j.
    probability
        P(V = i | V' = j) of the pair; for each j they add up to 1.
    shares
        P(V = i), the share of each category among the original values.
    when_missing
        P(V = i | V' is missing): the shares, unless the matrix itself suppresses.
    """

    original: CodeColumn
    masked: CodeColumn
    probability: FloatColumn
    shares: FloatColumn
    when_missing: FloatColumn


def posterior(
    original: CodeColumn,
    masked: CodeColumn,
    weight: FloatColumn,
    shares: FloatColumn,
    when_missing: FloatColumn | None = None,
) -> Posterior:
    """Return the posterior of pairs (i, j), each once, whose joint probabilities are proportional to `weight`.

    Examples
    --------
    >>> shares, matrix = np.array([0.75, 0.25]), np.array([[0.8, 0.2], [0.4, 0.6]])  # P(V = i), P(V' = j | V = i)
    >>> known = posterior(*np.indices((2, 2)).reshape(2, -1), (shares[:, None] * matrix).ravel(), shares)
    >>> known.probability.round(3)  # Bayes: of the records that are now 0, 0.6 of 0.7 were 0 before
    array([0.857, 0.5  , 0.143, 0.5  ])
    """
    order = np.lexsort((masked, original))
    order = order[weight[order] > 0]
    i, j, joint = original[order], masked[order], weight[order]
    known = joint / np.bincount(j, weights=joint)[j]
    return Posterior(i, j, known, shares, shares if when_missing is None else when_missing)


def uncertainty(known: Posterior, masked: CodeColumn) -> FloatColumn:
    """Return H(V | V' = j) in bits for each masked code j, also where it is missing (eq. 2)."""
    by_code = np.bincount(known.masked, weights=_bits(known.probability), minlength=int(masked.max()) + 1)
    return np.append(by_code, entropy(known.when_missing))[masked]  # the last entry serves the code -1


def surprise(known: Posterior, original: CodeColumn, masked: CodeColumn) -> FloatColumn:
    """Return -log2 P(V = i | V' = j) for each pair of codes, also where j is missing; NaN where i is."""
    probability = np.full(masked.size, np.nan)
    there, suppressed = (original >= 0) & (masked >= 0), (original >= 0) & (masked < 0)
    probability[there] = known.probability[_places(known, original[there], masked[there])]
    probability[suppressed] = known.when_missing[original[suppressed]]
    bits: FloatColumn = 0.0 - np.log2(probability)
    return bits


def entropy(shares: FloatColumn) -> float:
    """Return the entropy of a distribution in bits.

    Examples
    --------
    >>> entropy(np.array([0.5, 0.25, 0.25, 0.0]))
    1.5
    """
    return float(_bits(shares[shares > 0]).sum())


def posteriors(who: str, files: CategoricalComparison, matrices: dict[str, Matrix]) -> list[Posterior]:
    """Return the posterior of each compared column: by Bayes from its matrix, or counted from the pairs of values."""
    foreign = [name for name in matrices if name not in files.names]
    if foreign:
        raise DataError(f"{who}.matrices must be of columns that are measured; got {', '.join(foreign)} beside them")
    found = []
    for place, name in enumerate(files.names):
        codes = files.original[:, place]
        counts = np.bincount(codes[codes >= 0], minlength=len(files.categories[place]))
        shares = counts / counts.sum()
        before, after = codes[files.rows], files.masked[:, place]
        there = (before >= 0) & (after >= 0)
        if name in matrices:
            known = _posterior_of_matrix(who, name, matrices[name], files.categories[place], shares)
            _check_possible(who, name, known, before[there], after[there])
            if not known.when_missing[before[(before >= 0) & (after < 0)]].all():
                raise DataError(_impossible(who, name, "suppressed values, which"))
        else:
            known = _count(before[there], after[there], shares)
        found.append(known)
    return found


def _bits(probability: FloatColumn) -> FloatColumn:
    return 0.0 - probability * np.log2(probability)  # 0.0 - makes a certain event 0 and not -0


def _count(original: CodeColumn, masked: CodeColumn, shares: FloatColumn) -> Posterior:
    """Return the posterior that the pairs of values have: of those now in j, the share that was in i."""
    pairs, counts = np.unique(original * shares.size + masked, return_counts=True)
    return posterior(*np.divmod(pairs, shares.size), counts.astype(np.float64), shares)


def _posterior_of_matrix(
    who: str, name: str, matrix: Matrix, categories: tuple[Category, ...], shares: FloatColumn
) -> Posterior:
    """Return the posterior under a Markov matrix, after checking its categories against those of the files."""
    place = {category: code for code, category in enumerate(categories)}
    lacking = sum(share > 0 and category not in matrix for category, share in zip(categories, shares, strict=True))
    if lacking:
        raise DataError(
            f"{who}.matrices: '{name}' has {format_count(lacking, 'category')} without a row in its matrix; add a "
            "row for each"
        )
    named = dict.fromkeys([*matrix, *(target for row in matrix.values() for target in row if target is not None)])
    unknown = [str(category) for category in named if category not in place]
    if unknown:
        raise DataError(
            f"{who}.matrices: '{name}' has no category {', '.join(unknown)}; list it in the 'categories' of the "
            f"schema, or leave it out of the matrix"
        )
    pairs = [
        (place[category], place[target], probability / sum(row.values()))
        for category, row in matrix.items()
        for target, probability in row.items()
        if target is not None
    ]
    original, masked, transition = np.array(pairs).reshape(-1, 3).T
    codes = original.astype(np.int64), masked.astype(np.int64)
    return posterior(*codes, shares[codes[0]] * transition, shares, _suppressed_shares(matrix, place, shares))


def _suppressed_shares(matrix: Matrix, place: dict[Category, int], shares: FloatColumn) -> FloatColumn:
    """Return the share of each category among what the matrix suppresses; of all values where it suppresses none."""
    suppressed = np.zeros(shares.size)
    for category, row in matrix.items():
        suppressed[place[category]] = shares[place[category]] * row.get(None, 0.0)
    return suppressed / suppressed.sum() if suppressed.any() else shares


def _check_possible(who: str, name: str, known: Posterior, original: CodeColumn, masked: CodeColumn) -> None:
    places = np.minimum(_places(known, original, masked), known.original.size - 1)
    impossible = (known.original[places] != original) | (known.masked[places] != masked)
    if impossible.any():
        raise DataError(_impossible(who, name, f"{np.count_nonzero(impossible)} records whose change"))


def _impossible(who: str, name: str, what: str) -> str:
    return (
        f"{who}.matrices: '{name}' has {what} has probability 0 in its matrix; give the matrix that the file was "
        f"masked with, or leave it out to have it estimated"
    )


def _places(known: Posterior, original: CodeColumn, masked: CodeColumn) -> CodeColumn:
    """Return the place of each pair of codes among those that can occur."""
    size = known.shares.size
    return np.searchsorted(known.original * size + known.masked, original * size + masked)
