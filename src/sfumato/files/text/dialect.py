"""How a text file is quoted and how its lines end, as its first lines show."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.files.text.column_types import FALSE, TRUE
from sfumato.files.write_options import BooleanStyle, LineEnding, Quoting

if TYPE_CHECKING:
    import polars as pl

HEAD = 65_536  # bytes looked at
NUMBER = re.compile(r" *[-+]?[0-9.,]+(?:[eE][-+]?[0-9]+)? *")
NOT_QUOTED = ("", "NA", *TRUE, *FALSE)  # what programs leave without quotes that put all text in them, beside numbers


def find_line_ending(path: Path) -> LineEnding:
    """Return how the first line of a text file ends."""
    with path.open("rb") as stream:
        return LineEnding.CRLF if stream.readline(HEAD).endswith(b"\r\n") else LineEnding.LF


def find_booleans(cells: "pl.LazyFrame", typed: "pl.DataFrame") -> BooleanStyle | None:
    """Return how a text file writes truth values: as the first one that is true or false; None where it has none.

    Parameters
    ----------
    cells, typed
        Its columns as text, and in their types.
    """
    import polars as pl

    places = [place for place, dtype in enumerate(typed.dtypes) if dtype == pl.Boolean]
    if not places:
        return None
    rows = typed.to_series(places[0]).is_not_null().arg_max() or 0
    cell = cells.select(pl.nth(places[0])).slice(rows, 1).collect(engine="streaming").item()
    return BooleanStyle.LOWER if cell.islower() else BooleanStyle.UPPER if cell.isupper() else BooleanStyle.TITLE


def find_quoting(path: Path, separator: str) -> Quoting:
    """Return which cells of a text file in UTF-8 stand in quotation marks: as its first lines have it."""
    with path.open("rb") as stream:
        head = stream.read(HEAD)
        is_whole = not stream.read(1)
    text = head.decode("utf-8-sig", errors="ignore")
    return quoting_of(text if is_whole else text[: text.rfind("\n") + 1], separator)


def quoting_of(text: str, separator: str) -> Quoting:
    r"""Return which cells of a text stand in quotation marks.

    Examples
    --------
    >>> quoting_of('"town","age"\n"Pisa",34\n', ",").value, quoting_of('"town";"age"\n"Pisa";"34"\n', ";").value
    ('text', 'all')
    >>> quoting_of('town,age\n"Pisa, Italy",34\n', ",").value
    'necessary'
    """
    mark = re.escape(separator)
    cells = re.compile(rf'("(?:[^"]|"")*"|[^"{mark}\r\n]*)(?:{mark}|\r?\n|\r|\Z)')
    found = [cell for cell in cells.findall(text) if cell not in NOT_QUOTED]
    plain = [cell for cell in found if not cell.startswith('"')]
    if len(plain) == len(found) or not all(map(NUMBER.fullmatch, plain)):
        return Quoting.NECESSARY
    return Quoting.TEXT if plain else Quoting.ALL
