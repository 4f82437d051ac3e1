"""Numbers in text that nothing reads as numbers: with marks, signs or units, or with other words among them."""

import re
from typing import Any

import narwhals.stable.v2 as nw

SAMPLE = 200  # cells of which half must be numbers
MAX_TEXTS = 10_000  # more different texts than this are not looked at one by one
MIN_SHARE = 0.9  # of the different texts are numbers, of which half have a mark or unit: else they are codes
UNIT = r"(?:%|[€$£¥]|[A-Z]{3}|zł|kr)"
WHOLE = r"(?:[1-9][0-9]{0,2}(?:[.,'\u2019\u00a0\u202f ][0-9]{3})+|0|[1-9][0-9]*)"
NUMBER = re.compile(rf"{UNIT}? ?[-+\u2212(]? ?{WHOLE}(?:[.,][0-9]+)?[-)]? ?{UNIT}?")
DECIMAL_COMMA = re.compile(r"-?(?:0|[1-9][0-9]*|[1-9][0-9]{0,2}(?:[.][0-9]{3})+),[0-9]+")
DIGITS_AND_MARKS = re.compile(r"[0-9\W]+")


def number_doubt(series: nw.Series[Any]) -> str:
    """Return what to do about text that looks like numbers, all of it or nearly; nothing where it does not."""
    others = count_other_texts(series)
    if others is None:
        return ""
    if not others and (marks := _decimal_commas(series)):
        return marks
    what = f"all but {others} of its different texts" if others else "its texts"
    advice = "correct the others, with a number such as -9 for no answer" if others else "write them as plain numbers"
    return (
        f"is text, though {what} look like numbers: {advice}, in the file, to have it read as numbers; if it holds "
        f"codes, leave it as it is"
    )


def _decimal_commas(series: nw.Series[Any]) -> str:
    """Return what to do about numbers with a decimal comma, which are read only where all of the file have it."""
    texts = [text.strip() for text in series.drop_nulls().head(SAMPLE).to_list()]
    if 2 * sum(bool(DECIMAL_COMMA.fullmatch(text)) for text in texts) < len(texts):
        return ""
    return (
        "is text, as its numbers have a comma before decimals and those of other columns have none: write all with "
        "one mark, in the file, to have it read as numbers; if it holds codes, leave it as it is"
    )


def count_other_texts(series: nw.Series[Any]) -> int | None:
    """Return how many of the different texts in a column are no numbers, where nearly all are; None elsewhere.

    Codes such as 01.11 or 10-20 among them speak for codes, and numbers without any mark or unit may be codes too.

    Examples
    --------
    >>> import polars
    >>> texts = polars.Series(["1.709,91", "812,50", "95,00", "1.200,00"] * 5)
    >>> count_other_texts(nw.from_native(texts, series_only=True))
    0
    """
    if series.dtype != nw.String:
        return None
    observed = series.drop_nulls()
    first = observed.head(SAMPLE).to_list()
    if 2 * sum(bool(NUMBER.fullmatch(text.strip())) for text in first) < len(first):
        return None  # most columns need no more than this look
    texts = [text.strip() for text in observed.unique().to_list()[:MAX_TEXTS]]
    numbers = [text for text in texts if NUMBER.fullmatch(text)]
    others = [text for text in texts if text and not NUMBER.fullmatch(text)]
    if len(numbers) < max(2, MIN_SHARE * len(texts)) or any(map(DIGITS_AND_MARKS.fullmatch, others)):
        return None
    marked = sum(not text.isdecimal() for text in numbers)
    return len(others) if 2 * marked >= len(numbers) else None
