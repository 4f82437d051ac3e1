"""Dropped numbers that released columns give back: an income beside a rent and its share of the income."""

import re
from collections.abc import Mapping, Sequence
from math import isnan, nan

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Kind, Microdata, Role
from sfumato.keys.pairs._trimmed_fits import trimmed_fit
from sfumato.keys.pairs.linear_relations import linear_relations, sources_of
from sfumato.keys.pairs.pair_amounts import MIN_FITTED, MIN_TOLD, TIMES_CHANCE, counts_near, promising_ways
from sfumato.keys.pairs.sums_of_multiples import some_rows
from sfumato.keys.recomputed_values import Recomputed, in_words
from sfumato.numerics.arrays import FloatColumn

DROPPED = "DROPPED VALUES CAN BE COMPUTED FROM OTHER COLUMNS"
NEAR = 0.05  # of a value: what is computed as near as that is told, as sources may be masked
MIN_NUMBERS = 0.8  # of the cells of a text: where so many are numbers, it is an amount with words for "no answer"
FIRST_LOOK = 500  # cells, by which it is judged whether a text holds numbers
MARKS = ((",", "."), (".", ","))  # of thousands and of decimals


def dropped_amounts(original: Microdata, masked: Microdata) -> list[Recomputed]:
    """Return which dropped identifiers and confidential numbers one released column, or two, give back.

    Tried are each column, and the sum, difference, product and ratio of each two, all times a constant, and the sum of
    several of which the dropped one was the total, or a part. Masked columns are tried as well, since what they were
    is near. Nothing is told that comes near as often by chance.

    Parameters
    ----------
    original, masked
        The file as it was and as it is released, in the same order.
    """
    hidden = (Role.IDENTIFIER, Role.CONFIDENTIAL)
    dropped = [one.name for one in original.schema.variables if one.role in hidden and one.name not in masked.schema]
    if not dropped or not np.array_equal(original.row_ids, masked.row_ids):
        return []
    numbers = [one for one in masked.schema.variables if one.kind is Kind.CONTINUOUS]
    names = [one.name for one in numbers if one.role not in {Role.WEIGHT, Role.HOUSEHOLD}]  # households are renumbered
    columns = {name: masked.values(name) for name in names}
    amounts = {name: _amounts(original, name) for name in dropped} if columns else {}
    amounts = {name: exact for name, exact in amounts.items() if np.count_nonzero(exact > 0) >= MIN_FITTED}
    sums = _sums_before_masking(original, amounts, columns)
    return [told for name, exact in amounts.items() for told in _most_telling(name, exact, columns, sums[name])]


def dropped_remark(found: Sequence[Recomputed]) -> str:
    """Return which dropped values can be computed from what, of how many records; nothing where none can."""
    if not found:
        return ""
    told = "; ".join(
        f"{one.column} by {in_words(one.sources)} (of {one.records:,} of {one.values:,} records, within "
        f"{100 * NEAR:.0f} %)"
        for one in found
    )
    return f"{DROPPED}: {told}. Dropping such a column hides little: drop one of these too, or mask them more"


def _sums_before_masking(
    original: Microdata, amounts: Mapping[str, FloatColumn], columns: Mapping[str, FloatColumn]
) -> dict[str, list[tuple[tuple[str, ...], FloatColumn]]]:
    """Return of which released columns each dropped one was a sum of multiples, and what comes out of these now."""
    names = [name for name in columns if name in original.schema and original.schema[name].kind is Kind.CONTINUOUS]
    before = {name: original.values(name) for name in names}
    rows = some_rows(np.arange(original.n))
    looked = {name: column[rows] for name, column in {**before, **amounts}.items()} if amounts else {}
    relations = linear_relations(looked)
    found: dict[str, list[tuple[tuple[str, ...], FloatColumn]]] = {name: [] for name in amounts}
    for name, exact in amounts.items():
        for used in sources_of(name, relations):
            if {*used} <= {*before}:
                values = np.column_stack([before[one] for one in used])
                complete = np.isfinite(values).all(axis=1) & np.isfinite(exact)
                fit = trimmed_fit(values[complete], exact[complete])
                constant = float(np.median(exact[complete] - fit.rest - values[complete] @ fit.factors))
                shown = np.column_stack([columns[one] for one in used]) @ fit.factors + constant
                found[name].append((used, shown))
    return found


def _most_telling(
    name: str,
    exact: FloatColumn,
    columns: Mapping[str, FloatColumn],
    sums: Sequence[tuple[tuple[str, ...], FloatColumn]],
) -> list[Recomputed]:
    """Return by which columns most values of a dropped one come out, the fewest of several; none where few do."""
    rows = np.random.default_rng(0).permutation(np.flatnonzero(exact > 0))  # which come first is no secret
    values, best = rows.size, None
    some = {one: column[rows] for one, column in columns.items()}
    ways = [(way.sources, way.of(some)) for way in promising_ways(exact[rows], some, NEAR)]
    for sources, computed in [*ways, *((sources, computed[rows]) for sources, computed in sums)]:
        records, chance = counts_near(np.array([computed, np.roll(computed, values // 2)]), exact[rows], NEAR)
        is_told = records >= MIN_TOLD * values and records >= TIMES_CHANCE * chance
        if is_told and (best is None or records > best.records):
            best = Recomputed(name, sources, int(records), values)
    return [] if best is None else [best]


def _amounts(data: Microdata, name: str) -> FloatColumn:
    """Return a column as numbers, those of a text among words too; nothing but NaN where most cells are no numbers."""
    if data.schema[name].kind is Kind.CONTINUOUS:
        return data.values(name)
    column, nothing = data.table[name], np.full(data.n, np.nan)
    if column.dtype.is_numeric():
        return np.where(data.observed(name), column.cast(nw.Float64).to_numpy(), np.nan)
    if column.dtype != nw.String:
        return nothing
    cells = column.to_list()
    some = [cell for cell in cells[:FIRST_LOOK] if cell is not None]
    marks = max(MARKS, key=lambda marks: sum(not isnan(_number(cell, *marks)) for cell in some))
    if sum(not isnan(_number(cell, *marks)) for cell in some) < max(MIN_NUMBERS * len(some), 1):
        return nothing
    return np.array([_number(cell, *marks) for cell in cells])


def _number(cell: str | None, thousands: str, decimal: str) -> float:
    """Return the number that a cell holds, NaN where it holds none; thousands stand apart by threes."""
    text = (cell or "").strip()
    if not re.fullmatch(rf"-?(\d{{1,3}}(\{thousands}\d{{3}})+|\d+)(\{decimal}\d+)?", text):
        return nan
    return float(text.replace(thousands, "").replace(decimal, "."))
