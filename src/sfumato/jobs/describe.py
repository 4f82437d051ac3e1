"""Describe a file: what it holds, without showing a record."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from sfumato.data import CATEGORICAL, Category, Kind, Microdata, Role
from sfumato.data.column_recoding import text_of
from sfumato.data.dates import day_of, is_calendar
from sfumato.data.missing_code_suspicion import SuspectedCode, suspicion_problems
from sfumato.display import (
    Column,
    Table,
    as_sentences,
    detail_column,
    format_compact,
    format_count,
    header_column,
    text_column,
)
from sfumato.errors import ParameterError
from sfumato.files import ReadOptions
from sfumato.files.folders import Folder, is_folder_name, open_folder
from sfumato.jobs._column_doubts import doubts_together, read_with_doubts
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.keys.weight_notices import weight_notices

MAX_CATEGORIES = 6
MIN_TO_NAME = 3  # a category of one or two records would show them
MIN_PERCENT_TO_NAME = 1  # rare categories are people too
MIN_TO_AVERAGE = 20  # a quartile of a handful of records is one of them
HOW_TO_SAY = "What is guessed wrongly can be named with options, or in a schema file, which init writes for a start."
NAMING_ROLES = {Role.IDENTIFIER, Role.HOUSEHOLD}  # their values point at people, so they are only counted


class FrequentCategory(NamedTuple):
    """A category that many records have, with their percent of the records that have a value."""

    category: str
    percent: float


@dataclass(frozen=True, kw_only=True)
class ColumnDescription:
    """What is known of a column, for the steward who has the file: of records only the ends of the numbers show.

    Parameters
    ----------
    name, kind, role, label
        As the schema has them.
    missing
        How many records have no value.
    distinct
        How many different values there are, of a column whose values point at people.
    too_few
        Whether a number has too few values for means and quartiles.
    minimum, maximum, mean, deviation, quartiles
        Of a number; declared missing codes are left out.
    earliest, latest, date_format
        The first and the last day of dates, and how they are written where they are text.
    suspected_codes
        Codes that look like "no answer" and are declared neither missing nor valid.
    doubt
        What the guess of its kind or role rests on, and how to say otherwise, where it may well be wrong.
    categories, most_frequent
        How many categories there are, and the most frequent ones.
    """

    name: str
    kind: str
    role: str
    label: str
    missing: int
    distinct: int | None = None
    too_few: bool | None = None
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None
    deviation: float | None = None
    quartiles: tuple[float, ...] | None = None
    categories: int | None = None
    most_frequent: tuple[FrequentCategory, ...] | None = None
    earliest: str | None = None
    latest: str | None = None
    date_format: str | None = None
    suspected_codes: tuple[SuspectedCode, ...] = ()
    doubt: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, as plain dicts and lists."""
        plain = {name: value for name, value in asdict(self).items() if value is not None}
        if self.most_frequent is not None:
            plain["most_frequent"] = [top._asdict() for top in self.most_frequent]
        plain["suspected_codes"] = [suspect.to_dict() for suspect in self.suspected_codes]
        return plain

    @property
    def content(self) -> str:
        """What the column holds, in a few words."""
        if self.mean is not None and self.deviation is not None and self.quartiles is not None:
            low, middle, high = map(_number, self.quartiles)
            if self.minimum == self.maximum:
                return f"{_number(self.mean)} in every record that has a value"
            ends = f"{_number(self.minimum or 0.0)} to {_number(self.maximum or 0.0)}"
            return (
                f"{ends}, mean {_number(self.mean)}, sd {_number(self.deviation)}, quartiles {low} / {middle} / {high}"
            )
        if self.categories is not None:
            return _category_content(self.categories, self.most_frequent or ())
        if self.earliest is not None and self.latest is not None:
            written = f", written as {self.date_format}" if self.date_format else ""
            return f"{self.earliest} to {self.latest}{written}"
        if self.too_few:
            return f"fewer than {MIN_TO_AVERAGE} values: not shown"
        return "" if self.distinct is None else format_count(self.distinct, "different value")


