"""The fingerprint of data: equal when every value, name, type and meaning is."""

import hashlib
from typing import Any

import numpy as np

from sfumato.data import Microdata


def fingerprint(data: Microdata) -> str:
    """Return the SHA-256 of a file's records, their ids, the types of its columns and its schema.

    Examples
    --------
    >>> import polars
    >>> ages = Microdata(polars.DataFrame({"age": [31, 45]}))
    >>> fingerprint(ages) == fingerprint(Microdata(polars.DataFrame({"age": [31, 46]})))
    False
    """
    digest = hashlib.sha256(data.schema.to_yaml().encode())
    digest.update(data.row_ids.tobytes())
    for name in data.schema.names:
        series = data.table[name]
        digest.update(f"{name}\n{series.dtype}\n{len(series)}\n".encode())
        digest.update(np.asarray(series.is_null().to_numpy(), dtype=np.bool_).tobytes())
        digest.update(_content(series))
    return digest.hexdigest()


def _content(series: Any) -> bytes:
    """Return the bytes of numbers and dates, and the written form of anything else."""
    values = series.to_numpy()
    if values.dtype.kind in "biufmM":
        return bytes(values.tobytes())
    return repr(series.to_list()).encode("utf-8", "surrogatepass")
