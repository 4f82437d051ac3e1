"""Figures that are added up over blocks of matched records, so that they are the same in memory and out of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from sfumato.contracts import Measurement
from sfumato.data import Microdata, Schema, Selection, summary
from sfumato.data.summary import Summary
from sfumato.numerics.arrays import FloatColumn, Floats, Rows
from sfumato.numerics.exact_sums import exact_sum

Sums = Mapping[str, Floats]
"""Sums over records, by what they are sums of."""


@dataclass(frozen=True, eq=False)
class BlockFigures:
    """What a measure sees in a block of two files.

    Parameters
    ----------
    sums
        What is added up over all blocks.
    per_record
        A figure for each masked record of the block.
    """

    sums: Sums
    per_record: FloatColumn


class Records(Protocol):
    """A file of which a summary is known: in memory, or larger."""

    @property
    def schema(self) -> Schema:
        """What each column is and is for."""

    @property
    def summary(self) -> Summary:
        """What is known of the whole file."""


@runtime_checkable
class SummedMeasure(Protocol):
    """A measure whose figure is made of sums over blocks of matched records."""

    @property
    def columns(self) -> Selection:
        """The columns that it looks at."""

    def look(self, original: Microdata, masked: Microdata, rows: Rows) -> BlockFigures:
        """Return what a block adds: some originals, all masked records of these, and the original row of each.

        Both blocks know the summary of the whole files.
        """

    def conclude(self, original: Records, masked: Records, sums: Sums) -> Measurement:
        """Return what the measure finds, from the sums over all blocks; without figures of records."""


def measure_in_blocks(measure: SummedMeasure, original: Microdata, masked: Microdata, rows: Rows) -> Measurement:
    """Return what a summed measure finds in two files in memory; `rows` are the originals of the masked records."""
    order = np.argsort(rows, kind="stable")
    ordered = masked if np.array_equal(order, np.arange(order.size)) else masked.take_rows(order)
    looks = [measure.look(*block) for block in _blocks(measure, original, ordered, rows[order])]
    found = measure.conclude(original, ordered, add_up([look.sums for look in looks]))
    per_record = np.empty(masked.n)
    per_record[order] = np.concatenate([look.per_record for look in looks])
    return replace(found, per_record=per_record)


def add_up(sums: Sequence[Sums]) -> Sums:
    """Return the sums over all blocks, each number rounded once."""
    return {name: exact_sum([each[name] for each in sums]) for name in sums[0]}


def _blocks(
    measure: SummedMeasure, original: Microdata, masked: Microdata, rows: Rows
) -> Iterator[tuple[Microdata, Microdata, Rows]]:
    """Yield runs of originals with their masked records, which come in the same order."""
    if original.n <= summary.ROWS_PER_PIECE:
        yield original, masked, rows
        return
    names = original.select(measure.columns)
    before, after = original.take_columns(names), masked.take_columns(names)
    for start in range(0, original.n, summary.ROWS_PER_PIECE):
        stop = start + summary.ROWS_PER_PIECE
        low, high = np.searchsorted(rows, [start, stop]).tolist()
        yield (
            before.take_rows(slice(start, stop)).as_block_of(original),
            after.take_rows(slice(low, high)).as_block_of(masked),
            rows[low:high] - start,
        )
