"""What records say about a table: the cell that each belongs to, its value, its weight and its holding."""

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Category, Kind, Microdata, Variable
from sfumato.data.columns import codes_of, floats_of
from sfumato.data.eager_tables import as_table
from sfumato.data.schema import unknown_column
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.groupings import By, Groupings, check_leaf, dimension_of, groupings_of


@dataclass(frozen=True, eq=False)
class Records:
    """Records as arrays.

    Parameters
    ----------
    places
        (records, dimensions): the place of each record's leaf in each dimension.
    values
        What each adds to its cell, before weighting; 1 in a table of counts.
    shadows
        What each is taken to contribute when cells are judged: the value, unless another column is named.
    weights
        How many units of the population each stands for.
    units
        The number of the contributor: the holding where there are holdings, else the record.
    counts
        How many units each row stands for, in records that were counted before; else 1.
    asking
        Whether the contributor asked for protection.
    has_holdings, knows_requests
        Whether several records may be of one contributor, and whether it is known who asked for protection.
    """

    places: CodeMatrix
    values: FloatColumn
    shadows: FloatColumn
    weights: FloatColumn
    units: CodeColumn
    counts: FloatColumn
    asking: Booleans
    has_holdings: bool
    knows_requests: bool


def records_of(
    data: Microdata | Any,
    by: By,
    value: str | None,
    *,
    weight: str | None,
    holding: str | None,
    shadow: str | None,
    request: str | None,
    count: str | None,
    total: Category,
    missing: Category | None,
) -> tuple[tuple[Dimension, ...], Records]:
    """Return the dimensions of a table and the records as arrays."""
    if value is None and shadow is not None:
        raise ParameterError(["Table: `shadow` goes with `value`; a table of counts has no contributions to judge"])
    if count is not None and (value is not None or holding is not None):
        raise ParameterError(
            ["Table: `count` is for records that were counted before; leave out `value` and `holding`"]
        )
    groupings = groupings_of(by)
    columns = Columns(data)
    if not columns.size:
        raise DataError("Table: there are no records to add up; the dataframe is empty")
    placed = [_place_records(columns, name, groups, total, missing) for name, groups in groupings.items()]
    n = columns.size
    counts = np.ones(n) if count is None else columns.numbers(count)
    values = counts if value is None else columns.numbers(value)
    records = Records(
        places=np.stack([places for _, places in placed], axis=1),
        values=values,
        shadows=values if shadow is None else columns.numbers(shadow),
        weights=np.ones(n) if weight is None else columns.numbers(weight),
        units=np.arange(n) if holding is None else columns.holdings(holding),
        counts=counts,
        asking=np.zeros(n, dtype=np.bool_) if request is None else columns.flags(request),
        has_holdings=holding is not None,
        knows_requests=request is not None,
    )
    for name, column in ((weight, records.weights), (count, counts)):
        if (column < 0).any():
            raise DataError(f"column '{name}' must hold no negative numbers; {int((column < 0).sum())} records do")
    return tuple(dimension for dimension, _ in placed), records


class Columns:
    """Columns of records or of given cells, read as codes or as numbers."""

    def __init__(self, data: Microdata | Any) -> None:
        self._schema = data.schema if isinstance(data, Microdata) else None
        self._table = data.table if isinstance(data, Microdata) else as_table(data)

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self._table)

    def has(self, name: str) -> bool:
        """Tell whether there is a column of a name."""
        return name in self._table.columns

    def numbers(self, name: str) -> FloatColumn:
        """Return a column as numbers, none of them missing."""
        series = self._series(name)
        numbers = floats_of(series, self._variable(name, Kind.CONTINUOUS))
        lacking = int(np.isnan(numbers).sum())
        if lacking:
            raise DataError(
                f"column '{name}' must have a number in every row; {lacking} have none: fill them or leave them out"
            )
        return numbers

    def flags(self, name: str) -> Booleans:
        """Tell for each row whether a column is true, or a number other than 0."""
        series = self._series(name)
        if series.dtype == nw.Boolean and not series.null_count():
            return np.asarray(series.to_numpy(), dtype=np.bool_)
        return np.asarray(self.numbers(name) != 0)

    def codes(self, name: str) -> tuple[CodeColumn, tuple[Category, ...]]:
        """Return a column as codes into its categories, missing as -1, and the categories in order."""
        codes, categories = codes_of(self._series(name), self._variable(name, Kind.NOMINAL))
        strange = [code for code in categories if not isinstance(code, bool | int | float | str)]
        if strange:
            raise KindError(f"column '{name}' holds values of type {type(strange[0]).__name__}; make it text first")
        return codes, categories

    def holdings(self, name: str) -> CodeColumn:
        """Return the number of the holding of each row, none of them missing."""
        codes, _ = self.codes(name)
        lacking = int((codes < 0).sum())
        if lacking:
            raise DataError(
                f"column '{name}' must say the holding of every record; {lacking} have none: give each one of its own"
            )
        return codes

    def _series(self, name: str) -> nw.Series[Any]:
        if name not in self._table.columns:
            raise unknown_column(name, tuple(self._table.columns))
        series: nw.Series[Any] = self._table[name]
        return series

    def _variable(self, name: str, kind: Kind) -> Variable:
        return Variable(name=name, kind=kind) if self._schema is None else self._schema[name]


def _place_records(
    columns: Columns, name: str, groupings: Groupings, total: Category, missing: Category | None
) -> tuple[Dimension, CodeColumn]:
    """Return a dimension and the place of each record's leaf in it."""
    codes, categories = columns.codes(name)
    lacking = int((codes < 0).sum())
    if lacking and missing is None:
        raise DataError(
            f"dimension '{name}': {lacking} records have no code; fill them, or give them a code of their own as "
            f"`missing`, such as Unknown"
        )
    present = {categories[code] for code in np.unique(codes[codes >= 0])}
    listed = tuple(category for category in categories if category in present)
    needed = missing is not None and (lacking > 0 or missing in present)
    dimension = dimension_of(name, groupings, listed, total=total, added=missing if needed else None)
    places = np.full(len(categories) + 1, -1, dtype=np.int64)  # the last entry serves the code -1
    for position, category in enumerate(categories):
        if category in present:
            check_leaf(dimension, category)
            places[position] = dimension.place[category]
    if lacking and missing is not None:
        places[-1] = dimension.place[missing]
    return dimension, places[codes]
