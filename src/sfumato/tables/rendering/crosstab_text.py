"""A laid-out table as plain text, in blocks of columns where it is wide."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sfumato.tables.rendering.crosstab import GAP, Crosstab, Shown, in_blocks

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
    first = replace(laid, rows=laid.rows[:most_rows], cells=laid.cells[:most_rows])
    left = len(laid.rows) - len(first.rows)
    blocks = ["\n".join(_lines(block)) for block in in_blocks(first, width)]
    return "\n\n".join([*blocks, *([f"and {left} more rows"] if left else [])])


def _lines(laid: Crosstab) -> Iterator[str]:
    stub = _aligned([[*laid.down], *([label.indented for label in row] for row in laid.rows)])
    figures = [[label.indented for label in laid.columns], *([_text(cell) for cell in row] for row in laid.cells)]
    if laid.across:
        yield f"{'':{len(stub[0])}}{' ' * GAP}{laid.across}"
    for start, row in zip(stub, _aligned(figures, to_the_right=True), strict=True):
        yield f"{start}{' ' * GAP}{row}".rstrip()


def _text(cell: Shown | None) -> str:
    return "" if cell is None else cell.text


def _aligned(rows: Sequence[Sequence[str]], *, to_the_right: bool = False) -> list[str]:
    """Return rows of words as lines whose words stand below each other."""
    widths = [max(map(len, words)) for words in zip(*rows, strict=True)]
    set_in = str.rjust if to_the_right else str.ljust
    return [(" " * GAP).join(set_in(word, wide) for word, wide in zip(row, widths, strict=True)) for row in rows]
