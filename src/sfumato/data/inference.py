"""Guess kinds and roles from a dataframe: sensible first answers that the user can correct.

Kinds
    Text, truth values and unordered categories are nominal; ordered categories ordinal; dates dates. Whole numbers
    with few distinct values (at most 20, each held by two records on average) are codes, so nominal, unless they are
    weights. All other numbers are continuous.
Roles
    A column named like a household number is the household, one named like a weight (and positive) the weight. Text
    that is different in nearly every record, and whole numbers that are named like an id or count the records, are
    identifiers. Everything else has the role `other`: what an intruder may know is the user's decision.
"""

import re
from typing import Any

import narwhals.stable.v2 as nw

from sfumato.data.kinds import Kind, Role
from sfumato.data.schema import Variable

MOST_CODES = 20
FEWEST_TO_TELL_TEXT = 20  # below this many records, text that never repeats may be anything
HOUSEHOLD_NAME = re.compile(r"(^|_)(hid|hhid|hh_?id|household(_?(id|no|nr|number))?)$", re.IGNORECASE)
WEIGHT_NAME = re.compile(r"(^|_)(weights?|wgts?|wt)$", re.IGNORECASE)
IDENTIFIER_NAME = re.compile(
    r"(^|_)(id|pid|uid|uuid|ssn|identifier|person_?(no|nr|number)|record_?(no|nr|number))$", re.IGNORECASE
)
RUN_TOGETHER_ID = re.compile(r"[a-z]I[dD]$|[A-Z]ID$")


def inferred_variables(frame: Any) -> tuple[Variable, ...]:
    """Return a variable for each column of the frame."""
    from sfumato.data.microdata import as_table

    table = as_table(frame)
    return tuple(_inferred(table[name]) for name in table.columns)


def _inferred(series: nw.Series[Any]) -> Variable:
    kind = _kind(series)
    role = _role(series, kind)
    return Variable(name=series.name, kind=Kind.CONTINUOUS if role is Role.WEIGHT else kind, role=role)


def _kind(series: nw.Series[Any]) -> Kind:
    dtype = series.dtype
    if dtype.is_temporal():
        return Kind.DATE
    if isinstance(dtype, nw.Enum):
        return Kind.ORDINAL
    if not dtype.is_numeric():
        return Kind.NOMINAL
    return Kind.NOMINAL if _is_whole(series) and _has_few_values(series) else Kind.CONTINUOUS


def _role(series: nw.Series[Any], kind: Kind) -> Role:
    name, numeric = series.name, series.dtype.is_numeric()
    if HOUSEHOLD_NAME.search(name):
        return Role.HOUSEHOLD
    if WEIGHT_NAME.search(name) and numeric and _is_positive(series):
        return Role.WEIGHT
    if kind is Kind.NOMINAL and not numeric and series.dtype != nw.Boolean:
        return Role.IDENTIFIER if _is_nearly_unique_text(series) else Role.OTHER
    if (
        numeric
        and kind is Kind.CONTINUOUS
        and _is_whole(series)
        and (_is_named_id(name) or _counts_the_records(series))
    ):
        return Role.IDENTIFIER
    return Role.OTHER


def _is_named_id(name: str) -> bool:
    return bool(IDENTIFIER_NAME.search(name) or RUN_TOGETHER_ID.search(name))


def _is_whole(series: nw.Series[Any]) -> bool:
    if series.dtype.is_integer():
        return True
    observed = _observed(series)
    return bool(len(observed)) and bool((observed.round(0) == observed).all())


def _has_few_values(series: nw.Series[Any]) -> bool:
    observed = _observed(series)
    distinct = observed.n_unique()
    return distinct <= MOST_CODES and 2 * distinct <= len(observed)


def _is_positive(series: nw.Series[Any]) -> bool:
    observed = _observed(series)
    return bool(len(observed)) and bool((observed > 0).all())


def _observed(series: nw.Series[Any]) -> nw.Series[Any]:
    """Return the values that are there; a float that is not finite counts as none."""
    observed = series.drop_nulls()
    return observed.filter(observed.is_finite()) if series.dtype.is_float() else observed


def _is_nearly_unique_text(series: nw.Series[Any]) -> bool:
    observed = series.drop_nulls()
    return len(observed) >= FEWEST_TO_TELL_TEXT and observed.n_unique() >= 0.9 * len(observed)


def _counts_the_records(series: nw.Series[Any]) -> bool:
    observed = _observed(series)
    if len(observed) < len(series) or len(observed) < 2 or observed.n_unique() < len(observed):
        return False
    return int(observed.max()) - int(observed.min()) + 1 == len(observed)
