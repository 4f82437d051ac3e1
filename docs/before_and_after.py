"""Show what a method does to a few records of the made survey, as a table."""

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any

import numpy as np

from sfumato.catalogue import sample_values
from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Variable
from sfumato.datasets import demo
from sfumato.recipe import Recipe

RECORDS = 6
SURVEY_DAY = date(2024, 6, 30)
MAX_COLUMNS = 4


def before_and_after(method: type[MaskingMethod]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the head and the rows of a table: some columns of some records, original and masked."""
    original = _survey()
    masked = Recipe(steps=[method(**sample_values(method))], seed=7).run(original)
    names = _changed_columns(method, original, masked)
    rows = _rows(original, masked, names)
    head = [title for name in names for title in _titles(name, original, masked)]
    origins = _origins(original, masked)
    cells = [tuple(_cells(original, masked, names, origins[place], place)) for place in rows]
    return tuple(head), cells


@cache
def _survey() -> Microdata:
    """Return the survey with a date of birth that fits each age, for the methods that take dates."""
    survey, rng = demo(600, seed=4), np.random.default_rng(4)
    days = [365.25 * age + part for age, part in zip(survey.values("age"), rng.integers(0, 365, 600), strict=True)]
    born = [SURVEY_DAY - timedelta(days=int(day)) for day in days]
    return survey.with_column(Variable(name="birth_date", kind=Kind.DATE), born)


def _changed_columns(method: type[MaskingMethod], original: Microdata, masked: Microdata) -> list[str]:
    """Return the columns that the method changed, dropped or made."""
    changed = original.select(method(**sample_values(method)).columns)
    made = [name for name in masked.schema.names if name not in original.schema]
    return [*changed, *made][:MAX_COLUMNS]


def _rows(original: Microdata, masked: Microdata, names: list[str]) -> list[int]:
    """Return places of masked records in which there is something to see: changed ones first."""
    known = [name for name in names if name in original.schema]
    origins = _origins(original, masked)
    before = {name: original.table[name].to_list() for name in known}
    after = {name: masked.table[name].to_list() for name in known if name in masked.schema}
    differing = [
        sum(before[name][origin] != values[place] for name, values in after.items())
        for place, origin in enumerate(origins)
    ]
    complete = [all(before[name][origin] is not None for name in known) for origin in origins]
    order = np.lexsort((np.arange(masked.n), -np.array(differing), ~np.array(complete)))
    return sorted(int(place) for place in order[:RECORDS])


def _origins(original: Microdata, masked: Microdata) -> list[int]:
    """Return the place of the original of each masked record; any beside one that is nobody's."""
    places = {row_id: place for place, row_id in enumerate(original.row_ids)}
    return [places.get(row_id, place % original.n) for place, row_id in enumerate(masked.row_ids)]


def _titles(name: str, original: Microdata, masked: Microdata) -> Iterator[str]:
    if name in original.schema:
        yield name
    if name in masked.schema:
        yield f"{name}, masked" if name in original.schema else f"{name}, new"
    else:
        yield f"{name}, dropped"


def _cells(original: Microdata, masked: Microdata, names: list[str], row: int, place: int) -> Iterator[str]:
    for name in names:
        if name in original.schema:
            yield _cell(original.table[name][row])
        yield _cell(masked.table[name][place]) if name in masked.schema else ""


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:,.1f}" if isinstance(value, float) else str(value)
