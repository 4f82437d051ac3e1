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
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals.stable.v2 as nw

from sfumato.data.kinds import Kind, Role
from sfumato.data.schema import Variable

MAX_CODES = 20
MIN_TO_TELL_TEXT = 20  # below this many records, text that never repeats may be anything
HOUSEHOLD_NAME = re.compile(r"(^|_)(hid|hhid|hh_?id|household(_?(id|no|nr|number))?)$", re.IGNORECASE)
WEIGHT_NAME = re.compile(r"(^|_)(weights?|wgts?|wt)$", re.IGNORECASE)
IDENTIFIER_NAME = re.compile(
    r"(^|_)(id|pid|uid|uuid|ssn|identifier|person_?(no|nr|number)|record_?(no|nr|number))$", re.IGNORECASE
)
RUN_TOGETHER_ID = re.compile(r"[a-z]I[dD]$|[A-Z]ID$")


def infer_variables(frame: Any) -> tuple[Variable, ...]:
    """Return a variable for each column of the frame."""
    from sfumato.data.microdata import as_table

    table = as_table(frame)
    return tuple(_infer_variable(_Column(table[name])) for name in table.columns)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column and what is asked of it more than once."""

    series: nw.Series[Any]

    @cached_property
    def values(self) -> nw.Series[Any]:
        """The values that are there; a float that is not finite counts as none."""
        observed = self.series.drop_nulls()
        return observed.filter(observed.is_finite()) if self.series.dtype.is_float() else observed

    @cached_property
    def distinct(self) -> int:
        """How many different values there are."""
        return self.values.n_unique()

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers."""
        if self.series.dtype.is_integer():
            return True
        return bool(len(self.values)) and bool((self.values.round(0) == self.values).all())


def _infer_variable(column: _Column) -> Variable:
    kind = _kind(column)
    role = _role(column, kind)
    return Variable(name=column.series.name, kind=Kind.CONTINUOUS if role is Role.WEIGHT else kind, role=role)


def _kind(column: _Column) -> Kind:
    dtype = column.series.dtype
    if dtype.is_temporal():
        return Kind.DATE
    if isinstance(dtype, nw.Enum):
        return Kind.ORDINAL
    if not dtype.is_numeric():
        return Kind.NOMINAL
    return Kind.NOMINAL if column.is_whole and _has_few_values(column) else Kind.CONTINUOUS


def _role(column: _Column, kind: Kind) -> Role:
    name, dtype = column.series.name, column.series.dtype
    if HOUSEHOLD_NAME.search(name):
        return Role.HOUSEHOLD
    if WEIGHT_NAME.search(name) and dtype.is_numeric() and _is_positive(column):
        return Role.WEIGHT
    if kind is Kind.NOMINAL and not dtype.is_numeric() and dtype != nw.Boolean:
        return Role.IDENTIFIER if _is_nearly_unique_text(column) else Role.OTHER
    may_be_id = dtype.is_numeric() and kind is Kind.CONTINUOUS and column.is_whole
    return Role.IDENTIFIER if may_be_id and (_is_named_id(name) or _counts_the_records(column)) else Role.OTHER


def _is_named_id(name: str) -> bool:
    return bool(IDENTIFIER_NAME.search(name) or RUN_TOGETHER_ID.search(name))


def _has_few_values(column: _Column) -> bool:
    return column.distinct <= MAX_CODES and 2 * column.distinct <= len(column.values)


def _is_positive(column: _Column) -> bool:
    return bool(len(column.values)) and bool((column.values > 0).all())


def _is_nearly_unique_text(column: _Column) -> bool:
    return len(column.values) >= MIN_TO_TELL_TEXT and column.distinct >= 0.9 * len(column.values)


def _counts_the_records(column: _Column) -> bool:
    values = column.values
    if len(values) < len(column.series) or len(values) < 2 or column.distinct < len(values):
        return False
    return int(values.max()) - int(values.min()) + 1 == len(values)
