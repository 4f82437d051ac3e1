"""A table of counts that can be published, in one line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sfumato.tables.cells.groupings import By
from sfumato.tables.cells.table import Table
from sfumato.tables.problem.insiders import Insiders
from sfumato.tables.protect import protect
from sfumato.tables.sensitivity.min_units import MinUnits

if TYPE_CHECKING:
    import polars as pl


def safe_counts(
    frame: Any,
    by: By,
    *,
    threshold: int = 6,
    count: str | None = None,
    missing: str | None = None,
    insiders: Insiders | bool | str = Insiders.ALL,
) -> "pl.DataFrame":
    """Count records, suppress counts below a threshold, and suppress others so that none of those can be worked out.

    Counts of 0 are published. Of two dimensions the result is a crosstab, a row for each code of the first and a column
    for each code of the second; of others it has a row for each cell. Suppressed counts are null.

    Parameters
    ----------
    frame
        A dataframe with a row for each record.
    by
        The columns to count by; or a mapping from columns to hierarchies, as in `Table.from_records`.
    threshold
        The smallest count that is published.
    count
        A column that says how many records each row stands for.
    missing
        The code for records that have none.
    insiders
        From what to keep those who are the only one of a count, as in `find_unsafe`.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"region": ["N"] * 19 + ["S"] * 18, "ill": [*"y" * 8, *"n" * 11, *"y" * 3, *"n" * 15]})
    >>> safe_counts(people, ["region", "ill"], threshold=6)["Total"].to_list()
    [37, 19, 18]
    """
    import polars as pl

    table = Table.from_records(frame, by, count=count, missing=missing)
    protected = protect(table, rule=MinUnits(units=threshold), insiders=insiders)
    cells = protected.to_frame().drop("status")
    if (table.values == table.values.round()).all():
        cells = cells.with_columns(pl.col("count").cast(pl.Int64))
    names = protected.tables[0].names
    return _crosstab(cells, names) if len(names) == 2 else cells


def _crosstab(cells: "pl.DataFrame", names: Sequence[str]) -> "pl.DataFrame":
    """Return the crosstab; where no cell is there is nobody to count."""
    import polars as pl

    counts = cells.pivot(names[1], index=names[0], values="count")
    present = cells.with_columns(count=True).pivot(names[1], index=names[0], values="count")
    return counts.with_columns(
        pl.when(present[name].is_null()).then(0).otherwise(counts[name]).alias(name) for name in counts.columns[1:]
    )
