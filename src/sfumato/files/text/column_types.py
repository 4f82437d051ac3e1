"""What the cells of a text file mean: a column is a number, a date or a truth value if all its cells are.

All columns are looked at whole, in one streaming pass over the file, so that a type which changes far down changes
nothing. Text is left as it is: numbers with leading zeros or a plus sign (postal codes, telephone numbers) and whole
numbers too long to be held exactly are text. Numbers may have marks between their thousands. In a column of numbers,
dates or truth values the usual words for missing are missing; in text they are text.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from sfumato.files.text.number_forms import DECIMALS, DIGITS_OF_CODES, OTHER_MARK, WHOLE, CellForm, number_forms

if TYPE_CHECKING:
    import polars as pl

WORDS_FOR_MISSING = ("NA", "N/A", "NaN", "nan", "NULL", "null", ".")
TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")
DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
FIRST_ROWS, MORE_ROWS = 100, 5_000
CLOCK = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6}0{0,3})?"


@dataclass(frozen=True)
class Inferred:
    """A frame of text with each column in the type of its cells, and how its numbers are written.

    Parameters
    ----------
    frame
        The columns.
    decimal
        The decimal mark.
    thousands
        For columns in whose cells something stands between thousands, what.
    ambiguous
        Columns that are numbers with either decimal mark, but not the same ones, where no other column tells which.
    """

    frame: "pl.DataFrame"
    decimal: str
    thousands: Mapping[str, str]
    ambiguous: tuple[str, ...] = ()


@dataclass(frozen=True)
class FoundTypes:
    """What the cells of text columns mean.

    Parameters
    ----------
    names
        The columns.
    forms
        The form of the cells of each column, by its place, that is not text.
    filled
        How many cells of such a column have that form.
    decimal, ambiguous
        As in `Inferred`.
    """

    names: list[str]
    forms: Mapping[int, CellForm]
    filled: Mapping[int, int]
    decimal: str
    ambiguous: tuple[str, ...]

    def cells(self, text: Set[int] = frozenset()) -> "list[pl.Expr]":
        """Return the columns in their types; those at some places stay text."""
        import polars as pl

        typed = {place: form.convert(pl.nth(place)) for place, form in self.forms.items() if place not in text}
        return [typed.get(place, pl.nth(place)).alias(name) for place, name in enumerate(self.names)]

    def bare_cells(self) -> "list[pl.Expr]":
        """Return the columns in their types as far as no spaces are around their cells, with less work."""
        import polars as pl

        typed = {place: (form.convert_bare or form.convert)(pl.nth(place)) for place, form in self.forms.items()}
        return [typed.get(place, pl.nth(place)).alias(name) for place, name in enumerate(self.names)]

    def lost(self, counts: Sequence[int]) -> set[int]:
        """Return where cells that have the form could not be converted, given how many of each column have a value."""
        return {place for place, filled in self.filled.items() if counts[place] != filled}


def infer_types(lazy: "pl.LazyFrame", *, decimal: str | None, text_columns: frozenset[str] = frozenset()) -> Inferred:
    """Return a frame of text columns with each column in the type of its cells.

    Parameters
    ----------
    lazy
        Columns of text; an empty cell is missing.
    decimal
        The decimal mark; when None, the one of "." and "," that makes numbers of more columns, "." if equal.
    text_columns
        Columns to leave as text.
    """
    found = find_types(lazy, decimal=decimal, text_columns=text_columns)
    frame = lazy.select(found.bare_cells()).collect(engine="streaming")
    spaced = found.lost([series.count() for series in frame.iter_columns()])
    if spaced:
        cells = found.cells()
        frame = frame.with_columns(lazy.select(cells[place] for place in spaced).collect(engine="streaming"))
    lost = found.lost([series.count() for series in frame.iter_columns()])
    if lost:
        frame = frame.with_columns(lazy.select(found.names[place] for place in lost).collect(engine="streaming"))
    kept = {found.names[place]: form for place, form in found.forms.items() if place not in lost}
    thousands = {name: form.thousands for name, form in kept.items() if form.thousands}
    return Inferred(frame, found.decimal, thousands, found.ambiguous)


def find_types(lazy: "pl.LazyFrame", *, decimal: str | None, text_columns: frozenset[str] = frozenset()) -> FoundTypes:
    """Return the types of text columns, found in streams; the parameters are those of `infer_types`."""
    names = lazy.collect_schema().names()
    sought = [name for name, form in _forms().items() if decimal is None or form.decimal in (None, decimal)]
    places = [place for place, name in enumerate(names) if name not in text_columns]
    tally = _tally_needed(lazy, _possible(lazy, places, sought))
    ambiguous = () if decimal else tuple(names[place] for place in _ambiguous_places(tally))
    decimal = decimal or _choose_decimal(tally)
    forms = {place: form for place, counts in tally.items() if (form := _form(counts, decimal)) is not None}
    codes = _places_of_codes(lazy, forms)
    forms = {place: form for place, form in forms.items() if place not in codes}
    return FoundTypes(names, forms, {place: _cells(tally[place]) for place in forms}, decimal, ambiguous)


def columns_with_other_decimal(lazy: "pl.LazyFrame", decimal: str) -> list[str]:
    """Return the columns that are decimal numbers only with the other mark, where no column is one with this mark."""
    names = lazy.collect_schema().names()
    tally = _tally_needed(lazy, _possible(lazy, list(range(len(names))), list(number_forms())))
    only = {mark: [place for place, counts in tally.items() if _is_only(counts, mark)] for mark in DECIMALS}
    return [] if only[decimal] else [names[place] for place in only[OTHER_MARK[decimal]]]


def _is_only(counts: Mapping[str, int], mark: str) -> bool:
    """Tell whether a column is one of numbers with a decimal mark, and not with the other."""
    return _number_form(counts, mark) != "" == _number_form(counts, OTHER_MARK[mark])


def _number_form(counts: Mapping[str, int], mark: str) -> str:
    """Return the name of the form that all cells have in a file with a decimal mark; nothing if they are no numbers."""
    forms = number_forms().items()
    return next((name for name, form in forms if form.decimal in (None, mark) and _is_complete(counts, name)), "")


def _ambiguous_places(tally: Mapping[int, Mapping[str, int]]) -> list[int]:
    """Return the columns of numbers such as 1.234, a little more than 1 or than 1000, unless other columns decide."""
    marks = [mark for mark in DECIMALS if any(_is_only(counts, mark) for counts in tally.values())]
    if len(marks) == 1:
        return []
    found = {place: [_number_form(counts, mark) for mark in DECIMALS] for place, counts in tally.items()}
    return [place for place, forms in found.items() if all(forms) and forms[0] != forms[1]]


def _places_of_codes(lazy: "pl.LazyFrame", forms: Mapping[int, CellForm]) -> list[int]:
    """Return the columns of whole numbers in groups that are all as long: such numbers count nothing, but name."""
    import polars as pl

    grouped = [place for place, form in forms.items() if form.thousands and not form.has_decimals]
    if not grouped:
        return []
    cells = {place: pl.nth(place).filter(~pl.nth(place).is_in(WORDS_FOR_MISSING)).str.len_chars() for place in grouped}
    ends = {f"{place} {end}": getattr(cell, end)() for place, cell in cells.items() for end in ("min", "max")}
    lengths = lazy.select(**ends).collect(engine="streaming").row(0, named=True)
    least = DIGITS_OF_CODES + (DIGITS_OF_CODES - 1) // 3
    return [place for place in grouped if least <= lengths[f"{place} min"] == lengths[f"{place} max"]]


@cache
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
        **number_forms(),
        "date": CellForm(f"^{DAY}$", lambda cell: cell.str.to_date("%Y-%m-%d", strict=False)),
        "moment": CellForm(f"^{DAY}[T ]{CLOCK}$", moment),
        "clock": CellForm(f"^{CLOCK}$", lambda cell: cell.str.to_time("%H:%M:%S%.f", strict=False)),
    }


def _possible(lazy: "pl.LazyFrame", places: list[int], sought: list[str]) -> dict[int, list[str]]:
    """Return for each column the forms that all its first cells have: only these need be sought in the whole file.

    The very first cells are read by Python, which keeps its patterns: polars prepares each anew for each column.
    """
    first = lazy.head(FIRST_ROWS).collect(engine="streaming")
    found = {place: _forms_of(first.to_series(place).to_list(), sought) for place in places}
    possible = {place: forms for place, forms in found.items() if forms}
    if len(first) < FIRST_ROWS:
        return possible
    tally = _tally(lazy.head(MORE_ROWS), possible)
    found = {
        place: [form for form in possible[place] if counts[form] == _cells(counts)] for place, counts in tally.items()
    }
    return {place: forms for place, forms in found.items() if forms}


def _forms_of(cells: list[str | None], sought: list[str]) -> list[str]:
    """Return the forms that all cells have which are filled, and no word for missing."""
    filled = {cell for cell in cells if cell and cell not in WORDS_FOR_MISSING}
    patterns = {form: re.compile(_forms()[form].pattern) for form in sought}
    return [form for form, pattern in patterns.items() if all(map(pattern.search, filled))]


def _tally_needed(lazy: "pl.LazyFrame", possible: Mapping[int, list[str]]) -> dict[int, dict[str, int]]:
    """Return the tally of the forms as far as it is needed.

    Where all cells are whole numbers, no other form matters. Those with marks between thousands do only where the
    others leave something open.
    """
    grouped = {name for name, form in number_forms().items() if form.thousands}
    plain = {place: [name for name in names if name not in grouped] for place, names in possible.items()}
    tally = _tally(lazy, {place: [WHOLE] if WHOLE in names else names for place, names in plain.items()})
    others = {place: [name for name in names if name != WHOLE] for place, names in plain.items() if WHOLE in names}
    _add_tally(tally, lazy, {place: [] if _is_complete(tally[place], WHOLE) else others[place] for place in others})
    needed = {
        place: _open_forms(tally[place], [name for name in names if name in grouped])
        for place, names in possible.items()
    }
    _add_tally(tally, lazy, needed)
    return tally


def _add_tally(tally: dict[int, dict[str, int]], lazy: "pl.LazyFrame", needed: Mapping[int, list[str]]) -> None:
    """Add to a tally (output) that of more forms."""
    for place, counts in _tally(lazy, {place: names for place, names in needed.items() if names}).items():
        tally[place].update({name: counts[name] for name in needed[place]})


def _open_forms(counts: Mapping[str, int], grouped: list[str]) -> list[str]:
    """Return which forms with marks between thousands are to be sought beside the complete form of a column."""
    complete = [name for name in _forms() if _is_complete(counts, name)]
    if not complete:
        return grouped
    return [f"whole by {mark}" for mark in DECIMALS if complete == [mark] and f"whole by {mark}" in grouped]


def _tally(lazy: "pl.LazyFrame", forms: Mapping[int, list[str]]) -> dict[int, dict[str, int]]:
    """Return for each column how many of its cells have each of some forms, are filled, and are words for missing.

    Columns go by their places: polars would take some names for patterns. A word for missing has none of the forms, so
    that nobody need look for them where all filled cells have one.
    """
    import polars as pl

    patterns = {form: cell_form.pattern for form, cell_form in _forms().items()}
    counts = _count_cells(
        lazy,
        {
            (place, what): question
            for place, asked in forms.items()
            for what, question in (
                ("filled", pl.nth(place) != ""),
                *((form, pl.nth(place).str.contains(patterns[form])) for form in asked),
            )
        },
    )
    unlike = [
        place for place, asked in forms.items() if counts[place, "filled"] not in [counts[place, f] for f in asked]
    ]
    counts |= _count_cells(lazy, {(place, "missing"): pl.nth(place).is_in(WORDS_FOR_MISSING) for place in unlike})
    return {place: {what: counts.get((place, what), 0) for what in ("filled", "missing", *patterns)} for place in forms}


def _count_cells(lazy: "pl.LazyFrame", questions: "Mapping[tuple[int, str], pl.Expr]") -> dict[tuple[int, str], int]:
    """Return for how many cells each question is true."""
    asked = [question.sum().alias(f"{place} {what}") for (place, what), question in questions.items()]
    counts = lazy.select(asked).collect(engine="streaming").row(0) if asked else ()
    return {key: count or 0 for key, count in zip(questions, counts, strict=True)}


def _choose_decimal(tally: Mapping[int, Mapping[str, int]]) -> str:
    complete = {mark: sum(_number_form(counts, mark) != "" for counts in tally.values()) for mark in DECIMALS}
    return "," if complete[","] > complete["."] else "."


def _form(counts: Mapping[str, int], decimal: str) -> CellForm | None:
    """Return the first form that all cells have, None for text."""
    forms = _forms().items()
    return next((form for name, form in forms if form.decimal in (None, decimal) and _is_complete(counts, name)), None)


def _is_complete(counts: Mapping[str, int], form: str) -> bool:
    return 0 < counts[form] == _cells(counts)


def _cells(counts: Mapping[str, int]) -> int:
    return counts["filled"] - counts["missing"]
