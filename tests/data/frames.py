"""Small files to test on, and what is in them, whatever the dataframe backend."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa

from sfumato.data import Microdata, Schema, Variable

AsBackend = Callable[[pl.DataFrame], Any]


def column(as_backend: AsBackend, values: list[Any], dtype: Any = None, **description: Any) -> Microdata:
    """Return a file of one column, `x`."""
    frame = as_backend(pl.DataFrame({"x": pl.Series(values, dtype=dtype)}))
    return Microdata(frame, Schema(variables=(Variable(name="x", **description),)))


def cells(data: Microdata) -> dict[str, list[Any]]:
    """Return all values, None for a missing one."""
    return {
        name: [None if pd.isna(value) else value for value in data.table[name].to_list()] for name in data.table.columns
    }


def dtypes(data: Microdata) -> list[str]:
    """Return the backend's own names for the types of the columns."""
    native = data.frame
    return [str(kind) for kind in (native.schema.types if isinstance(native, pa.Table) else native.dtypes)]
