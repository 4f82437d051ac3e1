"""How much of a file larger than memory a task takes at once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

VIEW_BYTES = 16  # of a text, beside its letters


@dataclass(frozen=True)
class Sizes:
    """How much a task takes at once; the result does not depend on it.

    Parameters
    ----------
    rows_per_range
        How many rows a task reads.
    task_bytes
        How much memory it may need.
    """

    rows_per_range: int
    task_bytes: int


def frame_bytes(frame: "pl.DataFrame") -> int:
    """Return how many bytes rows take in memory and where a run spills; polars counts only the letters of texts.

    Examples
    --------
    >>> import polars as pl
    >>> frame_bytes(pl.DataFrame({"region": ["north", "west"], "age": [31, 45]}))
    57
    """
    import polars as pl

    texts = sum(dtype in (pl.String, pl.Binary) for dtype in frame.dtypes)
    return int(frame.estimated_size()) + VIEW_BYTES * len(frame) * texts
