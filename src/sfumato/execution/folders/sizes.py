"""How much of a file larger than memory a task takes at once."""

from dataclasses import dataclass


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
