"""Which columns a microaggregation groups together: all at once, in sets that are named, or a few at a time."""

from collections import Counter
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo

Sets = tuple[tuple[str, ...], ...]


def _check_column_sets(sets: Sets, info: ValidationInfo) -> Sets:
    """Refuse sets that do not hold each of the columns once; a rule such as `numeric` is checked once it is named."""
    counts = Counter(name for names in sets for name in names)
    repeated = [name for name, count in counts.items() if count > 1]
    if repeated:
        raise ValueError(f"must name each column once; repeated: {', '.join(repeated)}")
    if not all(sets):
        raise ValueError("must name at least one column in each group; got an empty group")
    columns = info.data.get("columns")
    if isinstance(columns, tuple) and set(columns) != set(counts):
        lacking = [name for name in columns if name not in counts]
        foreign = [name for name in counts if name not in columns]
        listed = [
            f"{what}: {', '.join(names)}" for what, names in (("lacking", lacking), ("not there", foreign)) if names
        ]
        raise ValueError(f"must name the same columns as `columns`; {'; '.join(listed)}")
    return sets


def _check_ungrouped(count: int, info: ValidationInfo) -> int:
    if info.data.get("column_groups") is not None:
        raise ValueError("must not be given beside column_groups; leave one of them out")
    return count


ColumnGroups = Annotated[Sets, AfterValidator(_check_column_sets)]
"""The columns in groups, each named once: `[[income, tax], [age]]`; it stands after `columns` in a record."""

ColumnsAtATime = Annotated[int, Field(ge=1), AfterValidator(_check_ungrouped)]
"""A number of columns; it stands after `column_groups` in a record."""


def column_sets(names: tuple[str, ...], column_groups: Sets | None, columns_at_a_time: int | None) -> Sets:
    """Return the columns that are grouped together, set by set; a few at a time are taken in their order.

    Examples
    --------
    >>> column_sets(("a", "b", "c"), None, None)
    (('a', 'b', 'c'),)
    >>> column_sets(("a", "b", "c"), None, 2)
    (('a', 'b'), ('c',))
    >>> column_sets(("a", "b", "c"), (("a", "c"), ("b",)), None)
    (('a', 'c'), ('b',))
    """
    if column_groups is not None:
        return column_groups
    count = columns_at_a_time or len(names)
    return tuple(names[start : start + count] for start in range(0, len(names), count))
