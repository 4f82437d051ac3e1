"""Codes that stand for missing and stay visible: what cannot be hidden among empty cells."""

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Microdata
from sfumato.errors import DataError


def refuse_missing_codes(who: str, data: Microdata, names: tuple[str, ...]) -> None:
    """Refuse keys in which records hold codes that stand for missing: these stay visible, and can be rare."""
    for name in names:
        series = data.table[name]
        empty = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
        if series.dtype.is_float():
            empty = empty | np.isnan(series.cast(nw.Float64).to_numpy())
        if data.summary.missing(name) > np.count_nonzero(empty):
            raise DataError(
                f"{who}.columns: '{name}' holds missing codes, which stay visible and can be rare; make them empty "
                f"cells first"
            )
