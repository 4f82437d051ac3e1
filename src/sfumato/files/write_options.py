"""How a file is to be written: the one record that everything which writes data takes, beside `ReadOptions`."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, Self


class Quoting(StrEnum):
    """Which cells of a text file stand in quotation marks."""

    NECESSARY = "necessary"
    """Those that hold a separator, a quotation mark or a line end."""
    TEXT = "text"
    """All but numbers and missing values."""
    ALL = "all"


class LineEnding(StrEnum):
    """What ends a line of a text file."""

    LF = "lf"
    """As Linux and macOS write it."""
    CRLF = "crlf"
    """As Windows does."""


class BooleanStyle(StrEnum):
    """How a text file writes what is true; what is false likewise."""

    LOWER = "true"
    TITLE = "True"
    UPPER = "TRUE"
    """As R writes it."""


@dataclass(frozen=True)
class NumberLayout:
    """How a column of a text file writes its numbers.

    Parameters
    ----------
    decimals, is_fixed
        How many decimals a number has at most, and whether each has as many.
    thousands
        What stands between thousands; None where nothing does.
    is_presumed
        Whether the numbers could be others with another decimal mark, and nothing in the file told which it is.
    """

    decimals: int
    is_fixed: bool = False
    thousands: str | None = None
    is_presumed: bool = False


@dataclass(frozen=True)
class WriteOptions:
    """How a file is to be written; None for what the input has where both are text files, else for what is usual.

    Parameters
    ----------
    format
        The format, as a suffix without its dot (`csv`, `parquet`, `sav`); that of the file's own name when None.
    separator, decimal
        What separates the fields of a text file, and its decimal mark; usual are a comma (a tab in .tsv) and a point.
    encoding
        The encoding of a text file; usual is UTF-8.
    quoting, line_ending
        Which cells of a text file stand in quotation marks, and how its lines end; usual are those that must, and LF.
    booleans
        How a text file writes truth values; usual is `true`.
    numbers
        How the columns of a text file write their numbers, as the input has them; others have all their decimals.
    file_label
        What an SPSS or Stata file says that it is, as the input has it.
    display_formats
        How an SPSS or Stata file shows columns with decimals, as the input has them: `F10.4`, `%9.2f`.
    """

    format: str | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    quoting: Quoting | None = None
    line_ending: LineEnding | None = None
    booleans: BooleanStyle | None = None
    numbers: Mapping[str, NumberLayout] | None = None
    file_label: str | None = None
    display_formats: Mapping[str, str] | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the options that only some formats know, of those that are given."""
        names = [field.name for field in fields(self) if field.name != "format"]
        return tuple(name for name in names if getattr(self, name) is not None)

    def like(self, other: Self, known: Collection[str], *, keeps_separator: bool) -> Self:
        """Return the options with those that are left open as another file has them.

        A decimal mark that the separator would take is left open again.

        Parameters
        ----------
        other
            How the other file is written.
        known
            The options that the format of the file to be written knows.
        keeps_separator
            Whether its separator suits the file that is to be written.
        """
        open_names = [name for name in other.given if name in known and getattr(self, name) is None]
        taken: dict[str, Any] = {name: getattr(other, name) for name in open_names}
        if not keeps_separator:
            taken.pop("separator", None)
        alike = replace(self, **taken)
        clashes = "decimal" in taken and alike.decimal == (alike.separator or ",") != other.separator
        alike = replace(alike, decimal=None) if clashes else alike
        return replace(alike, numbers=_with_mark(alike.numbers, alike.decimal or "."))


def _with_mark(numbers: Mapping[str, NumberLayout] | None, decimal: str) -> Mapping[str, NumberLayout] | None:
    """Return how numbers are written in a file with a decimal mark, which cannot stand between thousands too."""
    if numbers is None:
        return None
    other = "." if decimal == "," else ","
    return {
        name: replace(layout, thousands=other) if layout.thousands == decimal else layout
        for name, layout in numbers.items()
    }
