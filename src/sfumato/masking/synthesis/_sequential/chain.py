"""Synthetic records drawn column by column, each column by its model from those before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from sfumato.masking.synthesis._models import ColumnModel, Tree
from sfumato.masking.synthesis._models.contract import Drawn, FittedModel, Settings
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.masking.synthesis._sequential.predictors import choose_predictors
from sfumato.numerics.arrays import FloatColumn, Rows

DrawnRecords = dict[str, DrawnColumn]
"""The columns of synthetic records, by name."""


@dataclass(frozen=True, eq=False)
class Chain:
    """The fitted models of all columns, in the order in which they are drawn.

    Parameters
    ----------
    given
        The columns that stay as they are.
    columns, models
        The columns that are drawn, and the model of each.
    """

    given: tuple[ObservedColumn, ...]
    columns: tuple[ObservedColumn, ...]
    models: tuple[FittedModel, ...]

    def draw(self, rows: Rows, rng: np.random.Generator) -> DrawnRecords:
        """Return synthetic records, one for each of some rows; the given columns are those of the row."""
        return self.draw_after({column.name: column.values[rows] for column in self.given}, rows.size, rng)

    def draw_after(self, given: Drawn, n: int, rng: np.random.Generator) -> DrawnRecords:
        """Return `n` synthetic records whose given columns have other values than those of original rows."""
        before, drawn = dict(given), DrawnRecords()
        for column, model in zip(self.columns, self.models, strict=True):
            cells = model.draw(before, n, rng)
            drawn[column.name] = DrawnColumn(cells.donors, column.away_from_codes(cells.numbers))
            before[column.name] = drawn[column.name].values(column.values)
        return drawn

    def values(self, drawn: DrawnRecords, rows: Rows) -> dict[str, FloatColumn]:
        """Return the values of synthetic records in given and drawn columns."""
        given = {column.name: column.values[rows] for column in self.given}
        return given | {column.name: drawn[column.name].values(column.values) for column in self.columns}


def fit_chain(
    given: Sequence[ObservedColumn],
    columns: Sequence[ObservedColumn],
    models: Mapping[str, ColumnModel],
    settings: Settings,
    rng: np.random.Generator,
    *,
    predictors: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> Chain:
    """Return the models of all columns, fitted to the original records; a column without a model gets a tree.

    No model sees what a few numbers alone would show.
    """
    before, fitted = [column.hide_few(settings.fewest) for column in given], []
    seen = [column.hide_few(settings.fewest) for column in columns]
    for column in seen:
        chosen = choose_predictors(column.name, before, predictors)
        fitted.append(models.get(column.name, Tree()).fit(column, chosen, settings, rng))
        before.append(column)
    drawn = tuple(replace(column, grid=hidden.grid) for column, hidden in zip(columns, seen, strict=True))
    return Chain(tuple(given), drawn, tuple(fitted))


def replace_records(drawn: DrawnRecords, rows: Rows, other: DrawnRecords) -> DrawnRecords:
    """Return synthetic records with others in some rows."""
    return {name: column.replace_rows(rows, other[name]) for name, column in drawn.items()}
