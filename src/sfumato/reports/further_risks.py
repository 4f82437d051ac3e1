"""Measures of one file that are asked for by name, beside the figures that every report on risk has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.contracts import FileRisk, Measure, Measurement
from sfumato.data import Microdata
from sfumato.data.column_recoding import text_of
from sfumato.display import Cell, Column, Table, detail_column, header_column, text_column
from sfumato.errors import ParameterError
from sfumato.keys.counted_records import copies_of
from sfumato.keys.findings.counted_persons import count_persons
from sfumato.risk import Suda, suda_by_category
from sfumato.risk._explanations.risk_table import RiskTable
from sfumato.risk._explanations.suda_by_category import CategoryScore

KEYS = "keys"  # the family of measures that ask who stands out, and not what is told of whom
WHAT = "released"  # records of a file that is measured as it is


@dataclass(frozen=True)
class FurtherRisk:
    """What a measure finds in one file.

    Parameters
    ----------
    measure, found
        The measure, and its figure.
    categories
        Of SUDA, which categories its scores run through; None of other measures.
    """

    measure: FileRisk
    found: Measurement
    categories: RiskTable[CategoryScore] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain values, without what is found of single records."""
        found = self.found
        held = {} if self.categories is None else {"categories": [row._asdict() for row in self.categories]}
        return {
            "name": found.name,
            "symbol": found.symbol,
            "value": found.value,
            "unit": found.unit,
            "parts": dict(found.parts),
            "remark": found.remark,
            **held,
        }


def further_risks(
    data: Microdata, measures: Sequence[Measure], min_records: int, teller: Microdata
) -> tuple[FurtherRisk, ...]:
    """Measure a file as it is.

    Parameters
    ----------
    data
        The file.
    measures
        What to measure; one that compares two files is refused.
    min_records
        How many records have each category that is named, at least.
    teller
        What tells whose each record is: measures of keys count persons where some have several.
    """
    found = []
    for measure in check_further_risks(measures):
        persons = count_persons(data, data.select(measure.columns), teller) if measure.family == KEYS else None
        counted = data if persons is None else persons.data
        found.append(FurtherRisk(measure, measure.of(counted), _categories(counted, measure, min_records)))
    return tuple(found)


def check_further_risks(measures: Sequence[Measure]) -> tuple[FileRisk, ...]:
    """Return measures of one file; refuse those that compare two."""
    problems = [
        f"{type(measure).__name__} compares a masked file with its original, and here is one file; use assess for it"
        for measure in measures
        if not isinstance(measure, FileRisk)
    ]
    if problems:
        raise ParameterError(problems)
    return tuple(measure for measure in measures if isinstance(measure, FileRisk))


def further_row(one: FurtherRisk) -> tuple[str, str, str, Cell]:
    """Return a figure as a row: its symbol and name, the figure, and what it means with its parts."""
    from sfumato.assessment.rendering import measure_rows  # it loads methods, which a report without it does not need

    (row,) = (row for row in measure_rows(one.measure, one.found, None, WHAT) if not isinstance(row, str))
    symbol, name, figure, _, meaning = row
    return str(symbol), str(name), str(figure), meaning if isinstance(meaning, Cell) else Cell(str(meaning))


def further_table(risks: Sequence[FurtherRisk], title: str = "Further measures") -> Table:
    """Return the figures as a table, a row for each measure."""
    columns = (header_column(), text_column(), Column(), detail_column())
    return Table(columns, tuple(further_row(one) for one in risks), title)


def tables_of_categories(risks: Sequence[FurtherRisk]) -> Iterator[RiskTable[CategoryScore]]:
    """Yield the tables of the categories through which scores run."""
    yield from (one.categories for one in risks if one.categories is not None)


def _categories(data: Microdata, measure: FileRisk, min_records: int) -> RiskTable[CategoryScore] | None:
    """Return which categories the scores of SUDA run through: those of several persons, no single ones."""
    if not isinstance(measure, Suda):
        return None
    table = suda_by_category(data, measure)
    counts = {name: _records_by_category(data, name) for name in {row.key for row in table}}
    rows = tuple(row for row in table if row.category is None or counts[row.key][row.category] >= min_records)
    left_out = f"categories that fewer than {min_records} records have are left out" if len(rows) < len(table) else ""
    return RiskTable(table.title, table.fields, rows, left_out)


def _records_by_category(data: Microdata, name: str) -> dict[str, int]:
    codes, categories = data.codes(name)
    counts = np.bincount(codes[codes >= 0], weights=copies_of(data)[codes >= 0], minlength=len(categories))
    return {text_of(category): int(count) for category, count in zip(categories, counts, strict=True)}
