"""Why one record is risky: the figures, and how they read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sfumato.data import Category
from sfumato.display import Column, Table, format_count, paragraph, render_notebook, text_column, wrap_text
from sfumato.display.tabular_result import TabularResult

if TYPE_CHECKING:
    import polars

MAX_SETS = 8  # sets of keys that a reader looks through


@dataclass(frozen=True)
class RecordExplanation(TabularResult):
    """The risk of one record, and what makes it.

    Parameters
    ----------
    row_id
        Which record it is.
    measure, symbol, unit
        The measure's name, the symbol of its figure per record, and the unit.
    risk
        The record's figure.
    mean_risk
        The mean over all records.
    rank, equally_risky, records
        Its place among all records, 1 being the riskiest; how many others have the same figure; how many records there
        are.
    class_size, weighted_size
        How many records have its keys, itself included, and the sum of their weights where there are weights.
    strict_class_size
        How many have its keys, itself included, where a gap is a value of its own.
    without
        Its risk when an intruder does not know one of the keys; none where that cannot be measured.
    minimal_uniques
        The sets of keys by which it differs from all other records, none of which has a smaller one within; none for a
        record that has a double.
    values
        Its keys, where they were asked for.
    """

    row_id: int
    measure: str
    symbol: str
    unit: str
    risk: float
    mean_risk: float
    rank: int
    equally_risky: int
    records: int
    class_size: int
    strict_class_size: int
    weighted_size: float | None
    without: Mapping[str, float | None]
    minimal_uniques: tuple[tuple[str, ...], ...]
    values: Mapping[str, Category | None] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain dicts and lists, ready for JSON; `values` only where they were asked for."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["without"] = dict(self.without)
        plain["minimal_uniques"] = [list(names) for names in self.minimal_uniques]
        plain["values"] = dict(self.values)
        return plain if self.values else {name: value for name, value in plain.items() if name != "values"}

    def to_frame(self) -> "polars.DataFrame":
        """Return a polars dataframe: for each key the record's risk without it, and in how many of its sets it is."""
        import polars

        rows = [(key, less, self._sets_with(key)) for key, less in self.without.items()]
        schema = {"key": polars.String, "risk_without": polars.Float64, "minimal_uniques": polars.Int64}
        return polars.DataFrame(rows, schema=schema, orient="row")

    def __str__(self) -> str:
        return "\n".join([*map(wrap_text, self._sentences()), self._by_key().to_text()])

    def _repr_html_(self) -> str:
        return render_notebook([*map(paragraph, self._sentences()), self._by_key().to_html()])

    def _sentences(self) -> list[str]:
        others = "" if not self.equally_risky else f", as risky as {format_count(self.equally_risky, 'other')}"
        figures = f"{self.risk:.2f} {self.unit} by {self.measure.replace('_', ' ')} ({self.symbol})"
        first = (
            f"Record {self.row_id}: {figures}; the mean is {self.mean_risk:.2f} {self.unit}. "
            f"Rank {self.rank} of {self.records}{others}."
        )
        return [first, self._alike(), self._unique_by()]

    def _alike(self) -> str:
        is_alone = self.class_size == 1
        have = "No other record has" if is_alone else f"{self.class_size} records, itself included, have"
        keys = "the same keys"
        if self.class_size != self.strict_class_size:
            keys += f", a gap fitting every value (where it is a value of its own: {self.strict_class_size})"
        if self.weighted_size is None:
            return f"{have} {keys}."
        stand = "it stands" if is_alone else "they stand"
        return f"{have} {keys}; {stand} for about {self.weighted_size:,.0f} in the population."

    def _unique_by(self) -> str:
        if not self.minimal_uniques:
            return "No set of keys tells it apart from all others."
        shown = "; ".join(" + ".join(names) for names in self.minimal_uniques[:MAX_SETS])
        left = len(self.minimal_uniques) - MAX_SETS
        return f"Told apart from all others by {shown}{f'; and {left} more sets' if left > 0 else ''}."

    def _by_key(self) -> Table:
        """Return the table of keys."""
        columns = [text_column("key"), Column("risk without it", unit=self.unit), Column("sets with it")]
        rows: list[tuple[str | float | None, ...]] = [
            (key, less, self._sets_with(key)) for key, less in self.without.items()
        ]
        if self.values:
            columns.append(text_column("value"))
            shown = [None if value is None else str(value) for value in self.values.values()]
            rows = [(*row, value) for row, value in zip(rows, shown, strict=True)]
        return Table(tuple(columns), tuple(rows))

    def _sets_with(self, key: str) -> int:
        return sum(key in names for names in self.minimal_uniques)
