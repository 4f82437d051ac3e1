"""Dictionaries of Arrow that hold a category twice, or a missing value: numbers of entries would tell records apart."""

from typing import Any

import narwhals.stable.v2 as nw


def with_plain_dictionary(series: nw.Series[Any]) -> nw.Series[Any]:
    """Return a column of Arrow's dictionary type with one dictionary in which each category is once, and none missing.

    One that is so comes as it is, and so does a column of another type.
    """
    native = series.to_native()
    cells = native if series.implementation.is_pyarrow() else _arrow_cells(native)
    if cells is None or _is_plain(cells):
        return series
    plain = _plain(cells)
    if series.implementation.is_pyarrow():
        found: nw.Series[Any] = nw.from_native(plain, series_only=True)
        return found.alias(series.name)
    changed = type(native)(type(native.array)(plain), index=native.index, name=native.name)
    return nw.from_native(changed, series_only=True)


def _arrow_cells(native: Any) -> Any:
    """Return what pandas keeps by Arrow, None for a column of its own."""
    if getattr(native.dtype, "pyarrow_dtype", None) is None:
        return None
    import pyarrow

    cells = pyarrow.array(native)
    return cells if isinstance(cells, pyarrow.ChunkedArray) else pyarrow.chunked_array([cells])


def _is_plain(cells: Any) -> bool:
    dictionaries = [chunk.dictionary for chunk in cells.chunks]
    if not dictionaries:
        return True
    first = dictionaries[0]
    is_one = all(other.equals(first) for other in dictionaries[1:])
    return is_one and not first.null_count and len(first.unique()) == len(first)


def _plain(cells: Any) -> Any:
    """Return the cells by one dictionary: its entries in the order in which those of the chunks come."""
    import pyarrow
    import pyarrow.compute

    kind = cells.type
    listed = pyarrow.chunked_array([chunk.dictionary for chunk in cells.chunks]).unique().drop_null()
    values = pyarrow.chunked_array([chunk.dictionary.take(chunk.indices) for chunk in cells.chunks])
    places = pyarrow.compute.index_in(values.combine_chunks(), listed).cast(kind.index_type)
    return pyarrow.chunked_array([pyarrow.DictionaryArray.from_arrays(places, listed, ordered=kind.ordered)])
