"""A table as the public sees it, with labels beside codes and the unit of its figures."""

from collections.abc import Iterator, Sequence

import numpy as np

from sfumato.data.column_recoding import labelled_text, text_of
from sfumato.numerics.arrays import Booleans
from sfumato.reports.release.protected_release import ProtectedRelease
from sfumato.reports.release.sections import Audience, CellTable
from sfumato.reports.release.words.variable_names import name_with_label, with_unit
from sfumato.tables import Table
from sfumato.tables.rendering.crosstab import UNEXPLAINED, CellView, Crosstab, Label, crosstab, publication_views

COUNTED = "the number of records"
MAX_SINGLE = 6  # rows that are named
MIN_COUNTED = 10  # contributors of a whole table: fewer are not told
INDENT = "\u00a0" * 3  # of a code below its total; no line breaks behind it


def amount_words(release: ProtectedRelease, table: Table) -> str:
    """Return what the figures of a table are, with their unit where the schema gives it."""
    return f"the sum of {with_unit(release.schema, table.value_name)}" if table.value_name else COUNTED


def _code(release: ProtectedRelease, name: str, text: str) -> str:
    """Return a code of a variable with its label."""
    labels = release.schema[name].value_labels if name in release.schema else {}
    return next((labelled_text(code, labels) for code in labels if text_of(code) == text), text)


def published_table(release: ProtectedRelease, number: int, name: str) -> CellTable:
    """Return a table as the public sees it."""
    table, values = release.protected.tables[number], release.protected.values(number)
    suppressed = release.protected.suppressed(number)
    laid_out = crosstab(table, publication_views(values, suppressed))
    across = next((one for one in table.names if one not in laid_out.down), "")
    marks = f" {UNEXPLAINED} is a cell that is not published." if suppressed.any() else ""
    if any(cell is None for row in laid_out.cells for cell in row):
        marks += " Where nothing stands, no record of the file belongs there."
    return CellTable(
        title=f"{name}, as it is published{'' if release.weight else ', unweighted'}",
        sentence=(
            f"Each figure is {amount_words(release, table)}. {_of_whom(release, table, suppressed)}{marks} "
            f"{_unpublished(release, across, laid_out)}{release.protected.outcome.notice}"
        ).rstrip(),
        unit=_unit(release, table.value_name),
        definition="The sum of what the contributors of a cell gave, or their number, as the protection publishes it.",
        stubs=laid_out.down,
        headings=tuple(_code(release, across, label.text) for label in laid_out.columns),
        rows=tuple(
            (*_stub(release, laid_out.down, row), *(cell.text if cell else "" for cell in cells))
            for row, cells in zip(laid_out.rows, laid_out.cells, strict=True)
        ),
        audience=Audience.ALL,
    )


def _unpublished(release: ProtectedRelease, across: str, laid_out: Crosstab) -> str:
    """Return of which columns nothing but totals is published, as a sentence."""
    inner = [
        cells for row, cells in zip(laid_out.rows, laid_out.cells, strict=True) if any(label.level for label in row)
    ]
    gone = [
        _code(release, across, label.text)
        for place, label in enumerate(laid_out.columns)
        if label.level and inner and {UNEXPLAINED, ""} >= {cell.text if cell else "" for cell in _column(inner, place)}
    ]
    return f"By {' and '.join(laid_out.down)} nothing is published of {', '.join(gone)}. " if gone else ""


def _column(rows: Sequence[Sequence[CellView | None]], place: int) -> list[CellView | None]:
    return [row[place] for row in rows]


def _of_whom(release: ProtectedRelease, table: Table, suppressed: Booleans) -> str:
    """Return whom the figures add up, and whether they are estimates; how many only where the whole is published."""
    if release.weight:
        return "Contributions are weighted: figures are estimates for the population."
    whole = is_whole(table)
    count = float(table.counts[whole].max(initial=0.0))
    whom = f" over {count:,.0f} contributors" if not suppressed[whole].any() and count >= MIN_COUNTED else ""
    holding = name_with_label(release.schema, release.holding) if release.holding else ""
    each = f" All records of one {holding} are one contributor." if holding else " Each record is one contributor."
    return f"It is unweighted{whom}: of a sample it is no estimate for the population.{each}"


def is_whole(table: Table) -> Booleans:
    """Tell which cell adds up all of a table: one that no relation counts among the parts of a total."""
    relations = table.relations.tocoo()
    is_part = np.zeros(table.size, dtype=np.bool_)
    is_part[relations.col[relations.data > 0]] = True
    return ~is_part


def single_category_words(release: ProtectedRelease) -> str:
    """Return in which rows one category alone is filled, so that readers know it of everybody there; empty if none.

    Everybody who has the tables sees which places are empty.
    """
    found = [row for number in range(len(release.names)) for row in _single_rows(release, number)]
    if not found:
        return ""
    more = f" and {len(found) - MAX_SINGLE} more" if len(found) > MAX_SINGLE else ""
    where = "In 1 row" if len(found) == 1 else f"In {len(found):,} rows"
    return (
        f"{where} one category alone is filled ({'; '.join(found[:MAX_SINGLE])}{more}): the table tells it of "
        f"everybody there. Join such a row with another one."
    )


def _single_rows(release: ProtectedRelease, number: int) -> Iterator[str]:
    """Yield the rows of a table, but its totals, whose innermost categories are empty but for one."""
    table = release.protected.tables[number]
    suppressed = release.protected.suppressed(number)
    laid_out = crosstab(table, publication_views(release.protected.values(number), suppressed))
    across = next((one for one in table.names if one not in laid_out.down), "")
    innermost = [
        place
        for place, label in enumerate(laid_out.columns)
        if label.level and (place + 1 == len(laid_out.columns) or laid_out.columns[place + 1].level <= label.level)
    ]
    for row, cells in zip(laid_out.rows, laid_out.cells, strict=True):
        filled = [place for place in innermost if cells[place] is not None]
        if len(filled) == 1 < len(innermost) and any(label.level for label in row):
            stub = ", ".join(text.strip() for text in _stub(release, laid_out.down, row))
            yield f"{stub}: {_code(release, across, laid_out.columns[filled[0]].text)}"


def _unit(release: ProtectedRelease, name: str | None) -> str:
    """Return the unit of the figures of a table; the variable that they add up where the schema gives none."""
    return (release.schema[name].unit if name in release.schema else "") or name if name else "records"


def _stub(release: ProtectedRelease, names: Sequence[str], row: Sequence[Label]) -> Iterator[str]:
    """Yield what names a row: its codes, indented below their totals."""
    for name, label in zip(names, row, strict=True):
        yield f"{INDENT * label.level}{_code(release, name, label.text)}"
