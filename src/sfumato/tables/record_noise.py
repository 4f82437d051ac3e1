"""Noise on records before they are added up: large for whoever stands alone, small where many stand together."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import Field, model_validator

from sfumato.documents import Record
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.tables.cells.records import Columns


class RecordNoise(Record):
    """How far contributions are moved, up or down, in percent of each.

    Parameters
    ----------
    min_percent, max_percent
        The least and the most; all between are equally likely.
    is_balanced
        Whether directions alternate within the finest cells, from the largest contributor to the smallest, so that
        noise nearly cancels where many contribute alike. Otherwise each is drawn.

    Effect on risk
        What one unit contributed alone is known to within `max_percent` at best, and never nearer than `min_percent`.
    Effect on utility
        No cell is suppressed and all sums hold. Cells of many contributors change little, in particular balanced ones.
    Source
        Evans, Zayatz and Slanta (1998), Using noise for disclosure limitation of establishment tabular data; Massell
        and Funk (2007) for the balance.
    """

    min_percent: float = Field(default=5.0, gt=0, lt=100)
    max_percent: float = Field(default=15.0, gt=0, lt=100)
    is_balanced: bool = True

    @model_validator(mode="after")
    def _check_percents(self) -> "RecordNoise":
        if self.min_percent > self.max_percent:
            raise ValueError("RecordNoise.min_percent must not be above max_percent")
        return self


def noisy_values(
    data: Any,
    value: str,
    by: Sequence[str],
    rng: np.random.Generator,
    *,
    holding: str | None = None,
    noise: RecordNoise | None = None,
) -> FloatColumn:
    """Return the values of records with noise, one for each: tables that are made of them add up.

    Parameters
    ----------
    data
        The records, a dataframe.
    value
        The column that tables add up.
    by
        The columns of codes whose combinations are the finest cells.
    rng
        Draws sizes and directions. The same records must have the same noise in every table: keep what is returned.
    holding
        The column of contributors: all records of one move in one direction and by one share.
    noise
        How far values move.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"town": [*"AAB"], "sales": [100.0, 100.0, 50.0]})
    >>> moved = noisy_values(firms, "sales", ["town"], np.random.default_rng(1)) / firms["sales"].to_numpy()
    >>> bool(((abs(moved - 1) >= 0.05) & (abs(moved - 1) <= 0.15)).all())
    True
    """
    chosen, columns = noise or RecordNoise(), Columns(data)
    values = columns.numbers(value)
    if not values.size:
        raise DataError("noisy_values: there are no records")
    units: CodeColumn = np.arange(values.size) if holding is None else columns.holdings(holding)
    sizes: FloatColumn = np.bincount(units, weights=np.abs(values)).astype(np.float64)
    if chosen.is_balanced:
        direction = _balanced_directions(_home_cells(columns, by, units, values), sizes, rng)
    else:
        direction = rng.choice([-1.0, 1.0], sizes.size)
    shares = rng.uniform(chosen.min_percent, chosen.max_percent, sizes.size) / 100
    return values * (1 + direction * shares)[units]


def _home_cells(columns: Columns, by: Sequence[str], units: CodeColumn, values: FloatColumn) -> Rows:
    """Return for each unit the finest cell that it contributes most to."""
    codes = np.stack([columns.codes(name)[0] for name in by], axis=1)
    _, cells = np.unique(codes, axis=0, return_inverse=True)
    order = np.argsort(-np.abs(values), kind="stable")
    _, first = np.unique(units[order], return_index=True)
    homes: Rows = cells.ravel()[order[first]]
    return homes


def _balanced_directions(homes: Rows, sizes: FloatColumn, rng: np.random.Generator) -> FloatColumn:
    """Return directions that bring the sum of sizes in each cell near to 0: each unit goes against what is there."""
    direction, drift = np.zeros(sizes.size), np.zeros(int(homes.max()) + 1)
    first = rng.choice([-1.0, 1.0], drift.size)
    for unit in np.argsort(-sizes, kind="stable").tolist():
        cell = homes[unit]
        direction[unit] = first[cell] if drift[cell] == 0 else -np.sign(drift[cell])
        drift[cell] += direction[unit] * sizes[unit]
    return direction
