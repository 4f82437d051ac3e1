"""Tables as plain text: columns below each other, details below their row, wide tables in blocks of columns."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from sfumato.display.table import CellValue, Column, ColumnKind, Table, as_cell

WIDTH = 100  # characters of a line of prose
MAX_NAME_WORDS = 3  # before a colon: more are no name of a column, but a sentence
INDENT = "  "
GAP = "  "
UNBROKEN = "\N{NO-BREAK SPACE}"  # keeps the name and the number of a part on one line while prose is wrapped

Line = list[str]


def as_sentence(text: str) -> str:
    """Return a remark with a capital, unless it begins with the name of a column or a figure, which stays as it is.

    Examples
    --------
    >>> as_sentence("some keys have gaps: a gap fits every value"), as_sentence("poids: nobody shares a weight")
    ('Some keys have gaps: a gap fits every value', 'poids: nobody shares a weight')
    """
    named, colon, _ = text.partition(": ")
    first = text.partition(" ")[0]
    is_name = (bool(colon) and len(named.split()) <= MAX_NAME_WORDS) or "_" in first
    return text if is_name else f"{text[:1].upper()}{text[1:]}"


def as_sentences(remarks: Iterable[str]) -> list[str]:
    """Return remarks as sentences, with a capital and a full stop.

    Examples
    --------
    >>> as_sentences(["two records were left out"])
    ['Two records were left out.']
    """
    return [f"{remark[:1].upper()}{remark[1:]}." for remark in remarks]


def wrap_text(text: str, width: int = WIDTH) -> str:
    """Return prose in lines of at most so many characters."""
    return "\n".join(wrap(text, width))


def render_text(table: Table, *, width: int | None = None, max_rows: int | None = None) -> str:
    """Return a table as text.

    Parameters
    ----------
    table
        The table; below a title its rows are indented.
    width
        How many characters a line may have: further columns go into blocks of their own. No limit if None.
    max_rows
        How many rows to show at most.

    Examples
    --------
    >>> from sfumato.display import text_column
    >>> print(render_text(Table((text_column("key"), Column("risk", unit="%")), (("town", 1.5), ("age", 22.0)))))
    key   risk, %
    town     1.50
    age     22.00
    """
    shown = table if max_rows is None else table.first(max_rows)
    blocks = ["\n".join(_block(block)) for block in split_columns(shown, width)]
    body = "\n\n".join([*blocks, *(["\n".join(map(wrap_text, shown.notes))] if shown.notes else [])])
    return f"{table.title}\n{body}" if table.title else body


def join_parts(parts: Iterable[str | Table]) -> str:
    """Return texts and tables as one text, with an empty line between them."""
    return "\n\n".join(part if isinstance(part, str) else part.to_text() for part in parts)


def split_columns(table: Table, width: int | None) -> list[Table]:
    """Return the table in blocks of columns that take no more than a width, each with the columns that name rows.

    A block has one column at least beside those that name rows.
    """
    places = range(len(table.columns))
    named = [place for place in places if table.columns[place].kind is ColumnKind.HEADER]
    wide = [max(map(len, words)) + len(GAP) for words in zip(*_lines(table), strict=True)]
    if width is None or sum(wide) <= width:
        return [table]
    blocks: list[list[int]] = [[]]
    used = stub = sum(wide[place] for place in named)
    for place in places:
        if place in named:
            continue
        if blocks[-1] and used + wide[place] > width:
            blocks.append([])
            used = stub
        blocks[-1].append(place)
        used += wide[place]
    return [table.take_columns([*named, *block]) for block in blocks]


def _block(table: Table) -> Iterator[str]:
    """Yield the lines of a table: headings, rows, and below each row its details."""
    aligned = [place for place, column in enumerate(table.columns) if column.kind is not ColumnKind.DETAIL]
    beside = table.take_columns(aligned)
    lines = _lines(beside)
    widths = [max(map(len, words)) for words in zip(*lines, strict=True)]
    margin = INDENT if table.title or any(isinstance(row, str) for row in table.rows) else ""
    starts = [sum(widths[:place]) + len(GAP) * place for place in range(len(widths))]
    beneath = margin + " " * (starts[1] if len(starts) > 1 else 0)
    head, rest = lines[0], iter(lines[1:])
    if table.spanner:
        first = next(place for place, column in enumerate(beside.columns) if column.kind is ColumnKind.NUMBER)
        yield f"{margin}{' ' * starts[first]}{table.spanner}"
    is_grouped = bool(table.rows) and isinstance(table.rows[0], str)
    if table.has_headings and not is_grouped:
        yield margin + _align(head, widths, beside.columns)
    for number, row in enumerate(table.rows):
        if isinstance(row, str):
            yield from [""] if number or table.title else []
            yield _group_line(row, margin + _align(head, widths, beside.columns))
        else:
            yield (margin + _align(next(rest), widths, beside.columns)).rstrip()
            yield from (
                beneath + line for place, cell in enumerate(row) if place not in aligned for line in _prose(cell)
            )


def _lines(table: Table) -> list[Line]:
    """Return the headings and the rows as words, without the headings of groups."""
    head = [INDENT * column.indent + column.heading for column in table.columns]
    return [head, *([_word(cell) for cell in row] for row in table.rows if not isinstance(row, str))]


def _word(value: CellValue) -> str:
    cell = as_cell(value)
    return INDENT * cell.indent + cell.text


def _align(words: Sequence[str], widths: Sequence[int], columns: Sequence[Column]) -> str:
    """Return the words of a line, numbers to the right, all else to the left."""
    placed = zip(words, widths, columns, strict=True)
    return GAP.join(
        f"{word:>{wide}}" if column.kind is ColumnKind.NUMBER else f"{word:<{wide}}" for word, wide, column in placed
    ).rstrip()


def _group_line(heading: str, head: str) -> str:
    """Return the heading of a group of rows on the line of the columns' headings, as far as these leave room."""
    return heading + head[len(heading) :] if not head[: len(heading)].strip() else heading


def _prose(value: CellValue) -> list[str]:
    """Return the lines of a cell that stands below its row: its text, then its parts."""
    cell = as_cell(value)
    separator = "; " if any("," in part for part in cell.parts) else ", "
    parts = separator.join(part.replace(" ", UNBROKEN) for part in cell.parts)
    return [line.replace(UNBROKEN, " ") for text in (cell.text, parts) for line in wrap(text, WIDTH - 10)]
