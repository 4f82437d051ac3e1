"""Microdata: the user's dataframe, what its columns mean, and which record each row is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self
from uuid import uuid4

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import schema_document, summary
from sfumato.data.columns import check_masked, has_only_gaps, with_codes, with_floats
from sfumato.data.dates import observed_dates
from sfumato.data.eager_tables import as_table, collect_frame
from sfumato.data.forms.date_texts import with_like_dates
from sfumato.data.forms.like_cells import with_like_cells, with_like_columns
from sfumato.data.kept_columns import KeptColumns
from sfumato.data.kinds import Kind
from sfumato.data.recognition.dates import with_date_formats
from sfumato.data.row_ids import rows_of_ids
from sfumato.data.schema import Category, Schema, Selection, Variable, check_described
from sfumato.data.summary import Answers, Summary
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.ranking import dense_numbers, stable_order


@dataclass(frozen=True, eq=False)
class Microdata:
    """A dataframe and its schema; never changed, only copied with some columns replaced.

    Parameters
    ----------
    frame
        A pandas or polars dataframe or a pyarrow table. The same type, row order, index and dtypes come back. What does
        not hold its records (a lazy frame of polars, a DuckDB relation, a Dask dataframe, an Ibis table, an Arrow
        stream) is collected into a polars dataframe; larger than memory, write it as Parquet for `sfumato mask`. NaN
        is null where the type has that, as both in one release would tell more.
    schema
        What each column is and is for; guessed by `Schema.infer` when not given.
    row_ids
        Which record each row is; they travel with the rows, so that linkage knows the truth. Row numbers when not
        given.
    whole
        The summary of the file that the records are a block of; they are a file of their own when not given.
    lineage
        Which file the row ids come from. Files of one lineage came from one another, so that their row ids tell
        which record is which; a new one is drawn where row ids are not given, and empty where they are.
    """

    frame: Any
    schema: Schema = field(default=None)  # type: ignore[assignment]
    row_ids: Rows = field(default=None, repr=False)  # type: ignore[arg-type]
    whole: Summary | None = field(default=None, repr=False)
    lineage: str = field(default="", repr=False)
    _answers: Answers = field(default_factory=Answers, init=False, repr=False)
    _columns: KeptColumns = field(default_factory=KeptColumns, init=False, repr=False)

    def __post_init__(self) -> None:
        table = with_like_cells(as_table(collect_frame(self.frame)))
        self._use(table)
        if self.schema is None:
            object.__setattr__(self, "schema", Schema.infer(self.frame))
        if self.row_ids is None:
            self.__dict__.update(row_ids=np.arange(len(table), dtype=np.int64), lineage=uuid4().hex)
        object.__setattr__(self, "row_ids", np.asarray(self.row_ids))
        self._complete()
        self._use(with_like_dates(table, self.schema))

    def _use(self, table: nw.DataFrame[Any]) -> None:
        self.__dict__.update(frame=table.to_native(), table=table)

    def _complete(self) -> None:
        """Check that frame, schema and row ids fit each other, and add what follows from them."""
        check_described(self.table.columns, self.schema)
        object.__setattr__(self, "schema", with_date_formats(self.table, self.schema))
        if (n := len(self.table)) != len(self.row_ids):
            raise DataError(f"there must be one row id per record; got {len(self.row_ids)} for {n} records")

    def __repr__(self) -> str:
        size = f"{format_count(self.n, 'record')}, {format_count(len(self.schema.names), 'column')}"
        return f"Microdata({size}, {self.table.implementation})"

    def _repr_html_(self) -> str:
        """Show what the columns are; never a value of a record."""
        return schema_document.show_schema(self.schema, repr(self))

    @property
    def n(self) -> int:
        """The number of records."""
        return len(self.row_ids)

    @property
    def summary(self) -> Summary:
        """What may be known of the whole file; it is not held, so that nothing refers to itself and memory is freed."""
        return Summary(self, self._answers) if self.whole is None else self.whole

    @cached_property
    def table(self) -> nw.DataFrame[Any]:
        """The frame through narwhals, for reading whatever its type."""
        return as_table(self.frame)

    def select(self, selection: Selection) -> tuple[str, ...]:
        """Return the names that a tuple of names or a selector stands for."""
        return self.schema.select(selection)

    def observed(self, name: str) -> Booleans:
        """Tell for each row whether the column has a value, and not a missing code."""
        if self.schema[name].kind is Kind.CONTINUOUS:
            return ~np.isnan(self.values(name))
        if self.schema[name].kind is Kind.DATE:
            return observed_dates(self.table.get_column(name), self.schema[name])
        if has_only_gaps(self.table.get_column(name), self.schema[name]):
            return np.asarray(~self.table.get_column(name).is_null().to_numpy(), dtype=np.bool_)
        return self.codes(name)[0] >= 0

    def is_empty(self, name: str) -> bool:
        """Tell whether a column holds nothing at all, not even a missing code."""
        return self._columns.is_empty(self, name)

    def values(self, name: str) -> FloatColumn:
        """Return a continuous column as floats, an ordinal one as its codes, dates as days; missing is NaN."""
        return self._columns.values(self, name)

    def matrix(self, names: tuple[str, ...]) -> FloatMatrix:
        """Return several columns side by side (records x columns, each column contiguous); missing is NaN."""
        matrix = np.empty((self.n, len(names)), order="F")
        for position, name in enumerate(names):
            matrix[:, position] = self.values(name)
        return matrix

    def codes(self, name: str) -> tuple[CodeColumn, tuple[Category, ...]]:
        """Return a column as codes into the ordered categories of the whole file, missing as -1, and the categories."""
        return self._columns.codes(self, name)

    def numbers(self, name: str) -> CodeColumn:
        """Return a number for each different value of a column as it stands, missing codes too; -1 for no value."""
        return self._columns.numbers(self, name)

    def value_order(self, name: str) -> CodeColumn:
        """Return a number for each different value of continuous columns and dates, in their order; missing is -1."""
        return self._columns.value_order(self, name)

    def map_columns(self, selection: Selection, change: Callable[[str, FloatColumn], FloatColumn]) -> Self:
        """Return a copy in which each column's observed values are `change(name, values)`; missing stays missing."""
        return self._with({name: self._map_column(name, change) for name in self.select(selection)})

    def map_matrix(self, selection: Selection, change: Callable[[FloatMatrix], FloatMatrix]) -> Self:
        """Return a copy in which `change` was applied to columns side by side; cells that are NaN stay as they are."""
        names = self.select(selection)
        matrix = self.matrix(names)
        changed = change(matrix.copy(order="F"))
        placed = zip(names, (~np.isnan(matrix)).T, changed.T, strict=True)
        return self._with({name: self._place_values(name, there, after[there]) for name, there, after in placed})

    def map_codes(self, selection: Selection, change: Callable[[str, CodeColumn], CodeColumn]) -> Self:
        """Return a copy in which the codes of each column's observed values are `change(name, codes)`."""
        return self._with({name: self._map_codes(name, change) for name in self.select(selection)})

    def take_rows(self, rows: Rows | slice) -> Self:
        """Return the chosen rows in the given order; they keep their ids, and the summary is their own."""
        return self._view(self.table[rows], row_ids=self.row_ids[rows])

    def take_columns(self, names: tuple[str, ...]) -> Self:
        """Return the chosen columns of all rows."""
        return self._view(self.table.select(*names), self.schema.subset(names))

    def column(self, name: str) -> nw.Series[Any]:
        """Return one column as the dataframe has it."""
        return self.table.get_column(name)

    def pieces(self, names: tuple[str, ...]) -> "Iterator[Microdata]":
        """Return some columns in pieces of consecutive rows, for figures that are taken piece by piece; or itself."""
        return self._columns.pieces(self, names, summary.ROWS_PER_PIECE)

    def strata(self, names: tuple[str, ...]) -> list[Rows]:
        """Return the rows of each stratum: records equal in all of `names`, where missing counts as a value too."""
        cell = self.stratum_numbers(names)
        order = stable_order(cell)
        return [rows for rows in np.split(order, np.flatnonzero(np.diff(cell[order])) + 1) if rows.size]

    def stratum_numbers(self, names: tuple[str, ...]) -> CodeColumn:
        """Return for each row the number of its stratum, from 0; without `names` there is one."""
        cell = np.zeros(self.n, dtype=np.int64)
        for name in names:
            codes, categories = self.codes(name)
            cell = dense_numbers(cell * (len(categories) + 1) + codes + 1)
        return cell

    @classmethod
    def concatenate(cls, parts: "list[Self]", order: Rows) -> Self:
        """Put parts of a file together, records in the order in which `order` lists their ids."""
        table = nw.concat([part.table for part in parts], how="vertical")
        ids = np.concatenate([part.row_ids for part in parts])
        if np.array_equal(ids, order):
            return parts[0]._copy(table.to_native(), ids=ids)
        rows = np.argsort(rows_of_ids(order, ids), kind="stable")
        return parts[0]._copy(table[rows].to_native(), ids=ids[rows])

    def is_numbered_as(self, other: "Microdata") -> bool:
        """Tell whether the row ids are those of another file: handed down from it, or given by whoever made this one.

        Examples
        --------
        >>> import polars
        >>> people = Microdata(polars.DataFrame({"age": [31, 45]}))
        >>> people.take_rows(slice(1)).is_numbered_as(people), Microdata(people.frame).is_numbered_as(people)
        (True, False)
        """
        return self.lineage in ("", other.lineage)

    def rows_of(self, ids: Rows) -> Rows:
        """Return the row of each id; an unknown id, and a file in which ids are repeated, are refused."""
        return rows_of_ids(self.row_ids, ids)

    def with_columns_of(self, other: "Microdata") -> Self:
        """Return a copy with its columns replaced by those of `other`, which has the same records in the same order."""
        changed = self._with({name: other.table.get_column(name) for name in other.schema.names})
        return changed.with_schema(self.schema.with_variables(*other.schema.variables))

    def as_block_of(self, whole: "Microdata") -> Self:
        """Return the same rows with the summary of the file that they were cut from."""
        return self._view(self.table, of=whole.summary)

    def with_column(self, variable: Variable, values: Any) -> Self:
        """Return a copy with a column of new values of any type, in place of the one of that name or after the last."""
        given = isinstance(values, nw.Series)
        series = values if given else nw.new_series(variable.name, values, backend=self.table.implementation)
        schema = (self.schema.with_variables if variable.name in self.schema else self.schema.with_more)(variable)
        return self._with({variable.name: series}, schema)

    def without_columns(self, names: tuple[str, ...]) -> Self:
        """Return a copy that lacks some columns."""
        kept = tuple(name for name in self.schema.names if name not in names)
        return self._keeping_others(self.take_columns(kept), *names)

    def with_frame(self, frame: Any) -> Self:
        """Return the same records in another dataframe."""
        return self._copy(frame)

    def with_schema(self, schema: Schema) -> Self:
        """Return the same rows with another schema."""
        return self._view(self.table, schema)

    def _map_column(self, name: str, change: Callable[[str, FloatColumn], FloatColumn]) -> nw.Series[Any]:
        values = self.values(name)
        observed = ~np.isnan(values)
        given = values.copy() if observed.all() else values[observed]  # copies of large columns take much memory
        return self._place_values(name, observed, change(name, given))

    def _place_values(self, name: str, observed: Booleans, after: FloatColumn) -> nw.Series[Any]:
        """Return the column with the masked values `after` in its observed rows."""
        series = self.table.get_column(name)
        if self.schema[name].kind is Kind.ORDINAL:
            codes, categories = self.codes(name)
            changed = np.full(codes.shape, -1, dtype=np.int64)
            changed[observed] = np.rint(np.nan_to_num(after, nan=-1.0)).astype(np.int64)  # -1 is refused
            return with_codes(series, codes, changed, categories)
        check_masked(after, series, self.schema[name])
        return with_floats(series, observed, after)

    def _map_codes(self, name: str, change: Callable[[str, CodeColumn], CodeColumn]) -> nw.Series[Any]:
        codes, categories = self.codes(name)
        changed = codes.copy()
        changed[codes >= 0] = change(name, codes[codes >= 0])
        return with_codes(self.table.get_column(name), codes, changed, categories)

    def _with(self, columns: dict[str, nw.Series[Any]], schema: Schema | None = None) -> Self:
        changed = self._view(with_like_columns(self.table, columns), schema)
        changed._use(with_like_dates(changed.table, changed.schema))
        return self._keeping_others(changed, *columns)

    def _keeping_others(self, changed: Self, *names: str) -> Self:
        if self.whole is None:  # the codes of a block are those of its file
            object.__setattr__(changed, "_columns", self._columns.without(*names))
        return changed

    def _copy(self, frame: Any, schema: Schema | None = None, ids: Rows | None = None) -> Self:
        """Return the records in another form: what is not given stays, and the summary is made anew."""
        return type(self)(frame, schema or self.schema, self.row_ids if ids is None else ids, None, self.lineage)

    def _view(
        self, table: nw.DataFrame[Any], schema: Schema | None = None, row_ids: Rows | None = None, of: Any = None
    ) -> Self:
        """Return some rows or columns, which narwhals has wrapped already; the summary is theirs, or that of a file."""
        view = object.__new__(type(self))
        view.__dict__.update(
            frame=table.to_native(),
            schema=schema or self.schema,
            row_ids=self.row_ids if row_ids is None else row_ids,
            whole=of,
            lineage=self.lineage,
            _answers=Answers(),
            _columns=KeptColumns(),
            table=table,
        )
        view._complete()
        return view
