"""Which methods suit a column, by its role and kind, and why, in the order in which they are worth trying."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from sfumato.app.project import State
from sfumato.catalogue import describe
from sfumato.contracts import MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Role, Schema
from sfumato.errors import SfumatoError
from sfumato.masking import METHODS


class Advice(NamedTuple):
    """A family of methods, and what it does for a column."""

    family: str
    why: str


BROADER = Advice("recoding", "broader categories or classes, which more people share")
HIDDEN = Advice("suppression", "single values hidden, of those who still stand out")
RANDOM = Advice("randomisation", "some values changed at random; frequencies can be corrected for it")
GROUPED = Advice("microaggregation", "each value replaced by the mean of a small group; totals stay")
SWAPPED = Advice("swapping", "values exchanged between similar records; each column keeps its distribution")
NOISY = Advice("noise", "random numbers added; means stay on average")
ROUNDED = Advice("rounding", "fewer digits, so that a value is shared by more people")
DATED = Advice("dates", "days rounded to months or years, or shifted together")
MAKES_CATEGORIES = "recoding"  # the family
NO_NAME = Advice("identifiers", "it names a person: drop it, or give everybody a new code")
ADVICE: dict[Role, dict[str, tuple[Advice, ...]]] = {
    Role.IDENTIFIER: {"": (NO_NAME,)},
    Role.HOUSEHOLD: {"": (NO_NAME,)},
    Role.WEIGHT: {"": (ROUNDED,)},
    Role.KEY: {
        "categories": (BROADER, HIDDEN, RANDOM),
        "numbers": (BROADER, ROUNDED, GROUPED),
        "dates": (DATED, BROADER),
    },
    Role.CONFIDENTIAL: {
        "categories": (RANDOM, BROADER),
        "numbers": (GROUPED, SWAPPED, NOISY),
        "dates": (DATED, GROUPED),
    },
}


def schema_at(state: State, number: int | None = None) -> Schema:
    """Return what the columns are when a step comes to them, counted from 0, or one behind all others.

    An age that was put into classes is a category for the next step.

    Examples
    --------
    >>> import polars
    >>> schema = Schema.infer(polars.DataFrame({"age": [31.5, 42.0]}))
    >>> state = State("", schema.to_yaml(), "steps: [{discretisation: {columns: [age], breaks: [40]}}]")
    >>> [str(schema_at(state, step)["age"].kind) for step in (0, None)]
    ['continuous', 'ordinal']
    """
    steps = state.recipe.steps if state.recipe else ()
    return schema_after(state.schema, steps[:number])


def schema_after(schema: Schema, steps: Sequence[MaskingMethod]) -> Schema:
    """Return what the columns are after some steps."""
    for step in steps:
        if step.family == MAKES_CATEGORIES and not step.keeps_types:
            with suppress(SfumatoError):  # of a column that is not there the run says so
                numbers = [name for name in schema.select(step.columns) if schema[name].kind not in CATEGORICAL]
                schema = schema.with_kinds(ordinal=numbers)
    return schema


def advice_for(schema: Schema, column: str) -> tuple[Advice, ...]:
    """Return the families that suit a column; none for one that is neither known nor confidential."""
    variable = schema[column]
    by_kind = ADVICE.get(variable.role, {})
    kind = "categories" if variable.kind in CATEGORICAL else "dates" if variable.kind is Kind.DATE else "numbers"
    return by_kind.get("", by_kind.get(kind, ()))


def methods_for(schema: Schema, column: str | None, family: str | None = None) -> dict[str, str]:
    """Return the methods that take a column of its kind, by name with what to call them, those advised first.

    Examples
    --------
    >>> import polars
    >>> schema = Schema.infer(polars.DataFrame({"age": [31.5, 42.0]})).with_roles(key=["age"])
    >>> list(methods_for(schema, "age", "rounding"))
    ['multivariate_rounding', 'rounding', 'weight_rounding']
    """
    advised = [advice.family for advice in advice_for(schema, column)] if column else []
    takes = [
        (name, method)
        for name, method in METHODS.items()
        if (column is None or not method.kinds or schema[column].kind in method.kinds)
        and family in (None, method.family)
    ]
    order = sorted(takes, key=lambda one: advised.index(one[1].family) if one[1].family in advised else len(advised))
    return {
        name: f"{describe(method).title} ({method.family}{', advised' if method.family in advised else ''})"
        for name, method in order
    }
