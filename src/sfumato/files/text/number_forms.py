"""How cells of text write numbers: with a point or comma before decimals, and maybe marks between thousands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

DECIMALS = (".", ",")
OTHER_MARK = {".": ",", ",": "."}
WHOLE = "whole"
"""The name of the form of whole numbers."""
DIGITS = "(?:0|-?[1-9][0-9]{0,18})"
THOUSANDS = {".": "[.]", ",": ",", " ": "[ \u00a0\u202f]", "'": "['\u2019]"}
"""What may stand between thousands: the usual mark, and the pattern of those that look like it."""
DIGITS_OF_CODES = 7
"""Whole numbers in groups that all have as many digits as each other, and at least these, are codes of something."""


@dataclass(frozen=True)
class CellForm:
    """One form of cell: how it looks and what it becomes; a cell that cannot be converted becomes missing.

    Parameters
    ----------
    pattern, convert
        How a cell looks, and what it becomes.
    convert_bare
        What it becomes where no spaces are around it, found with less work; missing, or the same, where there are.
    decimal
        The decimal mark of the file in which a cell looks so; None where any will do.
    thousands, has_decimals
        What stands between thousands, None where nothing does; and whether the numbers may have decimals.
    """

    pattern: str
    convert: "Callable[[pl.Expr], pl.Expr]"
    decimal: str | None = None
    thousands: str | None = None
    has_decimals: bool = False
    convert_bare: "Callable[[pl.Expr], pl.Expr] | None" = None


@cache
def number_forms() -> Mapping[str, CellForm]:
    """Return the forms of numbers by name, in the order in which they are tried."""
    import polars as pl

    def whole(cell: pl.Expr) -> pl.Expr:
        return cell.str.strip_chars(" ").cast(pl.Int64, strict=False)

    def decimal_with(mark: str) -> Callable[[pl.Expr], pl.Expr]:
        return lambda cell: _float(cell if mark == "." else cell.str.replace(mark, ".", literal=True))

    def grouped(thousands: str, decimal: str = "") -> Callable[[pl.Expr], pl.Expr]:
        def convert(cell: pl.Expr) -> pl.Expr:
            plain = cell.str.strip_chars(" ").str.replace_all(THOUSANDS[thousands], "")
            return decimal_with(decimal)(plain) if decimal else whole(plain)

        return convert

    plain = {
        WHOLE: CellForm(f"^ *{DIGITS} *$", whole, convert_bare=lambda cell: cell.cast(pl.Int64, strict=False)),
        **{
            mark: CellForm(
                _decimal_pattern(mark),
                decimal_with(mark),
                mark,
                has_decimals=True,
                convert_bare=_bare_float if mark == "." else None,
            )
            for mark in DECIMALS
        },
    }
    wholes = {
        f"whole by {mark}": CellForm(_grouped_pattern(mark, ""), grouped(mark), OTHER_MARK.get(mark), mark)
        for mark in THOUSANDS
    }
    decimals = {
        f"{decimal} by {mark}": CellForm(
            _grouped_pattern(mark, decimal), grouped(mark, decimal), decimal, mark, has_decimals=True
        )
        for decimal, mark in product(DECIMALS, THOUSANDS)
        if mark != decimal
    }
    return {**plain, **wholes, **decimals}


def _decimal_pattern(mark: str) -> str:
    """Return the pattern of a decimal number; a whole one has at most 15 digits, which a float holds exactly."""
    mark = f"[{mark}]"
    exponent = "(?:[eE][+-]?[0-9]+)"
    whole = "(?:0|[1-9][0-9]*)"
    forms = (
        "0",
        "[1-9][0-9]{0,14}",
        f"{whole}{mark}[0-9]*{exponent}?",
        f"{mark}[0-9]+{exponent}?",
        whole + exponent,
        "inf",
    )
    return f"^ *-?(?:{'|'.join(forms)}) *$"


def _grouped_pattern(thousands: str, decimal: str) -> str:
    """Return the pattern of a number with marks between its thousands, or with fewer than four digits, or without."""
    whole = f"(?:0|[1-9][0-9]{{0,2}}(?:{THOUSANDS[thousands]}[0-9]{{3}}){{1,4}}|[1-9][0-9]{{0,14}})"
    return f"^ *-?{whole}(?:[{decimal}][0-9]*)? *$" if decimal else f"^ *-?{whole} *$"


def _float(cell: "pl.Expr") -> "pl.Expr":
    return _bare_float(cell.str.strip_chars(" "))


def _bare_float(cell: "pl.Expr") -> "pl.Expr":
    import polars as pl

    return cell.cast(pl.Float64, strict=False).fill_nan(None)
