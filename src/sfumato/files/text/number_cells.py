"""How the numbers of a text file are laid out, column by column, and numbers written in that way.

A column that had two decimals gets two decimals again, however many a mean of its values has: more would tell nobody
anything but that the value was masked. What stood between its thousands stands there again.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw

from sfumato.data.decimals import MAX_DECIMALS, count_decimals
from sfumato.files.text.column_types import WORDS_FOR_MISSING
from sfumato.files.write_options import NumberLayout

if TYPE_CHECKING:
    import polars as pl

FIRST_ROWS = 1_000  # that show whether each number has as many decimals
LARGEST_PLAIN = 1e15  # from here on a whole number has more than 15 digits
LARGEST_EXACT = 2**53
MAX_GROUPS = 5  # of three digits, in a number of at most 15


def find_layouts(
    cells: "pl.LazyFrame", typed: "pl.DataFrame", decimal: str, thousands: Mapping[str, str]
) -> dict[str, NumberLayout]:
    """Return how the columns of numbers are laid out, but for whole ones without a mark between their thousands.

    Parameters
    ----------
    cells, typed
        The columns as text, and in their types.
    decimal, thousands
        The decimal mark, and for some columns what stands between thousands.
    """
    import polars as pl

    floats = {
        name: decimals
        for name, dtype in typed.schema.items()
        if dtype == pl.Float64
        and (decimals := count_decimals(nw.from_native(typed[name], series_only=True))) is not None
    }
    lengths = [
        _decimals(pl.nth(typed.columns.index(name)), decimal).alias(str(place)) for place, name in enumerate(floats)
    ]
    fewest = cells.head(FIRST_ROWS).select(lengths).collect().row(0) if lengths else ()
    layouts = {name: NumberLayout(MAX_DECIMALS, thousands=mark) for name, mark in thousands.items()}
    for (name, decimals), least in zip(floats.items(), fewest, strict=True):
        layouts[name] = NumberLayout(max(decimals, least or 0), (least or 0) >= decimals, thousands.get(name))
    return layouts


def _decimals(cell: "pl.Expr", decimal: str) -> "pl.Expr":
    """Return how many characters stand behind the decimal mark at least, in cells that are no words for missing."""
    plain = cell.filter(~cell.is_in(WORDS_FOR_MISSING))
    behind = plain.str.len_bytes().cast(int) - 1 - plain.str.find(decimal, literal=True).cast(int)
    return behind.fill_null(0).min()


def plain_text(number: "pl.Expr", decimal: str) -> "pl.Expr":
    """Return decimal numbers as text with all their decimals, whole ones without any, as most programs write them.

    Whole numbers of more than 15 digits keep theirs: without it they would be read as text.
    """
    import polars as pl

    text = number.cast(pl.String)
    short = pl.when(number.abs() < LARGEST_PLAIN).then(text.str.strip_suffix(".0")).otherwise(text)
    return short.str.replace(".", decimal, literal=True)


def laid_out_text(number: "pl.Expr", layout: NumberLayout, decimal: str, codes: Iterable[float] = ()) -> "pl.Expr":
    """Return numbers as text that is laid out as asked for.

    Parameters
    ----------
    number, layout
        Numbers, and how they are laid out.
    decimal
        The decimal mark.
    codes
        Numbers that stand for no answer: what only rounding would make one of these keeps all its decimals.

    Examples
    --------
    >>> import polars as pl
    >>> numbers = pl.DataFrame({"x": [1709.914, 7.0, -0.001, 2300000.5, None]})
    >>> numbers.select(laid_out_text(pl.col("x"), NumberLayout(2, True, "."), ",")).to_series().to_list()
    ['1.709,91', '7,00', '0,00', '2.300.000,50', None]
    """
    import polars as pl

    unit = 10**layout.decimals
    exact = number.cast(pl.Float64)
    rounded = exact.round(layout.decimals)
    fits = (exact.abs() * unit < LARGEST_EXACT) & ~(rounded.is_in(list(codes)) & (rounded != exact))
    units = pl.when(fits).then(rounded.abs() * unit).round().cast(pl.Int64)
    fraction = (units % unit).cast(pl.String).str.zfill(layout.decimals) if layout.decimals else pl.lit("")
    if not layout.is_fixed:
        fraction = fraction.str.strip_chars_end("0")
    behind = pl.when(fraction == "").then(pl.lit("")).otherwise(pl.lit(decimal) + fraction)
    sign = pl.when((exact < 0) & (units > 0)).then(pl.lit("-")).otherwise(pl.lit(""))
    text = sign + _group(units // unit, layout.thousands) + behind
    return pl.when(exact.is_null() | fits).then(text).otherwise(plain_text(exact, decimal))


def _group(whole: "pl.Expr", thousands: str | None) -> "pl.Expr":
    """Return whole numbers as text, with a mark between their thousands."""
    import polars as pl

    if thousands is None:
        return whole.cast(pl.String)
    text: pl.Expr = (whole // 1000 ** (MAX_GROUPS - 1)).cast(pl.String)
    for group in reversed(range(MAX_GROUPS - 1)):
        digits = (whole // 1000**group) % 1000
        longer = text + pl.lit(thousands) + digits.cast(pl.String).str.zfill(3)
        text = pl.when(whole >= 1000 ** (group + 1)).then(longer).otherwise(digits.cast(pl.String))
    return text
