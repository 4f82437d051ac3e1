"""What the cells of a text file mean: a column is a number, a date or a truth value if all its cells are.

All columns are looked at whole, in one streaming pass over the file, so that a type which changes far down changes
nothing. Text is left as it is: numbers with leading zeros or a plus sign (postal codes, telephone numbers) and whole
numbers too long to be held exactly are text. In a column of numbers, dates or truth values the usual words for
missing are missing; in text they are text.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

WORDS_FOR_MISSING = ("NA", "N/A", "NaN", "nan", "NULL", "null", ".")
DECIMALS = (".", ",")
OTHER_MARK = {".": ",", ",": "."}
TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
WHOLE = "(?:0|-?[1-9][0-9]{0,18})"
DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
FIRST_ROWS = 5_000
CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6}0{0,3})?"


@dataclass(frozen=True)
class CellForm:
    """One form of cell: how it looks and what it becomes; a cell that cannot be converted becomes missing."""

    pattern: str
    convert: "Callable[[pl.Expr], pl.Expr]"


def infer_types(
    lazy: "pl.LazyFrame", *, decimal: str | None, text_columns: frozenset[str] = frozenset()
) -> "tuple[pl.DataFrame, str]":
    """Return a frame of text columns with each column in the type of its cells, and the decimal mark.

    Parameters
    ----------
    lazy
        Columns of text; an empty cell is missing.
    decimal
        The decimal mark; when None, the one of "." and "," that makes numbers of more columns, "." if equal.
    text_columns
        Columns to leave as text.
    """
    import polars as pl

    names = lazy.collect_schema().names()
    sought = [form for form in _forms() if form not in DECIMALS or form == (decimal or form)]
    places = [place for place, name in enumerate(names) if name not in text_columns]
    tally = _tally(lazy, _possible(lazy, places, sought))
    decimal = decimal or _choose_decimal(tally)
    forms = {place: form for place, counts in tally.items() if (form := _form(counts, decimal)) is not None}
    cells = [forms[place].convert(pl.nth(place)) if place in forms else pl.nth(place) for place in range(len(names))]
    frame = lazy.select(cell.alias(name) for name, cell in zip(names, cells, strict=True)).collect(engine="streaming")
    lost = [place for place in forms if frame.to_series(place).count() != _cells(tally[place])]
    if lost:
        frame = frame.with_columns(lazy.select(pl.nth(lost)).collect(engine="streaming"))
    return frame, decimal


def columns_with_other_decimal(lazy: "pl.LazyFrame", decimal: str) -> list[str]:
    """Return the columns that are decimal numbers only with the other mark, where no column is one with this mark."""
    names = lazy.collect_schema().names()
    tally = _tally(lazy, _possible(lazy, list(range(len(names))), ["whole", *DECIMALS]))
    only = {mark: [place for place, counts in tally.items() if _is_only(counts, mark)] for mark in DECIMALS}
    return [] if only[decimal] else [names[place] for place in only[OTHER_MARK[decimal]]]


def _is_only(counts: Mapping[str, int], mark: str) -> bool:
    """Tell whether a column is one of decimal numbers with a mark, and not with the other."""
    return _is_complete(counts, mark) and not _is_complete(counts, OTHER_MARK[mark])


def _forms() -> Mapping[str, CellForm]:
    """Return the forms in the order in which they are tried."""
    import polars as pl

    def truth(cell: pl.Expr) -> pl.Expr:
        return pl.when(cell.is_in(TRUE)).then(True).when(cell.is_in(FALSE)).then(False)

    def moment(cell: pl.Expr) -> pl.Expr:
        iso = cell.str.replace(" ", "T", literal=True)
        return iso.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", time_unit="us", strict=False)

    return {
        "truth": CellForm(f"^(?:{'|'.join((*TRUE, *FALSE))})$", truth),
        "whole": CellForm(f"^ *{WHOLE} *$", lambda cell: cell.str.strip_chars(" ").cast(pl.Int64, strict=False)),
        ".": CellForm(_decimal_pattern("[.]"), _decimal_number),
        ",": CellForm(_decimal_pattern(","), lambda cell: _decimal_number(cell.str.replace(",", ".", literal=True))),
        "date": CellForm(f"^{DAY}$", lambda cell: cell.str.to_date("%Y-%m-%d", strict=False)),
        "moment": CellForm(f"^{DAY}[T ]{CLOCK}$", moment),
        "clock": CellForm(f"^{CLOCK}$", lambda cell: cell.str.to_time("%H:%M:%S%.f", strict=False)),
    }


def _decimal_pattern(mark: str) -> str:
    """Return the pattern of a decimal number; a whole one has at most 15 digits, which a float holds exactly."""
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


def _decimal_number(cell: "pl.Expr") -> "pl.Expr":
    import polars as pl

    return cell.str.strip_chars(" ").cast(pl.Float64, strict=False).fill_nan(None)


def _possible(lazy: "pl.LazyFrame", places: list[int], sought: list[str]) -> dict[int, list[str]]:
    """Return for each column the forms that all its first cells have: only these need be sought in the whole file."""
    tally = _tally(lazy.head(FIRST_ROWS), dict.fromkeys(places, sought))
    possible = {place: [form for form in sought if counts[form] == _cells(counts)] for place, counts in tally.items()}
    return {place: forms for place, forms in possible.items() if forms}


def _tally(lazy: "pl.LazyFrame", forms: Mapping[int, list[str]]) -> dict[int, dict[str, int]]:
    """Return for each column how many of its cells have each of some forms, are filled, and are words for missing.

    Columns go by their places: polars would take some names for patterns.
    """
    import polars as pl

    patterns = {form: cell_form.pattern for form, cell_form in _forms().items()}
    questions = [
        question.sum().alias(f"{place} {what}")
        for place, asked in forms.items()
        for what, question in (
            ("filled", pl.nth(place) != ""),
            ("missing", pl.nth(place).is_in(WORDS_FOR_MISSING)),
            *((form, pl.nth(place).str.contains(patterns[form])) for form in asked),
        )
    ]
    counts = lazy.select(questions).collect(engine="streaming").row(0, named=True) if questions else {}
    return {
        place: {what: counts.get(f"{place} {what}") or 0 for what in ("filled", "missing", *patterns)}
        for place in forms
    }


def _choose_decimal(tally: Mapping[int, Mapping[str, int]]) -> str:
    complete = {mark: sum(_is_complete(counts, mark) for counts in tally.values()) for mark in DECIMALS}
    return "," if complete[","] > complete["."] else "."


def _form(counts: Mapping[str, int], decimal: str) -> CellForm | None:
    """Return the first form that all cells have, None for text."""
    forms = _forms().items()
    return next((form for name, form in forms if name != OTHER_MARK[decimal] and _is_complete(counts, name)), None)


def _is_complete(counts: Mapping[str, int], form: str) -> bool:
    return 0 < counts[form] == _cells(counts)


def _cells(counts: Mapping[str, int]) -> int:
    return counts["filled"] - counts["missing"]
