"""A column within the groups that other columns make, in an original and in a synthetic file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Microdata
from sfumato.errors import DataError, UnknownColumnError, did_you_mean
from sfumato.numerics.arrays import CodeColumn
from sfumato.reports.column_classes import MIN_RECORDS, MISSING, OTHER, ColumnClasses, classify
from sfumato.reports.column_shares import ColumnShares, group_shares

MAX_GROUPS = 12  # pictures of one column
WithinGroups = Mapping[str, Sequence[str]]
"""For some columns those whose categories make the groups that they are compared in."""


@dataclass(frozen=True, eq=False)
class GroupedColumn:
    """A column within groups.

    Parameters
    ----------
    groups
        The shares of both files in each group, which is their name; the largest groups first.
    left_out
        How many groups are not shown, as they are small or too many.
    """

    groups: tuple[ColumnShares, ...]
    left_out: int


def group_column(original: Microdata, synthetic: Microdata, name: str, within: Sequence[str]) -> GroupedColumn:
    """Return a column within the groups of others; none of fewer than ten original records is shown."""
    cells = np.zeros(original.n + synthetic.n, dtype=np.int64)
    labels = [""]
    for column in within:
        codes, texts = _codes(original, synthetic, column)
        cells = cells * len(texts) + codes
        labels = [f"{label}, {text}" if label else text for label in labels for text in texts]
    before, after = cells[: original.n], cells[original.n :]
    counts = np.bincount(before, minlength=len(labels))
    shown = [cell for cell in np.argsort(-counts, kind="stable")[:MAX_GROUPS].tolist() if counts[cell] >= MIN_RECORDS]
    classes = _with_others(classify(original, synthetic, name))
    groups = [
        group_shares(classes, np.flatnonzero(before == cell), np.flatnonzero(after == cell), labels[cell])
        for cell in shown
    ]
    held = np.count_nonzero(counts + np.bincount(after, minlength=len(labels)))
    return GroupedColumn(tuple(groups), int(held) - len(shown))


def _with_others(classes: ColumnClasses) -> ColumnClasses:
    """Return classes with one for the categories that are rare in a group."""
    if classes.bins:
        return classes
    labels = tuple(OTHER if label.startswith(OTHER) else label for label in classes.labels)
    return replace(classes, labels=labels if OTHER in labels else (*labels, OTHER))


def check_groups(original: Microdata, synthetic: Microdata, chosen: WithinGroups) -> None:
    """Refuse columns that are not in both files, and groups made by what has no categories."""
    shared = tuple(name for name in original.schema.names if name in synthetic.schema)
    for name, within in chosen.items():
        for one in (name, *within):
            if one not in shared:
                hint = did_you_mean(one, shared)
                raise UnknownColumnError(f"within_groups: '{one}' is not a column of both files{hint}")
        numbers = [one for one in within if original.schema[one].kind not in CATEGORICAL]
        if numbers or not within or name in within:
            wrong = f"'{numbers[0]}' has no categories" if numbers else "name other columns that have categories"
            raise DataError(f"within_groups: groups of '{name}' are made by categories of other columns; {wrong}")


def _codes(original: Microdata, synthetic: Microdata, name: str) -> tuple[CodeColumn, list[str]]:
    """Return a column of both files as codes, and the texts that they stand for, last that of missing values."""
    before, after, categories = common_codes(original, synthetic, name)
    labels = original.schema[name].value_labels
    codes = np.concatenate([before, after])
    texts = [str(labels.get(category, category)) for category in categories]
    return np.where(codes < 0, len(texts), codes), [*texts, MISSING]
