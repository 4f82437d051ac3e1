"""Synthetic records written into columns of the types that the original has."""

from collections.abc import Sequence
from uuid import uuid4

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.dates import DAY, with_moments
from sfumato.masking.synthesis._observed_columns import DrawnColumn
from sfumato.masking.synthesis._sequential.chain import DrawnRecords


def write_columns(target: Microdata, block: Microdata, names: Sequence[str], drawn: DrawnRecords) -> Microdata:
    """Return the target with synthetic columns; what is copied comes from the rows of the block."""
    synthetic = target
    for name in names:
        cells = _write(block.take_columns((name,)), name, drawn[name])
        synthetic = synthetic.with_column(cells.schema[name], cells.table[name])
    return synthetic


def nobodys_rows(block: Microdata, records: int, first: int) -> Microdata:
    """Return a file of so many records to be written over, whose ids are no original's, from `first` on."""
    ids = -1 - np.arange(first, first + records)
    return Microdata(block.table[np.arange(records) % block.n].to_native(), block.schema, ids, lineage=uuid4().hex)


def _write(column: Microdata, name: str, drawn: DrawnColumn) -> Microdata:
    """Return a column of copied cells, with the drawn numbers in the place of some."""
    copied = Microdata(column.table[drawn.donors].to_native(), column.schema)
    is_drawn = ~np.isnan(drawn.numbers)
    if not is_drawn.any():
        return copied
    variable = column.schema[name]
    if variable.kind is Kind.DATE:
        moments = np.where(is_drawn, np.rint(np.nan_to_num(drawn.numbers) * DAY), 0).astype(np.int64)
        return copied.with_column(variable, with_moments(copied.table[name], variable, moments, is_drawn))
    observed = ~np.isnan(copied.values(name))
    numbers = drawn.numbers[observed]
    return copied.map_columns((name,), lambda _, cells: np.where(np.isnan(numbers), cells, numbers))
