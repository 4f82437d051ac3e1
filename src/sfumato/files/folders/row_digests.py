"""A checksum over the rows of a file that does not depend on how it is cut into parts."""

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import polars as pl

ROWS_PER_DIGEST = 65_536


def chunk_digests(frame: "pl.DataFrame") -> list[str]:
    """Return a SHA-256 of each run of 65 536 rows; the frame must begin at a multiple of that."""
    starts = range(0, len(frame), ROWS_PER_DIGEST)
    return [_chunk_digest(frame.slice(start, ROWS_PER_DIGEST)) for start in starts]


def rows_digest(frame: "pl.DataFrame", chunks: Iterable[str]) -> str:
    """Return the SHA-256 over all rows, given those of their runs and a frame with the same columns.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"age": [31, None], "sex": ["f", "m"]})
    >>> rows_digest(people, chunk_digests(people))[:16]
    'a335d87dd7fcf45c'
    """
    columns = [f"{name}\t{dtype.base_type()}" for name, dtype in frame.schema.items()]
    return hashlib.sha256("\n".join([*columns, *chunks]).encode()).hexdigest()


def _chunk_digest(frame: "pl.DataFrame") -> str:
    digest = hashlib.sha256()
    for series in frame.iter_columns():
        digest.update(np.packbits(series.is_not_null().to_numpy()).tobytes())
        digest.update(_content(series))
    return digest.hexdigest()


def _content(series: "pl.Series") -> bytes:
    """Return the values of a column as bytes, those of missing ones as nothing or zero."""
    import polars as pl

    if series.dtype == pl.Boolean:
        series = series.cast(pl.UInt8)
    if series.dtype.is_temporal():
        series = series.to_physical()
    if series.dtype.is_integer() or series.dtype.is_float():
        return np.ascontiguousarray(series.fill_null(0).to_numpy()).tobytes()
    texts = series.cast(pl.String).fill_null("")
    lengths: bytes = texts.str.len_bytes().to_numpy().tobytes()
    return lengths + "".join(texts.to_list()).encode()
