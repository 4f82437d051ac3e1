"""Dates in text, each day written in one way only."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.column_recoding import recode_column, text_of
from sfumato.data.columns import is_missing_value
from sfumato.data.date_formats import date_format
from sfumato.data.dates import is_written
from sfumato.data.distinct_values import factorise
from sfumato.data.kinds import Kind
from sfumato.data.schema import Schema, Variable


def with_like_dates(table: nw.DataFrame[Any], schema: Schema) -> nw.DataFrame[Any]:
    """Return the table with dates in text as their format writes them: 3/3/2024 and 03/3/2024 are one day.

    How somebody's date was written would tell who it is, beside the day. A table in which each day is written in one
    way comes as it is; text that is no date, or stands for none, stays.

    Examples
    --------
    >>> import polars
    >>> table = nw.from_native(polars.DataFrame({"born": ["3/3/1990", "03/3/1990", "NA"]}), eager_only=True)
    >>> schema = Schema.from_yaml("variables: {born: {kind: date, date_format: d/m/yyyy}}")
    >>> with_like_dates(table, schema)["born"].to_list()
    ['3/3/1990', '3/3/1990', 'NA']
    """
    written = [one for one in schema.variables if one.kind is Kind.DATE and one.date_format]
    columns = [(table.get_column(variable.name), variable) for variable in written]
    texts = [(series, one) for series, one in columns if is_written(series) and not series.dtype.is_numeric()]
    changed = [(series, _rewrite(series, one)) for series, one in texts]
    changed = [(series, after) for series, after in changed if after is not series]
    return table.with_columns(*(after for _, after in changed)) if changed else table


def _rewrite(series: nw.Series[Any], variable: Variable) -> nw.Series[Any]:
    """Return a column of text with each date as the format writes it; the column itself where it has that."""
    codes, values = factorise(series)
    form = date_format(variable.date_format)
    moments = [None if is_missing_value(value, variable) else form.read(text_of(value)) for value in values]
    after = [value if moment is None else form.write(moment) for value, moment in zip(values, moments, strict=True)]
    if after == values:
        return series
    dates = sorted({text for text, moment in zip(after, moments, strict=True) if moment is not None})
    place = {text: number for number, text in enumerate(dates)}
    places = [-1 if moment is None else place[text] for text, moment in zip(after, moments, strict=True)]
    others = {value: value for value, moment in zip(values, moments, strict=True) if moment is None}
    return recode_column(series, dates, np.array([*places, -1], dtype=np.int64)[codes], others)