@dataclass(frozen=True, kw_only=True)
class DescribeResult(JobResult):
    """What a file holds."""

    file: str
    records: int
    columns: tuple[ColumnDescription, ...]
    counted_as: str = ""
    column_groups: tuple[tuple[str, ...], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the description."""
        return {
            "file": self.file,
            "records": self.records,
            "counted_as": self.counted_as,
            "columns": [column.to_dict() for column in self.columns],
            **({"column_groups": [list(names) for names in self.column_groups]} if self.column_groups else {}),
        }

    def __str__(self) -> str:
        return self.to_table().to_text()

    def parts(self) -> tuple[Table]:
        """Return the table."""
        return (self.to_table(),)

    def to_table(self) -> Table:
        """Return what the file holds, a row for each column."""
        missing = [f"{100 * column.missing / self.records:.1f} %" if column.missing else "" for column in self.columns]
        return Table(
            columns=(
                header_column("column"),
                *map(text_column, ("kind", "role")),
                Column("missing"),
                *map(detail_column, ("what it holds", "label")),
            ),
            rows=tuple(
                (column.name, column.kind, column.role, percent, column.content, column.label)
                for column, percent in zip(self.columns, missing, strict=True)
            ),
            title=f"{self.file}: {format_count(self.records, 'record')}, {format_count(len(self.columns), 'column')}",
            notes=(
                self.counted_as,
                *doubts_together({column.name: column.doubt for column in self.columns if column.doubt}),
                *self._advice(),
            ),
        )

    def _advice(self) -> tuple[str, ...]:
        """Return the groups of correlated columns, as a recipe takes them."""
        listed = json.dumps([list(names) for names in self.column_groups], ensure_ascii=False)
        return (f"correlated columns together, for a recipe: column_groups: {listed}",) if self.column_groups else ()


def describe(
    file: str | Path,
    *,
    columns_at_a_time: int | None = None,
    options: ReadOptions = ReadOptions(),
    on_progress: OnProgress = ignore_progress,
) -> DescribeResult:
    """Tell what a file holds: kinds, roles, missing values and codes, ranges, means and quartiles, categories.

    Parameters
    ----------
    file, options
        The file, and how it is to be read. A folder of Parquet parts or a glob need not fit into memory; it needs a
        schema.
    columns_at_a_time
        Propose groups of so many correlated columns to microaggregate together; none when not given.
    on_progress
        Called with each stage.
    """
    on_progress(Stage("reading"))
    if is_folder_name(file):
        if columns_at_a_time is not None:
            raise ParameterError(["describe.columns_at_a_time is for files that fit into memory; give a part of them"])
        return describe_data(open_folder(file, options), Path(file).name)
    data, guesses = read_with_doubts(Path(file), options)
    doubts = {column: guess.doubt for column, guess in guesses.items()}
    found = describe_data(data, Path(file).name, doubts=doubts)
    if columns_at_a_time is None:
        return found
    from sfumato.masking import correlated_columns  # with all methods, which a description does not need

    return replace(found, column_groups=correlated_columns(data, columns_at_a_time=columns_at_a_time))


def describe_data(data: Microdata | Folder, name: str, *, doubts: Mapping[str, str] | None = None) -> DescribeResult:
    """Return the description of some records, called `name`, with what is in doubt of some columns."""
    facts = {
        column: _facts(data, column) for column in data.schema.names
    }  # first: numbers in order serve the codes too
    columns = tuple(_column(data, column, facts[column], (doubts or {}).get(column)) for column in data.schema.names)
    problems = as_sentences(suspicion_problems(data, data.schema.names))
    if doubts:
        problems.append(HOW_TO_SAY)
    from sfumato.keys.findings.counted_units import ASSUMED_OF_FOLDER, counted_as  # with the compiled loops

    units = counted_as(data) if isinstance(data, Microdata) else ASSUMED_OF_FOLDER
    notices = (*problems, *(weight_notices(data) if isinstance(data, Microdata) else ()))
    return DescribeResult(file=name, records=data.n, columns=columns, counted_as=units, notices=notices)


def _column(data: Microdata | Folder, name: str, facts: dict[str, Any], doubt: str | None) -> ColumnDescription:
    variable = data.schema[name]
    return ColumnDescription(
        name=name,
        kind=str(variable.kind),
        role=str(variable.role),
        label=variable.label,
        missing=data.summary.missing(name),
        suspected_codes=data.summary.suspected_codes(name),
        doubt=doubt,
        **facts,
    )


def _facts(data: Microdata | Folder, name: str) -> dict[str, Any]:
    """Return what can be told of the values of a column."""
    variable, summary = data.schema[name], data.summary
    if variable.role in NAMING_ROLES:
        return {"distinct": data.count_distinct(name) if isinstance(data, Folder) else summary.distinct(name)}
    if not summary.observed(name) or summary.date_problem(name):
        return {}
    if variable.kind not in CATEGORICAL and summary.observed(name) < MIN_TO_AVERAGE:
        return {"too_few": True}
    if variable.kind is Kind.DATE:
        return _date_facts(data, name)
    if variable.kind is Kind.CONTINUOUS:
        return {
            "minimum": summary.value_at_rank(name, 0),
            "maximum": summary.value_at_rank(name, data.n),
            "mean": summary.mean(name),
            "deviation": summary.deviation(name),
            "quartiles": tuple(summary.quantile(name, share) for share in (0.25, 0.5, 0.75)),
        }
    counts, observed = summary.counts(name), summary.observed(name)
    enough = max(MIN_TO_NAME, MIN_PERCENT_TO_NAME / 100 * observed)
    ordered = sorted(counts.items(), key=lambda item: -item[1])[:MAX_CATEGORIES]
    return {
        "categories": len(counts),
        "most_frequent": tuple(
            FrequentCategory(_label(variable.value_labels, category), 100 * count / observed)
            for category, count in ordered
            if count >= enough
        ),
    }


def _date_facts(data: Microdata | Folder, name: str) -> dict[str, Any]:
    """Return the ends of dates; times of day and durations have no day to show."""
    some = data if isinstance(data, Microdata) else data.read(0, 1, (name,))
    if not is_calendar(some.table[name]):
        return {}
    ends = [day_of(data.summary.value_at_rank(name, rank)).isoformat() for rank in (0, data.n)]
    return {"earliest": ends[0], "latest": ends[1], "date_format": data.schema[name].date_format or None}


def _label(labels: dict[Category, str], category: Category) -> str:
    text = text_of(category)
    return f"{text} {labels[category]}" if category in labels else text


def _category_content(categories: int, most_frequent: tuple[FrequentCategory, ...]) -> str:
    if not most_frequent:
        return f"{format_count(categories, 'category')}, each of very few records"
    named = ", ".join(f"{top.category} ({top.percent:.0f} %)" for top in most_frequent)
    more = categories - len(most_frequent)
    return f"{format_count(categories, 'category')}: {named}" + (f" and {more} more" if more else "")


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else format_compact(value, 4)
