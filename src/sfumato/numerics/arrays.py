"""Names for arrays: what they hold, and whether they are a column (one value a record) or a matrix."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatColumn = NDArray[np.float64]
"""One number a record; missing is NaN."""
FloatMatrix = NDArray[np.float64]
"""Numbers, records x columns; missing is NaN."""
CodeColumn = NDArray[np.int64]
"""One code a record, into a list of categories or groups; missing is -1."""
CodeMatrix = NDArray[np.int64]
"""Codes of several columns."""
Rows = NDArray[np.int64]
"""Numbers of rows, from 0."""
Booleans = NDArray[np.bool_]
"""True or false for each place."""
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
SmallIntegers = NDArray[np.int32]
SmallFloats = NDArray[np.float32]
ShortIntegers = NDArray[np.int16]
TinyIntegers = NDArray[np.int8]
Bytes = NDArray[np.uint8]
Hashes = NDArray[np.uint64]
AnyArray = NDArray[Any]
"""Of any type."""
