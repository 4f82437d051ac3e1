"""A step of a recipe on its way to the tasks that do it."""

from dataclasses import dataclass
from typing import Any

from sfumato.contracts import MaskingMethod
from sfumato.data import Schema
from sfumato.errors import DataError

BYTES_PER_VALUE = 50  # of records that are masked together, while they are sorted and masked


@dataclass(frozen=True)
class Step:
    """A method whose columns are named, and what all its tasks must agree on.

    Parameters
    ----------
    method, number, seed
        The method, the number of the step in the recipe and the seed of the run.
    columns
        The columns that the method changes.
    columns_read
        The columns that a task has to read.
    rows_per_block
        How many rows a block of rows has; it decides what is drawn, so it does not depend on the machine.
    rows_per_range
        How many rows a task takes at once; it does not change the result.
    task_bytes
        How much memory a task may take.
    """

    method: MaskingMethod
    number: int
    seed: int
    columns: tuple[str, ...]
    columns_read: tuple[str, ...]
    rows_per_block: int
    rows_per_range: int
    task_bytes: int


def columns_to_read(method: MaskingMethod, schema: Schema) -> tuple[str, ...]:
    """Return the columns that a method names anywhere in its parameters; all for one that is not Sfumato's own.

    Examples
    --------
    >>> from sfumato.data import Variable
    >>> from sfumato.masking import AdditiveNoise
    >>> schema = Schema(variables=tuple(Variable(name=name, kind="continuous") for name in ("x", "y", "z")))
    >>> columns_to_read(AdditiveNoise(columns=("z", "x")), schema)
    ('x', 'z')
    """
    if not type(method).__module__.startswith("sfumato."):
        return schema.names
    named = set(_texts(method.model_dump()))
    return tuple(name for name in schema.names if name in named)


def split_ranges(n: int, rows: int, multiple: int = 1) -> list[tuple[int, int]]:
    """Return ranges of about `rows` rows, each but the last a multiple of some number.

    Examples
    --------
    >>> split_ranges(10, 5, 2)
    [(0, 4), (4, 8), (8, 10)]
    """
    length = max(rows // multiple, 1) * multiple
    return [(start, min(start + length, n)) for start in range(0, n, length)]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in _texts(each)]
    return [text for each in value for text in _texts(each)] if isinstance(value, list | tuple | set) else []


def check_fits(rows: int, bytes_per_row: int, task_bytes: int, what: str) -> None:
    """Refuse what a single task has to hold in memory and cannot."""
    if rows * bytes_per_row > task_bytes:
        raise DataError(
            f"{what} has {rows:,} records, which need about {rows * bytes_per_row / 1e9:.1f} GB at once; a task may "
            f"take {task_bytes / 1e9:.1f}: give more with the option memory, or fewer processes with the option threads"
        )
