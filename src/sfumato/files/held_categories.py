"""Categories that a file lists although no record has them: in its schema, in labels of codes, in types of columns."""

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from sfumato.data import Category, Microdata, Variable

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


def with_held_categories(data: Microdata) -> Microdata:
    """Return the same records, where schema and types list the categories and codes that some record has.

    The name of a category that was suppressed tells that somebody had it, and so does the label of a code for missing,
    such as "in prison". What is listed then depends on the records alone. That a number stands for missing tells
    nothing, and stays declared.

    Examples
    --------
    >>> import polars
    >>> from sfumato.data import Schema
    >>> labels = {1: "nurse", 2: "bishop", 9: "refused"}
    >>> job = Variable(name="job", kind="nominal", value_labels=labels, missing_codes=(9,))
    >>> people = Microdata(polars.DataFrame({"job": [1, 1, None]}), Schema(variables=(job,)))
    >>> with_held_categories(people).schema["job"].value_labels
    {1: 'nurse'}
    """
    listed = [one for one in data.schema.variables if lists_values(one)]
    variables = [with_held(one, set(data.table[one.name].unique().to_list())) for one in listed]
    return data.with_frame(_with_held_types(data.frame)).with_schema(data.schema.with_variables(*variables))


def lists_values(variable: Variable) -> bool:
    """Tell whether a variable lists categories or codes."""
    return bool(variable.value_labels or variable.categories or variable.valid_codes or variable.missing_codes)


def with_held(variable: Variable, held: set[Category]) -> Variable:
    """Return a variable that lists what is held, and which numbers stand for missing.

    Classes of numbers hold codes as text, also those whose labels are of numbers.
    """
    return variable.replace(
        value_labels={
            code: label for code, label in variable.value_labels.items() if code in held or str(code) in held
        },
        missing_codes=tuple(code for code in variable.missing_codes if code in held or _is_number(code)),
        categories=tuple(category for category in variable.categories if category in held),
        valid_codes=tuple(code for code in variable.valid_codes if code in held),
    )


def _is_number(code: Category) -> bool:
    """Tell whether a code is a number, or the text of one."""
    with suppress(ValueError):
        return not isinstance(code, str) or math.isfinite(float(code))
    return False


def _with_held_types(frame: Any) -> Any:
    """Return the frame with types that list the categories which some cell has."""
    table = nw.from_native(frame, eager_only=True)
    if table.implementation.is_polars():
        return _of_polars(frame)
    if table.implementation.is_pyarrow():
        return _of_pyarrow(frame)
    found = {name: frame[name] for name, dtype in frame.dtypes.items() if hasattr(dtype, "categories")}
    return frame.assign(**{name: column.cat.remove_unused_categories() for name, column in found.items()})


def _of_polars(frame: "pl.DataFrame") -> "pl.DataFrame":
    import polars as pl

    columns = []
    for series in frame:
        if isinstance(series.dtype, pl.Enum):
            held = set(series.unique().cast(pl.String))
            columns.append(
                series.cast(pl.String).cast(pl.Enum([one for one in series.dtype.categories if one in held]))
            )
    return frame.with_columns(columns)


def _of_pyarrow(table: "pa.Table") -> "pa.Table":
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if isinstance(field.type, pa.DictionaryType):
            column = table.column(place).unify_dictionaries().combine_chunks()
            whole = column.chunk(0) if isinstance(column, pa.ChunkedArray) and column.num_chunks else column
            if not len(whole):
                continue
            held = {one for one in whole.indices.to_pylist() if one is not None}
            number = {one: new for new, one in enumerate(sorted(held))}
            indices = pa.array([number.get(one) for one in whole.indices.to_pylist()], field.type.index_type)
            categories = whole.dictionary.take(pa.array(sorted(held), pa.int64()))
            array = pa.DictionaryArray.from_arrays(indices, categories, ordered=field.type.ordered)
            table = table.set_column(place, field, array)
    return table
