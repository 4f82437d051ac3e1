"""Formulas and conditions that the original records themselves do not follow, told before the synthesis."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from sfumato.data import Microdata
from sfumato.display import format_percent
from sfumato.expressions.expression import code_name, parse_formula
from sfumato.expressions.missing_codes import rows_with_codes
from sfumato.masking.synthesis._grids.grids import DecimalGrid, find_grid
from sfumato.masking.synthesis._grids.step_grid import StepGrid
from sfumato.masking.synthesis._households.member_conditions import parse_member_condition
from sfumato.masking.synthesis._models import ColumnModel, Formula
from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.masking.synthesis._sequential.conditions import category_numbers, known_values
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows


class Rules(Protocol):
    """A synthesiser, by what its records must follow."""

    @property
    def models(self) -> Mapping[str, ColumnModel] | None:
        """The models of some columns, formulas among them."""

    @property
    def conditions(self) -> Sequence[str]:
        """What every record must meet."""

    @property
    def min_leaf(self) -> int:
        """The fewest records that show how finely a column is written."""


def untrue_rule_remarks(rules: Rules, data: Microdata, households: Rows) -> tuple[str, ...]:
    """Return a sentence for each formula and each condition that some original records do not follow.

    Parameters
    ----------
    rules
        A synthesiser that was checked against the data.
    data
        The original records.
    households
        The number of the household of each record, from 0; conditions may speak of its members.
    """
    formulas = {name: model for name, model in (rules.models or {}).items() if isinstance(model, Formula)}
    return (
        *_untrue_formulas(formulas, data, rules.min_leaf),
        *_untrue_conditions(rules.conditions, data, households),
    )


def _untrue_formulas(formulas: Mapping[str, Formula], data: Microdata, fewest: int) -> Iterator[str]:
    for name, formula in formulas.items():
        if any(needed not in data.schema for needed in formula.needed):
            continue  # refused when it is fitted
        given = {needed: ObservedColumn.of(data, needed).values for needed in formula.needed}
        computed = np.broadcast_to(parse_formula(formula.expression).evaluate(given), (data.n,))
        column = ObservedColumn.of(data, name)
        known = np.isfinite(computed) & np.isfinite(column.values)
        differs = known & ~_agree(computed, column, fewest)
        if differs.any():
            untrue = format_percent(100 * differs.sum() / known.sum())
            yield (
                f"{untrue} of the original records do not follow the formula {name} = {formula.expression}; all "
                f"synthetic records do"
            )


def _untrue_conditions(conditions: Sequence[str], data: Microdata, households: Rows) -> Iterator[str]:
    for text in conditions:
        parsed = parse_member_condition(text)
        names = tuple(dict.fromkeys(name for part in parsed.parts for name in part.names))
        values = known_values(data, {name: ObservedColumn.of(data, name).values for name in names})
        shown = {
            code_name(name, code): rows.astype(np.float64)
            for (name, code), rows in rows_with_codes(parsed.parts, data).items()
        }
        broken = parsed.is_broken({**values, **shown}, category_numbers(data, names), households)
        if broken.any():
            yield (
                f"{format_percent(100 * broken.mean())} of the original records do not meet the condition {text}; all "
                f"synthetic records do"
            )


def _agree(computed: FloatColumn, column: ObservedColumn, fewest: int) -> Booleans:
    """Tell which records have what was computed for them, but for a step in which the column is written: rounding."""
    grid = find_grid(column.values, column.kind, fewest)
    step = grid.step if isinstance(grid, DecimalGrid | StepGrid) else 0.0
    agree = np.isclose(computed, column.values, rtol=1e-9, atol=step * (1 + 1e-9))
    return agree if grid is None else agree | (grid.round(computed) == column.values)
