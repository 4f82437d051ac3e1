"""Which columns of text or numbers are dates, and in which format."""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from sfumato.data.column_recoding import text_of
from sfumato.data.date_formats import (
    EXAMPLES,
    MIN_SHARE,
    MISSING_WORDS,
    fitting_formats,
    formats_of,
    nearly_fitting_format,
    unread_form,
)
from sfumato.data.dates import NUMBER_FORMAT, is_written, observed_texts, possible_formats
from sfumato.data.distinct_values import factorise, type_name
from sfumato.data.kinds import Kind
from sfumato.data.schema import Schema, Variable
from sfumato.errors import SchemaError

SAMPLE = 100  # values that are looked at before all of them
MIN_NUMBERS = 5  # different numbers such as 19900201 before they are taken for dates


@dataclass(frozen=True)
class Recognition:
    """What was found of a column that may hold dates.

    Parameters
    ----------
    formats
        The formats in which all its values are dates, each reading them differently.
    others
        How many different values are no dates, where nearly all others are dates in one format.
    unread
        How they are written where they look like dates in a form that is not read, as in "with years of two digits".
    """

    formats: tuple[str, ...] = ()
    others: int = 0
    unread: str = ""


NO_DATES = Recognition()


def recognise_dates(series: nw.Series[Any]) -> Recognition:
    """Return whether a column of text or whole numbers holds dates, and in which formats it can be read.

    Numbers count as dates where several are different and all read as yyyymmdd, in the last centuries.
    """
    if not _may_be_written(series):
        return NO_DATES
    first = _texts(list(dict.fromkeys(series.drop_nulls().head(SAMPLE).to_list())))  # one word may be in most cells
    if not _looks_like_dates(first):
        return NO_DATES if series.dtype.is_numeric() else Recognition(unread=unread_form(first))
    texts = _texts(factorise(series)[1])
    is_number = series.dtype.is_numeric()
    formats = tuple(form.text for form in fitting_formats(texts, any_year=not is_number))
    if is_number:
        return Recognition(formats) if formats == (NUMBER_FORMAT,) and len(texts) >= MIN_NUMBERS else NO_DATES
    if formats:
        return Recognition(formats)
    nearly, others = nearly_fitting_format(texts)
    return Recognition((nearly,), len(others)) if nearly else NO_DATES


def _looks_like_dates(texts: list[str]) -> bool:
    """Tell whether nearly all of some texts are dates; a few that are not are enough to say no."""
    left = int((1 - MIN_SHARE) * len(texts))
    for text in texts:
        left -= not formats_of(text)
        if left < 0:
            return False
    return bool(texts)


def with_date_formats(table: nw.DataFrame[Any], schema: Schema) -> Schema:
    """Return the schema with the formats of dates in text that it leaves open, where only one fits.

    Text that fits no format, not even nearly, is refused, and so are numbers that are no dates.
    """
    opened = [
        variable
        for variable in schema.variables
        if variable.kind is Kind.DATE and not variable.date_format and is_written(table.get_column(variable.name))
    ]
    found = [
        variable.replace(date_format=_found_format(table.get_column(variable.name), variable)) for variable in opened
    ]
    return schema.with_variables(*found) if any(variable.date_format for variable in found) else schema


def _found_format(series: nw.Series[Any], variable: Variable) -> str:
    """Return the only format that fits; none where several do, where one nearly does, or where there is no date."""
    formats, texts = possible_formats(series, variable), observed_texts(series, variable)
    is_open = not series.dtype.is_numeric() and nearly_fitting_format(texts)[0]
    if texts and not formats and not is_open:
        unread = "" if series.dtype.is_numeric() else unread_form(texts)
        if unread:
            raise SchemaError(
                f"column '{series.name}' holds dates {unread}, which are not read: write them as yyyy-mm-dd in the "
                f"file, or give the column the kind nominal"
            )
        raise SchemaError(
            f"column '{series.name}' is to be a date, but holds {type_name(series.dtype)} that no format fits as a "
            f"whole: write the date_format, such as {EXAMPLES}, list what stands for no answer in missing_codes, or "
            f"correct the kind"
        )
    return formats[0] if len(formats) == 1 else ""


def _may_be_written(series: nw.Series[Any]) -> bool:
    dtype = series.dtype
    return dtype in (nw.String, nw.Categorical) or isinstance(dtype, nw.Enum) or dtype.is_integer()


def _texts(values: list[Any]) -> list[str]:
    texts = [text_of(value) for value in values if value is not None and value == value]
    return [text for text in texts if text.strip() not in MISSING_WORDS]


def text_doubt(found: Recognition) -> str:
    """Return in words what is in doubt about text that looks like dates; nothing where it is plain."""
    if found.others:
        return (
            f"guessed date, because all but {found.others} of its different texts are dates in {found.formats[0]}; "
            f"correct the others, or list those that stand for no answer in missing_codes; if it holds no dates, make "
            f"it nominal"
        )
    if found.unread:
        return (
            f"looks like dates {found.unread}, which are not read: write them as yyyy-mm-dd in the file; if it holds "
            f"no dates, leave it as it is"
        )
    return ""
