"""Who stands where in a part of a file that keeps its order, where it is not certain who belongs to that part.

A record has the rank r in the part if just so many of those below it belong to it. How probable that is, is a sum over
all ways to choose them: exact for independent records, and given how many belong to it.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows

UNSURE = 1e-3  # of whom nobody is surer that they belong to the part, or do not
LOWEST = -60.0


@dataclass(frozen=True, eq=False)
class Ranks:
    """Who has a value, in rising order, in both files, and who of these has the same as others."""

    originals: Rows
    masked: Rows
    ties: tuple[CodeColumn, CodeColumn]
    shape: tuple[int, int]

    @classmethod
    def of(cls, before: FloatColumn, after: FloatColumn) -> "Ranks":
        """Return the ranks of a column in both files: of those who may belong to the part, and of its values."""
        orders = [
            np.argsort(column, kind="stable")[: np.count_nonzero(~np.isnan(column))] for column in (before, after)
        ]
        ties = [
            np.unique(column[order], return_inverse=True)[1]
            for column, order in zip((before, after), orders, strict=True)
        ]
        return cls(orders[0], orders[1], (ties[0], ties[1]), (len(after), len(before)))

    def log_chances(self, drawn: FloatColumn, present: FloatColumn | None = None) -> FloatMatrix:
        """Return the logarithm of how probable each original is for each masked record, by ranks alone.

        Nothing is told of missing values.

        Parameters
        ----------
        drawn
            How probable it is of each original that it is in the sample.
        present
            How probable it is of each masked record that it belongs to the part; certain where it is not given.
        """
        chance = np.clip(drawn[self.originals], UNSURE, 1 - UNSURE)
        count = len(self.masked)
        if present is None:
            below, above = _numbers_drawn(chance, count), _numbers_drawn(chance[::-1], count)[::-1]
            chances = below[:-1] * above[1:, ::-1]  # so many below, and all others above
        else:
            chances = _as_many(chance, np.clip(present[self.masked], UNSURE, 1 - UNSURE))
        chances = chances / np.maximum(chances.sum(axis=0), 1e-300)
        chances = _means(_means(chances, self.ties[0]).T, self.ties[1])  # equal values stand in any order
        logs = np.zeros(self.shape)
        logs[np.ix_(self.masked, self.originals)] = np.maximum(np.log(np.maximum(chances, 1e-300)), LOWEST)
        return logs


def _numbers_drawn(chances: FloatColumn, count: int) -> FloatMatrix:
    """Return how probable it is that 0, 1, ... of the first 0, 1, ... records were drawn (records + 1 x count)."""
    found = np.zeros((len(chances) + 1, count))
    found[0, :1] = 1.0
    for place, chance in enumerate(chances):
        found[place + 1] = (1 - chance) * found[place]
        found[place + 1, 1:] += chance * found[place, :-1]
    return found


def _as_many(first: FloatColumn, second: FloatColumn) -> FloatMatrix:
    """Return how probable it is that as many records of two lists are there below two of these, and above them."""
    count = min(len(first), len(second)) + 1
    below = [_numbers_drawn(chances, count)[:-1] for chances in (first, second)]
    above = [_numbers_drawn(chances[::-1], count)[::-1][1:] for chances in (first, second)]
    return np.asarray((below[0] @ below[1].T) * (above[0] @ above[1].T), dtype=np.float64)


def _means(rows: FloatMatrix, ties: CodeColumn) -> FloatMatrix:
    """Return for each row the mean of all that are tied with it."""
    sums = np.zeros((int(ties.max()) + 1, rows.shape[1]))
    np.add.at(sums, ties, rows)
    return np.asarray((sums / np.bincount(ties)[:, None])[ties], dtype=np.float64)
