"""Which columns a column is drawn from, where somebody says so."""

from collections.abc import Mapping, Sequence

from sfumato.errors import DataError, did_you_mean
from sfumato.masking.synthesis._models import ColumnModel, Formula
from sfumato.masking.synthesis._observed_columns import ObservedColumn

Predictors = dict[str, tuple[str, ...]] | None
"""For some columns the names of those that they are drawn from."""


def check_predictors(
    who: str, predictors: Predictors, before: Mapping[str, Sequence[str]], models: Mapping[str, ColumnModel]
) -> None:
    """Refuse a column that is not drawn or is computed, and predictors that are not known when it is drawn.

    `before` has for each drawn column those that are known by then.
    """
    for name, chosen in (predictors or {}).items():
        if name not in before:
            raise DataError(f"{who}.predictors: '{name}' is not among the columns; name it there too")
        if isinstance(models.get(name), Formula):
            raise DataError(
                f"{who}.predictors: '{name}' is computed by a formula, which names what it needs; leave it out"
            )
        later = [other for other in chosen if other not in before[name]]
        if later:
            hint = did_you_mean(later[0], tuple(before[name])) or "; put it before it in columns, or into given"
            raise DataError(
                f"{who}.predictors: '{name}' cannot be drawn from '{later[0]}', which is not known before it{hint}"
            )


def choose_predictors(
    name: str, before: Sequence[ObservedColumn], predictors: Mapping[str, tuple[str, ...]]
) -> tuple[ObservedColumn, ...]:
    """Return those of the columns before that a column is drawn from: all where nothing is said."""
    chosen = predictors.get(name)
    return tuple(column for column in before if chosen is None or column.name in chosen)
