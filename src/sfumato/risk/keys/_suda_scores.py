"""What the minimal sample uniques of a file add up to: scores of records, of keys and of categories."""

from dataclasses import dataclass
from math import comb, prod

import numpy as np

from sfumato.errors import DataError
from sfumato.kernels.keys.minimal_uniques import MAX_COLUMNS, MinimalUniques, minimal_uniques
from sfumato.keys.classes import MissingKeys
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn

MAX_SETS = 2**13  # sets of keys that are looked through in a bearable time


@dataclass(frozen=True, eq=False)
class SudaScores:
    """The minimal sample uniques of the records and what each counts.

    Parameters
    ----------
    uniques
        The record and the keys of each minimal sample unique.
    counted
        What each of them counts: the fewer keys, the more.
    records
        The number of records of the file.
    """

    uniques: MinimalUniques
    counted: FloatColumn
    records: int

    def per_record(self) -> FloatColumn:
        """Return the score of each record: the sum over its minimal sample uniques, 0 where it has none."""
        return np.bincount(self.uniques.rows, weights=self.counted, minlength=self.records).astype(np.float64)

    def through(self, key: int) -> FloatColumn:
        """Return what of each record's score comes from minimal sample uniques that hold a key."""
        holding = self.uniques.contains_column(key)
        rows, counted = self.uniques.rows[holding], self.counted[holding]
        return np.bincount(rows, weights=counted, minlength=self.records).astype(np.float64)

    def share(self, key: int) -> float:
        """Return the percent of all scores that comes from minimal sample uniques that hold a key."""
        total = float(self.counted.sum())
        return 100 * float(self.counted[self.uniques.contains_column(key)].sum()) / total if total else 0.0

    def shares_by_category(self, key: int, codes: CodeColumn, categories: int) -> FloatColumn:
        """Return the percent of all scores that comes from minimal sample uniques with each category of a key.

        The last entry is that of the records in which the key is missing.
        """
        total = float(self.counted.sum())
        held = np.bincount(np.where(codes >= 0, codes, categories), weights=self.through(key), minlength=categories + 1)
        return 100 * held / total if total else np.zeros(categories + 1)


def suda_scores(
    who: str, codes: CodeMatrix, max_size: int | None, missing: MissingKeys, copies: CodeColumn | None = None
) -> SudaScores:
    """Return the minimal sample uniques of some keys, and what each counts.

    With m keys and sets of up to M of them, one of s keys counts (m - s)(m - s - 1) ... (m - M + 1): the number of
    ways to come from it, key by key, to a set of M keys.

    Parameters
    ----------
    who
        The name of the measure that asks, for messages.
    codes
        The keys as codes, missing as -1 (keys x records).
    max_size
        The most keys in a minimal sample unique; all when not given.
    missing
        What a missing key is.
    copies
        How many records each row stands for, one when not given; those of several are never unique.

    Examples
    --------
    >>> keys = np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    >>> suda_scores("Suda", keys, None, MissingKeys.CATEGORY).per_record()
    array([2., 1., 1., 2.])
    """
    keys, records = codes.shape
    most = min(max_size or keys, keys)
    sets = sum(comb(keys, size) for size in range(1, most + 1))
    if keys > MAX_COLUMNS or sets > MAX_SETS:
        raise DataError(
            f"{who} would have to look through {sets} sets of up to {most} of {keys} keys; give fewer columns or a "
            f"smaller max_size, such as 3"
        )
    rows = np.arange(records) if copies is None else np.repeat(np.arange(records), np.minimum(copies, 2))
    found = minimal_uniques(codes[:, rows], most, matches_missing=missing is MissingKeys.WILDCARD)
    uniques = MinimalUniques(rows[found.rows], found.sets)
    by_size = np.array([prod(keys - i for i in range(size, most)) for size in range(most + 1)], dtype=np.float64)
    return SudaScores(uniques, by_size[uniques.sizes()], records)


def match_confidence(sizes: CodeColumn, fraction: float, copies: CodeColumn) -> float:
    """Return the probability that a match with a unique record is right, by data intrusion simulation.

    A record is taken out of the file and put back with the probability that it would be in the sample, and then looked
    for. If it was unique it is found there only if put back, and found rightly; if it had one double and was not put
    back, the double is found in its stead.

    Parameters
    ----------
    sizes
        For each record the number of records with its keys.
    fraction
        The share of the population that is in the sample, above 0 up to 1.
    copies
        How many records each size is that of.

    Examples
    --------
    >>> round(match_confidence(np.array([1, 1, 2, 3]), 0.1, np.array([1, 1, 2, 3])), 3)
    0.1
    """
    right = float(copies[sizes == 1].sum()) * fraction
    wrong = float(copies[sizes == 2].sum()) * (1 - fraction)
    return right / (right + wrong) if right else 0.0


def confidence_by_record(scores: FloatColumn, confidence: float, keys: int) -> FloatColumn:
    """Return the probability that a match with each record is right: the file's, spread by the scores.

    Each record with a score x gets the odds that are x^q times those of a record with score 1, q = 1 + (8 - keys) / 20
    (but not below 0), so that the odds against a right match are on average those of the file. A record without a
    score gets 0.

    Parameters
    ----------
    scores
        The score of each record.
    confidence
        The probability that a match with a unique record of this file is right.
    keys
        The number of keys.

    Examples
    --------
    >>> confidence_by_record(np.array([0.0, 1.0, 4.0]), 0.5, 8)
    array([0.        , 0.38461538, 0.71428571])
    """
    scored = scores > 0
    chances = np.zeros(scores.size)
    if not scored.any() or not confidence:
        return chances
    inverse = scores[scored] ** -max(1 + (8 - keys) / 20, 0.0)
    chances[scored] = 1 / (1 + (1 / confidence - 1) * inverse / inverse.mean())
    return chances
