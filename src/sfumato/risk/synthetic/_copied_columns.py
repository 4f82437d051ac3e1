"""Whether the values of a column are those of the persons in the file: the column copied, in whatever order."""

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from sfumato.numerics.arrays import CodeColumn
from sfumato.risk.synthetic._coded_files import CONTROL, ORIGINAL, SYNTHETIC, CodedColumn, CodedFiles
from sfumato.risk.synthetic._rates import share_chance

MIN_EXCESS = 0.1
"""From which excess on a column may be copied: so much may be inferred of a column at most."""


@dataclass(frozen=True)
class ColumnCopies:
    """How many persons have a value of a column that the synthetic file has, too.

    Parameters
    ----------
    name
        The column.
    rate, control_rate
        The share of those in the file, and of the others.
    chance
        How probable so many in the file are, if there is no difference; 1 where the difference is small.
    closeness_chance
        How probable it is that values are so nearly as frequent as in the original, if each were drawn from it by
        itself: see `closeness_chance`.
    is_number
        Whether it holds numbers. How many are in each category may be kept on purpose, as in strata.
    """

    name: str
    rate: float
    control_rate: float
    chance: float
    closeness_chance: float = 1.0
    is_number: bool = True


def copied_columns(files: CodedFiles) -> list[ColumnCopies]:
    """Return for each column whose values come back in the synthetic file: of one person a household, where told."""
    return [_column_copies(name, column, files) for name, column in zip(files.names, files.columns, strict=True)]


def _column_copies(name: str, column: CodedColumn, files: CodedFiles) -> ColumnCopies:
    sides = (_one_a_household(_comes_back(column.codes, file), files, file) for file in (ORIGINAL, CONTROL))
    original = column.codes[ORIGINAL]
    nearest, by_design = (closeness_chance(original, column.codes[file]) for file in (SYNTHETIC, CONTROL))
    chance = nearest if nearest < by_design else 1.0
    return replace(_compare(name, *sides), closeness_chance=chance, is_number=column.is_number)


def closeness_chance(original: CodeColumn, other: CodeColumn) -> float:
    """Return how probably values drawn from those of the original, one by one, are so nearly as frequent as there.

    Who draws from the original frequencies, even with everything else lost, gets each value a little too often or too
    seldom by chance, as the statistic of Pearson counts. Where it is far too small, the column was not drawn but taken:
    its values in another order. Values that the original lacks do not count. The ends of the statistic are widened by
    half a record for each value, as counts are whole, so that the chance is rather too large than too small.

    Examples
    --------
    >>> values = np.repeat(np.arange(20), 50)
    >>> closeness_chance(values, values[::-1]) < 1e-9
    True
    >>> closeness_chance(values, np.random.default_rng(1).choice(values, 1000)) > 0.01
    True
    """
    from scipy.special import gammainc

    held, counts = np.unique(original, return_counts=True)
    known = other[np.isin(other, held)]
    if held.size < 2 or not known.size:
        return 1.0
    expected = counts * (known.size / original.size)
    found = np.bincount(np.searchsorted(held, known), minlength=held.size)
    statistic = float(((found - expected) ** 2 / expected).sum())
    widened = (sqrt(statistic) + sqrt(float((0.25 / expected).sum()))) ** 2
    return float(gammainc((held.size - 1) / 2, widened / 2))


def _comes_back(codes: tuple[CodeColumn, ...], file: int) -> CodeColumn:
    """Return 1 for each record of a file whose value the synthetic file has, else 0."""
    return np.isin(codes[file], codes[SYNTHETIC]).astype(np.int64)


def _one_a_household(found: CodeColumn, files: CodedFiles, file: int) -> CodeColumn:
    """Return the figures of the first person of each household, as who lives together may share a value."""
    if files.households is None:
        return found
    homes = files.households[0 if file == ORIGINAL else 1]
    return np.asarray(found[np.unique(homes, return_index=True)[1]], dtype=np.int64)


def _compare(name: str, members: CodeColumn, others: CodeColumn) -> ColumnCopies:
    rate, control_rate = float(members.mean()), float(others.mean())
    if rate - control_rate <= MIN_EXCESS * (1 - control_rate):
        return ColumnCopies(name, rate, control_rate, 1.0)
    chance = share_chance(int(members.sum()), members.size, int(others.sum()), others.size)
    return ColumnCopies(name, rate, control_rate, chance)
