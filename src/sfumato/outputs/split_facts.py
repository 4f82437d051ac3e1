"""Facts of a variable with two values: its mean tells how many records have each, as a crosstab would."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.display import format_compact
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.facts import COUNT, Facts
from sfumato.outputs.least_change import SafeOutput
from sfumato.outputs.tabulation import CrossTable


@dataclass(frozen=True, eq=False)
class SplitFacts:
    """What a table of statistics tells, of more cells than it has.

    Parameters
    ----------
    facts
        The cells that it tells of.
    owner
        For each of them the cell of the table that tells it.
    """

    facts: Facts
    owner: Rows

    def put_together(self, safe: SafeOutput, is_asked: Booleans) -> SafeOutput:
        """Return what is hidden by cells of the table; with one of them all go that the same cell tells."""
        hidden, unsafe = (self._any(one, is_asked.size) for one in (safe.hidden, safe.is_unsafe_itself))
        facts = safe.facts.hide(hidden[self.owner])
        return SafeOutput(facts, hidden & is_asked, unsafe & is_asked, safe.disclosed_before)

    def _any(self, cells: Booleans, size: int) -> Booleans:
        return np.bincount(self.owner[cells], minlength=size) > 0


def whole_facts(facts: Facts) -> SplitFacts:
    """Return facts of which each cell of the table tells one."""
    return SplitFacts(facts, np.arange(facts.size))


def two_values_of(values: FloatColumn) -> tuple[float, float] | None:
    """Return the two values that a column has; None if it has more or fewer.

    Examples
    --------
    >>> two_values_of(np.array([1.0, 2.0, np.nan, 1.0]))
    (1.0, 2.0)
    """
    there = np.unique(values[~np.isnan(values)])
    return (float(there[0]), float(there[1])) if there.size == 2 else None


def split_facts(
    cross: CrossTable, output: str, is_asked: Booleans, values: FloatColumn, further: Sequence[str]
) -> SplitFacts:
    """Return the number of records of each cell, and of those in it that have each of two values.

    Parameters
    ----------
    cross
        The cells of the table.
    output
        What the output is called.
    is_asked
        The cells that are to be shown.
    values
        The variable, which has two values.
    further
        What the output tells beside counts.
    """
    from scipy.sparse import block_array, csr_array

    two = two_values_of(values)
    assert two is not None  # noqa: S101
    groups = np.where(cross.groups < 0, -1, cross.groups + (values == two[1]) * cross.members.shape[1])
    empty = csr_array(cross.members.shape)
    cells = block_array([[cross.members] * 2, [cross.members, empty], [empty, cross.members]]).tocsr()
    names = (*cross.names, *(f"{name}, {format_compact(value)}" for value in two for name in cross.names))
    asked, owner = np.tile(is_asked, 3), np.tile(np.arange(is_asked.size), 3)
    every = Facts(output, groups, cells, names, asked, asked.copy(), (COUNT, *further))
    kept = np.flatnonzero(every.totals())
    chosen = Facts(
        output, groups, cells[kept], tuple(names[one] for one in kept), asked[kept], asked[kept], every.measures
    )
    return SplitFacts(chosen, owner[kept])
