"""A laid-out table as plain text, in blocks of columns where it is wide."""

from collections.abc import Iterator, Sequence

from sfumato.tables.crosstab import Crosstab, Label, Shown

GAP = "  "
INDENT = "  "
MOST_ROWS = 60


def as_text(laid: Crosstab, *, width: int = 120, most_rows: int = MOST_ROWS) -> str:
    """Return a laid-out table as text.

    Parameters
    ----------
    laid
        The table.
    width
        How many characters a line may have; further columns go into blocks of their own.
    most_rows
        How many rows are shown at most.
    """
    rows = laid.rows[:most_rows]
    stub = _aligned([[*laid.down], *([_indented(label) for label in row] for row in rows)])
    columns = [
        [_indented(label), *(_text(cells[place]) for cells in laid.cells[:most_rows])]
        for place, label in enumerate(laid.columns)
    ]
    blocks = [
        "\n".join([*([] if not laid.across else [_heading(stub, laid.across)]), *_joined(stub, block)])
        for block in _blocks(columns, width - len(stub[0]))
    ]
    left = len(laid.rows) - len(rows)
    return "\n\n".join([*blocks, *([f"and {left} more rows"] if left else [])])


def _text(cell: Shown | None) -> str:
    return "" if cell is None else cell.text


def _indented(label: Label) -> str:
    return INDENT * label.level + label.text


def _heading(stub: Sequence[str], across: str) -> str:
    return f"{'':{len(stub[0])}}{GAP}{across}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of words as lines whose words stand below each other."""
    widths = [max(map(len, words)) for words in zip(*rows, strict=True)]
    return [GAP.join(word.ljust(wide) for word, wide in zip(row, widths, strict=True)) for row in rows]


def _blocks(columns: Sequence[list[str]], width: int) -> Iterator[list[list[str]]]:
    """Yield the columns in blocks that fit into a width, one column at least."""
    block: list[list[str]] = []
    used = 0
    for column in columns:
        wide = max(map(len, column)) + len(GAP)
        if block and used + wide > width:
            yield block
            block, used = [], 0
        block.append(column)
        used += wide
    yield block


def _joined(stub: Sequence[str], columns: Sequence[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in columns]
    for place, start in enumerate(stub):
        words = [column[place].rjust(wide) for column, wide in zip(columns, widths, strict=True)]
        yield GAP.join([start, *words]).rstrip()
