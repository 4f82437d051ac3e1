"""Categories that a file lists although no record has them: in its schema, in labels of codes, in types of columns."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

from sfumato.data import Category, Microdata, Variable

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


def with_held_categories(data: Microdata) -> Microdata:
    """Return the same records, where schema and types list the categories and codes that some record has.

    The name of a category that was suppressed tells that somebody had it. What is listed then depends on the records
    alone. Codes that stand for missing, and their labels, are not about anybody and stay.

    Examples
    --------
    >>> import polars
    >>> from sfumato.data import Schema
    >>> labels = {1: "nurse", 2: "bishop", 9: "refused"}
    >>> job = Variable(name="job", kind="nominal", value_labels=labels, missing_codes=(9,))
    >>> people = Microdata(polars.DataFrame({"job": [1, 1, None]}), Schema(variables=(job,)))
    >>> with_held_categories(people).schema["job"].value_labels
    {1: 'nurse', 9: 'refused'}
    """
    listed = [one for one in data.schema.variables if one.value_labels or one.categories or one.valid_codes]
    variables = [with_held(one, set(data.table[one.name].unique().to_list())) for one in listed]
    return data.with_frame(_with_held_types(data.frame)).with_schema(data.schema.with_variables(*variables))


def with_held(variable: Variable, held: set[Category]) -> Variable:
    """Return a variable that lists what is held, and what stands for missing."""
    return variable.replace(
        value_labels={
            code: label
            for code, label in variable.value_labels.items()
            if code in held or _stands_for_missing(variable, code)
        },
        categories=tuple(category for category in variable.categories if category in held),
        valid_codes=tuple(code for code in variable.valid_codes if code in held),
    )


def _stands_for_missing(variable: Variable, code: Category) -> bool:
    """Tell whether a code stands for missing, also where classes of numbers made a text of it."""
    if code in variable.missing_codes or variable.is_in_missing_range(code):
        return True
    with suppress(ValueError):
        return isinstance(code, str) and variable.is_in_missing_range(float(code))
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
