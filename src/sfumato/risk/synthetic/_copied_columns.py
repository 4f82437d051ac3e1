"""Whether the values of a column are those of the persons in the file: the column copied, in whatever order."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import CodeColumn
from sfumato.risk.synthetic._coded_files import CONTROL, ORIGINAL, SYNTHETIC, CodedFiles
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
    """

    name: str
    rate: float
    control_rate: float
    chance: float


def copied_columns(files: CodedFiles) -> list[ColumnCopies]:
    """Return for each column whose values come back in the synthetic file: of one person a household, where told."""
    return [
        _compare(
            name, *(_one_a_household(_comes_back(column.codes, file), files, file) for file in (ORIGINAL, CONTROL))
        )
        for name, column in zip(files.names, files.columns, strict=True)
    ]


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
