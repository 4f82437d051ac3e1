"""Publications as Excel workbooks: a sheet for each table, laid out and styled, with a mark for suppressed cells."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.storage.atomic import write_bytes
from sfumato.table_specification.release_files import ReleasedTable
from sfumato.tables import CellStatus
from sfumato.tables.rendering.crosstab import MARKS, UNEXPLAINED, CellView, Crosstab, Label, crosstab

CREATED = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)  # the same tables give the same file on any day
MAX_SHEET_NAME = 31
CONTENTS = "Contents"
PUBLIC_LEGEND = f"{UNEXPLAINED}  suppressed to protect contributors; an empty place has no cell"
REVIEW_LEGEND = "[p] unsafe   [s] suppressed to protect unsafe cells   [g] suppressed as given"
REVIEW_ONLY = "For review only: do not publish."
FILLS = {CellStatus.PRIMARY: "#F5C8A5", CellStatus.SECONDARY: "#CFE0EE", CellStatus.SUPPRESSED: "#D9D9E8"}
PUBLIC_FILL = "#E7E7E7"
FIRST_ROW = 3  # title, what the table shows, and a row that is empty or warns stand above


def write_workbook(path: Path, tables: Sequence[ReleasedTable], *, for_review: bool = False) -> None:
    """Write tables as a workbook with a sheet for each and a list of them.

    Suppressed cells have a mark and no figure; only a workbook for review tells unsafe ones from others.

    Parameters
    ----------
    path
        The file.
    tables
        The tables.
    for_review
        Whether marks tell why cells are suppressed.
    """
    import xlsxwriter

    content = BytesIO()
    settings = {"strings_to_formulas": False, "strings_to_urls": False, "in_memory": True}
    with xlsxwriter.Workbook(content, settings) as workbook:
        workbook.set_properties({"created": CREATED})
        names = _sheet_names([table.name for table in tables])
        styles = _Styles(workbook)
        _write_contents(workbook.add_worksheet(CONTENTS), tables, names, styles)
        for name, table in zip(names, tables, strict=True):
            _Sheet(workbook.add_worksheet(name), table, styles, for_review=for_review).write()
    write_bytes(path, content.getvalue())


class _Styles:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Any) -> None:
        self._workbook = workbook
        self._made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def get(self, **properties: Any) -> Any:
        key = tuple(sorted(properties.items()))
        if key not in self._made:
            self._made[key] = self._workbook.add_format({"font_name": "Calibri", "font_size": 10, **properties})
        return self._made[key]


class _Sheet:
    """One table on its sheet."""

    def __init__(self, sheet: Any, table: ReleasedTable, styles: _Styles, *, for_review: bool) -> None:
        self._sheet, self._table, self._styles, self._for_review = sheet, table, styles, for_review
        self._values = table.protected.values(table.number)
        self._statuses = table.protected.statuses(table.number)
        self._suppressed = np.isnan(self._values)
        self._laid: Crosstab = crosstab(table.table, [CellView(str(cell)) for cell in range(table.table.size)])
        shown = self._values[~self._suppressed]
        self._number = "#,##0" if (shown == np.rint(shown)).all() else "#,##0.00"

    def write(self) -> None:
        """Write title, headings, cells and legend."""
        sheet, laid, get = self._sheet, self._laid, self._styles.get
        sheet.hide_gridlines(2)
        sheet.write_string(0, 0, self._table.title or self._table.name, get(bold=True, font_size=13))
        sheet.write_string(1, 0, self._subtitle(), get(font_color="#555555"))
        if self._for_review:
            sheet.write_string(2, 0, REVIEW_ONLY, get(bold=True, font_color="#8A2A0B"))
        head = {"bold": True, "bg_color": "#EEF2F6", "bottom": 1, "valign": "bottom"}
        margin = len(laid.down)
        top = FIRST_ROW + (1 if laid.across else 0)
        if laid.across:
            sheet.write_string(FIRST_ROW, margin, laid.across, get(bold=True, italic=True))
        for column, name in enumerate(laid.down):
            sheet.write_string(top, column, name, get(**head))
        for column, label in enumerate(laid.columns):
            sheet.write_string(top, margin + column, label.text, get(**head, align="right", text_wrap=True))
        for row, (labels, cells) in enumerate(zip(laid.rows, laid.cells, strict=True), start=top + 1):
            is_total = all(label.level == 0 for label in labels)
            self._write_labels(row, labels, is_total=is_total)
            for column, cell in enumerate(cells):
                if cell is not None:
                    self._write_cell(row, margin + column, int(cell.text), is_total=is_total)
        sheet.write_string(
            top + len(laid.rows) + 2, 0, REVIEW_LEGEND if self._for_review else PUBLIC_LEGEND, get(italic=True)
        )
        sheet.freeze_panes(top + 1, margin)
        sheet.set_column(0, margin - 1, max(12, *(len(name) + 2 for name in laid.down)))
        sheet.set_column(margin, margin + len(laid.columns) - 1, 13)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)

    def _subtitle(self) -> str:
        by = [*self._laid.down, *([self._laid.across] if self._laid.across else [])]
        return f"{self._laid.title} by {' x '.join(by)}"

    def _write_labels(self, row: int, labels: Sequence[Label], *, is_total: bool) -> None:
        for column, label in enumerate(labels):
            style = self._styles.get(indent=label.level, bold=is_total, num_format="@")
            self._sheet.write_string(row, column, label.text, style)

    def _write_cell(self, row: int, column: int, cell: int, *, is_total: bool) -> None:
        status, look = self._statuses[cell], {"align": "right", "bold": is_total}
        mark = MARKS.get(status, "") if self._for_review else ""
        fill = {"bg_color": FILLS[status]} if self._for_review and status in FILLS else {}
        if self._suppressed[cell]:
            grey = fill or {"bg_color": PUBLIC_FILL}
            self._sheet.write_string(row, column, mark or UNEXPLAINED, self._styles.get(**look, **grey))
        else:
            style = self._styles.get(**look, **fill, num_format=self._number)
            self._sheet.write_number(row, column, float(self._values[cell]), style)


def _write_contents(sheet: Any, tables: Sequence[ReleasedTable], names: Sequence[str], styles: _Styles) -> None:
    sheet.hide_gridlines(2)
    sheet.write_string(0, 0, "Tables", styles.get(bold=True, font_size=13))
    for row, (name, table) in enumerate(zip(names, tables, strict=True), start=2):
        link = styles.get(font_color="#1F4E9E", underline=1)
        sheet.write_url(row, 0, f"internal:'{name.replace(chr(39), chr(39) * 2)}'!A1", link, table.name)
        sheet.write_string(row, 1, table.title or _shows(table), styles.get())
    sheet.set_column(0, 0, 28)
    sheet.set_column(1, 1, 70)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def _shows(table: ReleasedTable) -> str:
    return f"{table.table.value_name or 'counts'} by {' x '.join(table.table.names)}"


def _sheet_names(names: Sequence[str]) -> list[str]:
    """Return names that Excel takes: short, without some characters, and all different."""
    found: list[str] = []
    taken = {CONTENTS.lower()}
    for name in names:
        plain = re.sub(r"[\[\]:*?/\\]", "_", name).strip("'")[:MAX_SHEET_NAME] or "table"
        number, unused = 1, plain
        while unused.lower() in taken:
            number += 1
            unused = f"{plain[: MAX_SHEET_NAME - len(str(number)) - 1]} {number}"
        taken.add(unused.lower())
        found.append(unused)
    return found
