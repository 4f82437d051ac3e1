"""What a pivot table tells of sets of records: counts, sums, and what its quantiles are of."""

from collections.abc import Mapping, Sequence

from sfumato.numerics.arrays import FloatColumn
from sfumato.outputs.facts import COUNT, QUANTILES
from sfumato.outputs.split_facts import SplitFacts, split_facts, two_values_of, whole_facts
from sfumato.outputs.statistics import OTHER, SQUARES, VALUE, Statistic
from sfumato.outputs.table_outputs import TableRequest
from sfumato.outputs.variables import Variables


def pivot_facts(
    output: str,
    table: TableRequest,
    chosen: Mapping[str, Statistic],
    names: Sequence[str],
    numbers: Sequence[FloatColumn],
    variables: Variables,
) -> SplitFacts:
    """Return the facts of a pivot table.

    Parameters
    ----------
    output
        What it is called.
    table
        Its cells.
    chosen
        Its statistics.
    names, numbers
        The columns that it summarises, one or two.
    variables
        The variables that outputs add up; those of the table are added.
    """
    parts = dict.fromkeys(part for statistic in chosen.values() for part in statistic.tells)
    further = [QUANTILES + names[0]] if any(one.is_decided_by_few is not None for one in chosen.values()) else []
    if VALUE in parts and OTHER not in parts and two_values_of(numbers[0]) is not None:
        return split_facts(table.cross, output, table.is_asked, numbers[0], further)
    keys = {
        COUNT: lambda: COUNT,
        VALUE: lambda: variables.add(names[0], numbers[0]),
        SQUARES: lambda: variables.add_squares(names[0], numbers[0]),
        OTHER: lambda: variables.add(names[-1], numbers[-1]),
    }
    measures = [*(keys[part]() for part in parts), *further]
    return whole_facts(table.cross.facts(output, table.is_asked, measures))
