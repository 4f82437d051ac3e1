"""Count the records of a file larger than memory by some columns: range by range, and then together."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sfumato.errors import DataError

if TYPE_CHECKING:
    import polars as pl

COPIES = "number of records"  # blanks make it unlikely to be somebody's own
FIRST = "first row"
BYTES_PER_KEY = 60  # of one column of one kind of records, while kinds are counted and masked or measured


def add_up(frame: "pl.DataFrame", names: Sequence[str]) -> "pl.DataFrame":
    """Return one row of each kind: the first of its rows, and what all other columns add up to."""
    import polars as pl

    others = [name for name in frame.columns if name not in names]
    return frame.group_by(names).agg(pl.col(name).min() if name == FIRST else pl.col(name).sum() for name in others)


def join_counts(frames: Iterable["pl.DataFrame"], names: Sequence[str], task_bytes: int) -> "pl.DataFrame":
    """Return the counts of all ranges together; refuse more kinds than fit into memory."""
    import polars as pl

    waiting: list[pl.DataFrame] = []
    most = max(task_bytes // (BYTES_PER_KEY * len(names)), 1)
    for frame in frames:
        waiting.append(frame)
        if sum(map(len, waiting[1:])) > len(waiting[0]):
            waiting = [add_up(pl.concat(waiting), names)]
            _check_kinds(len(waiting[0]), most, names)
    together = add_up(pl.concat(waiting), names)
    _check_kinds(len(together), most, names)
    return together


def _check_kinds(found: int, most: int, names: Sequence[str]) -> None:
    if found > most:
        raise DataError(
            f"there are more than {most:,} different combinations of {', '.join(names)}, which do not fit into memory; "
            f"recode the keys that have most values, name fewer keys, or give more with the option memory"
        )
