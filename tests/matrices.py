"""Microdata from plain matrices."""

import numpy as np
import polars as pl

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.numerics.arrays import FloatMatrix


def names_of(matrix: FloatMatrix) -> tuple[str, ...]:
    """Return the names v0, v1, ... of the columns of a matrix."""
    return tuple(f"v{place}" for place in range(matrix.shape[1]))


def microdata(matrix: FloatMatrix, row_ids: list[int] | None = None) -> Microdata:
    """Return a file of continuous columns v0, v1, ..., with NaN as missing."""
    columns = {name: matrix[:, place] for place, name in enumerate(names_of(matrix))}
    frame = pl.DataFrame({name: pl.Series(column, nan_to_null=True) for name, column in columns.items()})
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in columns))
    return Microdata(frame, schema) if row_ids is None else Microdata(frame, schema, np.array(row_ids))
