"""Which columns a column is drawn from, where somebody says so."""

from collections.abc import Mapping, Sequence

from sfumato.errors import DataError, did_you_mean
from sfumato.masking.synthesis._models import ColumnModel, Formula
from sfumato.masking.synthesis._observed_columns import ObservedColumn

Predictors = dict[str, tuple[str, ...]] | None
"""For some columns the names of those that they are drawn from."""


def check_predictors(
    predictors: Predictors, given: Sequence[str], columns: Sequence[str], models: Mapping[str, ColumnModel]
) -> None:
    """Refuse a column that is not drawn or is computed, and predictors that are not known when it is drawn."""
    for name, chosen in (predictors or {}).items():
        if name not in columns:
            raise DataError(f"SequentialSynthesis.predictors: '{name}' is not among the columns; name it there too")
        if isinstance(models.get(name), Formula):
            raise DataError(
                f"SequentialSynthesis.predictors: '{name}' is computed by a formula, which names what it needs; leave "
                f"it out"
            )
        before = (*given, *columns[: columns.index(name)])
        later = [other for other in chosen if other not in before]
        if later:
            hint = did_you_mean(later[0], before) or "; put it before it in columns, or into given"
            raise DataError(
                f"SequentialSynthesis.predictors: '{name}' cannot be drawn from '{later[0]}', which is not known "
                f"before it{hint}"
            )


def choose_predictors(
    name: str, before: Sequence[ObservedColumn], predictors: Mapping[str, tuple[str, ...]]
) -> tuple[ObservedColumn, ...]:
    """Return those of the columns before that a column is drawn from: all where nothing is said."""
    chosen = predictors.get(name)
    return tuple(column for column in before if chosen is None or column.name in chosen)
