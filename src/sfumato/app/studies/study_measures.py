"""What a comparison measures: one yardstick for recipes that change keys, amounts or whole records; and its words."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.app.advice import schema_after
from sfumato.data import Kind, Microdata, Role, Selector, linkable, role
from sfumato.recipe import Recipe
from sfumato.risk import WorstCaseLinkage
from sfumato.study.axes import loss_figures, risk_figures

MAX_ATTACKED = 20_000  # records; in larger files the strongest attacks take hours
KEYS, CONFIDENTIAL = role(Role.KEY), role(Role.CONFIDENTIAL)
WHOM = {str(KEYS): "the keys", str(CONFIDENTIAL): "the confidential columns", str(linkable): "all columns"}
MEAN, BOUND = "WCLmean", WorstCaseLinkage.bound_symbol
WORDS = {
    "WCL": "Linked by who knows {whom}, %",
    "WCB": "Linked by who knows {whom}, proven bound, %",
    "UV": "Variance lost in {whom}, %",
    MEAN: "Linked, mean of keys and confidential columns, %",
}
MANY = (
    f"Beyond {MAX_ATTACKED} records the strongest attacks are not tried on each recipe: keys are judged by how many "
    "share them, numbers by the nearest record. An intruder may find more; measure the recipe that you take."
)


def study_measures(data: Microdata, recipes: Sequence[Recipe]) -> dict[str, Any]:
    """Return the measures of a comparison, as a study file has them, for recipes of any kind.

    Risk is that of intruders who know the keys, the confidential columns, and all; each is measured in the same way
    after every recipe. In large files keys are judged by their counts and numbers by the nearest record.
    """
    rules = rules_of(data)
    losses = [{"unexplained_variance": {"columns": str(rule)}} for rule in rules]
    if data.n > MAX_ATTACKED:
        return {"measures": [*_measures_of_many(data, recipes), *losses]}
    asked: dict[str, Any] = {"measures": [*({"worst_case_linkage": {"columns": str(rule)}} for rule in rules), *losses]}
    if {KEYS, CONFIDENTIAL} <= set(rules):
        weights = {f"WCL[columns={rule}]": 0.5 for rule in (KEYS, CONFIDENTIAL)}
        asked["scores"] = [{"name": "mean linkage", "symbol": MEAN, "weights": weights}]
    return asked


def axis_title(symbol: str, title: str, only: Selector = linkable) -> str:
    """Return what a figure of a comparison is called on a map, the title of the study where it is none of ours.

    A measure that was taken once does not say by which columns: it was `only` by those.

    Examples
    --------
    >>> axis_title("WCL[columns=role(key)]", "Worst case linkage (WCL[columns=role(key)], %)")
    'Linked by who knows the keys, %'
    >>> axis_title("DLD", "Distance linkage (DLD, %)")
    'Distance linkage (DLD, %)'
    """
    found = re.fullmatch(r"(\w+)(?:\[columns=(.*)\])?", symbol)
    if found is None or found[1] not in WORDS:
        return title
    return WORDS[found[1]].format(whom=WHOM.get(found[2] or str(only), found[2]))


def axes_of(symbols: Sequence[str]) -> dict[str, list[str]]:
    """Return which figures can be the risk and which the loss of a map, those of all columns and means first."""
    bounds = [symbol for symbol in symbols if symbol.partition("[")[0] == BOUND]
    risks = [
        *(symbol for symbol in symbols if symbol == MEAN),
        *sorted(risk_figures(symbols), key=_is_in_part),
        *bounds,
    ]
    return {"risk": risks, "loss": sorted(loss_figures(symbols), key=_is_in_part)}


def _is_in_part(symbol: str) -> bool:
    return "[columns=" in symbol and str(linkable) not in symbol


def rules_of(data: Microdata) -> tuple[Selector, ...]:
    """Return the rules that pick different columns of a file, which hold values."""
    picked: dict[tuple[str, ...], Selector] = {}
    for rule in (KEYS, CONFIDENTIAL, linkable):
        names = tuple(name for name in data.select(rule) if data.summary.observed(name))
        if names:
            picked.setdefault(names, rule)
    return tuple(picked.values())


def _measures_of_many(data: Microdata, recipes: Sequence[Recipe]) -> list[Mapping[str, Any]]:
    keys = data.select(KEYS)
    kinds = [schema_after(data.schema, recipe.steps) for recipe in recipes]
    numbers = [
        one.name
        for one in data.schema.variables
        if one.role is Role.CONFIDENTIAL and all(schema[one.name].kind is Kind.CONTINUOUS for schema in kinds)
    ]
    found: list[Mapping[str, Any]] = [{"k_anonymity": {"columns": list(keys)}}] if keys else []
    return found + (
        [{name: {"columns": numbers}} for name in ("distance_linkage", "interval_disclosure")] if numbers else []
    )
