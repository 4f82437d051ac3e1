"""Table: cells by the codes of up to five dimensions, what each holds, and who stands behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sfumato.data import Category, Microdata
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, Rows
from sfumato.tables.cells.contributions import Contributions
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.groupings import By, check_dimensions
from sfumato.tables.cells.notebook_views import render_dimensions
from sfumato.tables.cells.relations import keys_of, relations_of

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False, repr=False)
class Table(TabularResult):
    """A table with all its totals, from records or from given cells; never changed.

    Made by `from_records` or `from_cells`. A combination of codes that no record has is no cell, unless it was asked
    for.

    Parameters
    ----------
    dimensions
        One to five.
    codes
        (cells, dimensions): the place of each cell's code among the codes of the dimension.
    values
        (cells,): the sum of the variable, weighted where there are weights; in a table of counts, the count.
    counts
        (cells,): the units that contribute, unweighted: holdings where they are given, else records; NaN where it is
        not known. A holding in two cells counts in both, and once in their total.
    value_name
        The variable that was added up; None for a table of counts.
    contributions
        The largest contributions to each cell; None in a table of counts, and for given cells without them.
    keys
        (cells,): the sum of the keys of a cell's records, without what exceeds 24 bits; None where records have none.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"region": ["N", "N", "S"], "sector": ["farm", "shop", "farm"], "sales": [5, 7, 9]})
    >>> table = Table.from_records(firms, ["region", "sector"], "sales")
    >>> table
    Table(region x sector, 8 cells of sales)
    >>> table.values[table.cell(region="N", sector="Total")]
    np.float64(12.0)
    """

    dimensions: tuple[Dimension, ...]
    codes: CodeMatrix
    values: FloatColumn
    counts: FloatColumn
    value_name: str | None = None
    contributions: Contributions | None = None
    keys: CodeColumn | None = None

    def __post_init__(self) -> None:
        check_dimensions([dimension.name for dimension in self.dimensions])
        cells = self.values.size
        if self.codes.shape != (cells, len(self.dimensions)):
            raise DataError(
                f"Table: codes must have {cells} rows and {len(self.dimensions)} columns; got {self.codes.shape}"
            )
        if self.counts.shape != (cells,):
            raise DataError(f"Table: counts must have {cells} entries; got {self.counts.shape}")
        if self.contributions is not None and self.contributions.totals.size != cells:
            raise DataError(
                f"Table: contributions must be of {cells} cells; got {self.contributions.totals.size} of them"
            )

    @classmethod
    def from_records(
        cls,
        data: Microdata | Any,
        by: By,
        value: str | None = None,
        *,
        weight: str | None = None,
        holding: str | None = None,
        shadow: str | None = None,
        request: str | None = None,
        count: str | None = None,
        key: str | None = None,
        keep: int = 3,
        total: Category = "Total",
        missing: Category | None = None,
        zeros: bool | Any = False,
    ) -> Self:
        """Add up records to a table with all its totals.

        Parameters
        ----------
        data
            Records: `Microdata`, a pandas or polars dataframe, or a pyarrow table.
        by
            The dimensions: names of columns, each with one total over its codes; or a mapping from names to a
            hierarchy, several hierarchies over the same leaves, or None. Records must have leaves.
        value
            The column to add up; a table of counts when not given. It must have no missing values.
        weight
            A column of sampling weights, by which values (or counts) are multiplied; any numbers of 0 or more. When
            cells are judged, a contribution of weight w is w units of the population with that contribution each.
        holding
            A column that says which records belong to one contributor: their values in a cell are added up first, and
            `counts` are of holdings.
        shadow
            A column of contributions to judge cells by, in place of `value`; for instance without negative numbers.
        request
            A column that is not 0 (or is true) for records whose contributor asked for protection.
        count
            For a table of counts of records that were counted before: a column that says how many each row stands for.
        key
            A column of record keys for cell key perturbation, as `draw_record_keys` draws them.
        keep
            How many of the largest contributions to keep for each cell.
        total
            The code of the total of dimensions without a hierarchy.
        missing
            The code for records that have none, put directly under the total where the hierarchy lacks it. When not
            given, records without a code are refused.
        zeros
            Which cells exist besides those with records: True for every combination of leaves, or a dataframe with a
            column for each dimension and a row for each possible combination of leaves. They hold 0.
        """
        from sfumato.tables.cells.records import records_of
        from sfumato.tables.cells.tabulation import keys_of_cells, possible_keys, tabulate

        if keep < 1:
            raise ParameterError([f"Table: keep must be 1 or more; got {keep}"])
        dimensions, records = records_of(
            data,
            by,
            value,
            weight=weight,
            holding=holding,
            shadow=shadow,
            request=request,
            count=count,
            total=total,
            missing=missing,
        )
        kept = 0 if value is None else keep
        possible = possible_keys(dimensions, zeros)
        codes, values, counts, contributions = tabulate(dimensions, records, kept, possible)
        keys = None if key is None else keys_of_cells(dimensions, records, data, key, possible)
        return cls(dimensions, codes, values, counts, value, None if value is None else contributions, keys)

    @classmethod
    def from_cells(
        cls,
        frame: Any,
        by: By,
        value: str | None = None,
        *,
        count: str | None = None,
        largest: Sequence[str] = (),
        shadow: str | None = None,
        key: str | None = None,
        total: Category = "Total",
        tolerance: float | None = None,
        repair: bool = False,
    ) -> Self:
        """Take cells that are given with all their totals.

        Parameters
        ----------
        frame
            A dataframe with a row for each cell.
        by
            The dimensions: names of columns, or a mapping from names to a hierarchy, several of them, or None. Cells
            that are not given do not exist; a total whose parts are not given stands by itself.
        value
            The column of values; a table of counts when not given.
        count
            The column of contributing units. Without it `counts` are unknown (NaN), and no rule can ask for them.
        largest
            Columns of the largest contributions to each cell, largest first.
        shadow
            The column of what all contributions add up to, where that is not the value.
        key
            The column of cell keys for cell key perturbation: numbers from 0 to below 1, or whole numbers of 24 bits.
        total
            The code of the total of dimensions without a hierarchy.
        tolerance
            By how much a total and the sum of its parts may differ; nearly nothing when not given.
        repair
            Whether to make cells that differ by less than `tolerance` add up exactly, with the smallest relative
            changes; see `sfumato.tables.cells.repair`.
        """
        from sfumato.tables.cells.cell_keys import given_cell_keys
        from sfumato.tables.cells.given_cells import cells_of, check_adds_up, given_contributions
        from sfumato.tables.cells.records import Columns
        from sfumato.tables.cells.repair import make_additive

        held = count if value is None else value
        if held is None:
            raise ParameterError(
                ["Table: given cells need a column of values or of counts; name one as `value` or `count`"]
            )
        columns = Columns(frame)
        dimensions, codes = cells_of(columns, by, total)
        relations, values = relations_of(dimensions, codes), columns.numbers(held)
        check_adds_up(dimensions, codes, values, relations, tolerance)
        values = make_additive(values, relations) if repair else values
        known = values if value is None else np.full(values.size, np.nan)
        counts = known if value is None or count is None else columns.numbers(count)
        keys = None if key is None else given_cell_keys(columns.numbers(key), key)
        contributions = given_contributions(columns, largest, values, shadow)
        return cls(dimensions, codes, values, counts, value, contributions, keys)

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.values.size

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the dimensions."""
        return tuple(dimension.name for dimension in self.dimensions)

    @cached_property
    def relations(self) -> Any:
        """The sparse matrix A (relations, cells) with A values = 0: +1 for each part that exists, -1 for its total."""
        return relations_of(self.dimensions, self.codes)

    @cached_property
    def cell_names(self) -> tuple[str, ...]:
        """What to call each cell: `region=N, sector=Total`."""
        columns = [
            np.array([f"{dimension.name}={code}" for code in dimension.codes], dtype=object)[self.codes[:, place]]
            for place, dimension in enumerate(self.dimensions)
        ]
        return tuple(map(", ".join, zip(*columns, strict=True)))

    def cell(self, /, **codes: Category) -> int:
        """Return the number of the cell with these codes, one for each dimension."""
        for name in codes:
            if name not in self.names:
                raise ParameterError([f"the table has no dimension '{name}'{did_you_mean(name, self.names)}"])
        lacking = [name for name in self.names if name not in codes]
        if lacking:
            raise ParameterError([f"a cell needs a code for every dimension; there is none for {', '.join(lacking)}"])
        places = [dimension.known(codes[dimension.name]) for dimension in self.dimensions]
        found = self._cell_of_key.get(int(keys_of(self.dimensions, np.array([places]))[0]))
        if found is None:
            asked = ", ".join(f"{name}={codes[name]}" for name in self.names)
            raise DataError(f"the table has no cell {asked}; no record is in it")
        return found

    def cells_with(self, /, **codes: Category) -> Rows:
        """Return the numbers of the cells that have these codes, whatever their other codes."""
        chosen = np.ones(self.size, dtype=np.bool_)
        for name, code in codes.items():
            if name not in self.names:
                raise ParameterError([f"the table has no dimension '{name}'{did_you_mean(name, self.names)}"])
            place = self.names.index(name)
            chosen &= self.codes[:, place] == self.dimensions[place].known(code)
        return np.flatnonzero(chosen)

    def to_frame(self) -> "pl.DataFrame":
        """Return the cells as a polars dataframe: a column for each dimension, the value and the count."""
        import polars as pl

        columns = {
            dimension.name: dimension.code_column.gather(self.codes[:, place])
            for place, dimension in enumerate(self.dimensions)
        }
        content = {} if self.value_name is None else {self.value_name: self.values}
        return pl.DataFrame({**columns, **content, "count": self.counts if content else self.values})

    def to_dict(self) -> dict[str, Any]:
        """Return the cells as plain dicts and lists, ready for JSON."""
        return {"dimensions": list(self.names), "value": self.value_name, "cells": self.to_frame().to_dicts()}

    def _repr_html_(self) -> str:
        return render_dimensions(repr(self), [(one.name, len(one.codes)) for one in self.dimensions])

    def __repr__(self) -> str:
        held = "counts" if self.value_name is None else self.value_name
        return f"Table({' x '.join(self.names)}, {self.size} cells of {held})"

    @cached_property
    def _cell_of_key(self) -> dict[int, int]:
        keys = keys_of(self.dimensions, self.codes).tolist()
        return dict(zip(keys, range(len(keys)), strict=True))
