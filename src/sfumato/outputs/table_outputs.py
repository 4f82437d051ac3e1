"""Crosstabs and pivot tables: which records each cell has, what it tells of them, and how it is laid out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.facts import round_counts
from sfumato.outputs.rules import Concern, OutputRules
from sfumato.outputs.shown_table import Figure, ShownTable
from sfumato.outputs.statistics import Statistic
from sfumato.outputs.tabulation import ALL, CrossTable

TOTAL = "All"


@dataclass(frozen=True, eq=False)
class TableRequest:
    """A table that was asked for.

    Parameters
    ----------
    cross
        Its cells, those of the rows first among the dimensions.
    rows
        How many of the dimensions label rows; the others label columns.
    margins
        Whether totals are shown over all rows and over all columns.
    """

    cross: CrossTable
    rows: int
    margins: bool

    @property
    def is_asked(self) -> Booleans:
        """The cells that are to be shown: those without totals, and totals over whole rows and columns."""
        over_rows = list(range(self.rows))
        over_columns = list(range(self.rows, len(self.cross.dimensions)))
        wanted = [[], over_rows, over_columns, over_rows + over_columns] if self.margins else [[]]
        return np.asarray(np.any([self.cross.is_total(over) for over in wanted], axis=0), dtype=np.bool_)

    def lay_out(self, figures: dict[str, tuple[FloatColumn, bool]], empty: Figure) -> ShownTable:
        """Return the table with the figures of cells.

        Parameters
        ----------
        figures
            For each statistic the figures of all cells, NaN where they are hidden, and whether they are whole numbers.
        empty
            What stands where no record is.
        """
        place = {tuple(codes): cell for cell, codes in enumerate(self.cross.codes.tolist())}
        row_keys, column_keys = self._keys(range(self.rows)), self._keys(range(self.rows, len(self.cross.dimensions)))
        heads = [(name, key) for name in figures for key in column_keys]
        body = [
            tuple(_figure(figures[name], place.get((*row, *column)), empty) for name, column in heads)
            for row in row_keys
        ]
        names = tuple(self._column_label(name, key, len(figures) > 1) for name, key in heads)
        dimensions = self.cross.dimensions
        return ShownTable(
            tuple(one.name for one in dimensions[: self.rows]) or ("records",),
            tuple(self._labels(row, 0) for row in row_keys),
            names,
            tuple(body),
            " and ".join(one.name for one in dimensions[self.rows :]),
        )

    def _keys(self, places: range) -> list[tuple[int, ...]]:
        """Return the categories of rows or columns in their order, and the total behind if it is wanted."""
        seen = self.cross.codes[self.cross.is_total([])][:, list(places)]
        used = [sorted(set(column.tolist())) for column in seen.T]
        keys = list(product(*used)) if len(places) < 2 else sorted(set(map(tuple, seen.tolist())))
        return [*keys, (ALL,) * len(places)] if self.margins and len(places) else keys

    def _labels(self, key: tuple[int, ...], first: int) -> tuple[str, ...]:
        if not key:
            return (TOTAL,)
        dimensions = self.cross.dimensions[first:]
        return tuple(
            TOTAL if code == ALL else str(one.categories[code]) for one, code in zip(dimensions, key, strict=False)
        )

    def _column_label(self, statistic: str, key: tuple[int, ...], is_one_of_many: bool) -> str:
        label = " ".join(dict.fromkeys(self._labels(key, self.rows))) if key else ""
        return " ".join(part for part in (statistic if is_one_of_many or not key else "", label) if part)


def _figure(figures: tuple[FloatColumn, bool], cell: int | None, empty: Figure) -> Figure:
    values, is_whole = figures
    if cell is None:
        return empty
    value = float(values[cell])
    if np.isnan(value):
        return None
    return int(value) if is_whole else value


def statistics_by_cell(
    cross: CrossTable, statistic: Statistic, values: FloatColumn, other: FloatColumn, rules: OutputRules
) -> tuple[FloatColumn, Booleans]:
    """Return a figure for each cell, and where few records decide it; NaN where it has no meaning."""
    members = _records_by_group(cross)
    figures, is_few = np.full(len(cross.codes), np.nan), np.zeros(len(cross.codes), dtype=np.bool_)
    for cell in range(len(cross.codes)):
        groups = cross.members.indices[cross.members.indptr[cell] : cross.members.indptr[cell + 1]]
        records = np.concatenate([members[group] for group in groups.tolist()])
        with np.errstate(divide="ignore", invalid="ignore"):
            figures[cell] = statistic.compute(values[records], other[records] if other.size else other)
        if statistic.is_decided_by_few is not None:
            is_few[cell] = statistic.is_decided_by_few(values[records], rules.min_units)
    return np.where(np.isfinite(figures), figures, np.nan), is_few


def _records_by_group(cross: CrossTable) -> list[Rows]:
    order = np.argsort(cross.groups, kind="stable")
    order = order[cross.groups[order] >= 0]
    return np.split(order, np.cumsum(np.bincount(cross.groups[order]))[:-1]) if order.size else []


def counts_shown(counts: FloatColumn, is_shown: Booleans, rounding: int) -> FloatColumn:
    """Return counts as they are shown: rounded if that is the rule, NaN where hidden."""
    return np.where(is_shown, round_counts(counts, rounding) if rounding else counts, np.nan)


def property_concerns(request: TableRequest, rules: OutputRules) -> list[tuple[Concern, str]]:
    """Return where everybody or nobody of a group has a category of the columns, as far as somebody wants to know."""
    cross = request.cross
    if request.rows == 0 or request.rows == len(cross.dimensions):
        return []
    inner = cross.codes[cross.is_total([])]
    categories = len({tuple(row) for row in inner[:, request.rows :].tolist()})
    lines: dict[tuple[int, ...], int] = {}
    for row in inner[:, : request.rows].tolist():
        lines[tuple(row)] = lines.get(tuple(row), 0) + 1
    full = [row for row, cells in lines.items() if cells == 1 and categories > 1]
    empty = [row for row, cells in lines.items() if 1 < cells < categories]
    found = (
        (rules.full_cells, full, "everybody falls into one category, so that who is in the group has it"),
        (rules.zero_cells, empty, "some category has nobody"),
    )
    return [
        (concern, f"{_list(request, rows)}: {what}")
        for concern, rows, what in found
        if rows and concern != Concern.IGNORE
    ]


def _list(request: TableRequest, rows: Sequence[tuple[int, ...]], most: int = 3) -> str:
    label: Callable[[tuple[int, ...]], str] = lambda row: ", ".join(request._labels(row, 0))  # noqa: E731
    more = f" and {len(rows) - most} more" if len(rows) > most else ""
    return "; ".join(map(label, rows[:most])) + more
