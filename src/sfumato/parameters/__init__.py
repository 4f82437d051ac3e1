"""The parameter types that every record of parameters is made of; their ranges live here."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from sfumato.data import Category, Selector
from sfumato.data.kinds import Role
from sfumato.display import format_compact
from sfumato.documents import format_value
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

__all__ = [
    "CodeColumn",
    "Columns",
    "FloatColumn",
    "FloatMatrix",
    "Given",
    "GroupSize",
    "InPercent",
    "Matrices",
    "Matrix",
    "Percent",
    "Ratio",
    "Records",
    "Scale",
    "Seconds",
    "Strata",
]


RULES = {"numeric", "categorical", "linkable", *(f"role({role})" for role in Role)}


def _as_selection(value: Any) -> tuple[str, ...] | Selector:
    """Turn a list into a tuple and a rule's text into the rule; refuse a bare name, which is easily a typing slip."""
    if isinstance(value, Selector):
        return value
    if isinstance(value, str) and value in RULES:
        return Selector(value)
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise ValueError(
            f"must be a list of column names, or one of numeric, categorical, linkable, role(NAME); "
            f"got {format_value(value)}"
        )
    repeated = {name for name in value if value.count(name) > 1}
    if repeated:
        raise ValueError(f"must name each column once; repeated: {', '.join(sorted(repeated))}")
    return tuple(value)


def _not_empty(value: tuple[str, ...] | Selector) -> tuple[str, ...] | Selector:
    if value == ():
        raise ValueError("must name at least one column; got none")
    return value


Columns = Annotated[tuple[str, ...] | Selector, BeforeValidator(_as_selection), AfterValidator(_not_empty)]
"""Columns by name, as `("income", "tax")`, or by a rule, as `sf.numeric` or `sf.role("key")`."""

Strata = Annotated[tuple[str, ...] | Selector, BeforeValidator(_as_selection)]
"""Columns whose equal values make the strata; none means the whole file."""

Given = Strata
"""Columns that a method only reads, by name or by rule; none is allowed, as for strata."""

# the unit is part of the JSON schema: help, documents and web forms take it from there
InPercent = Annotated[float, Field(json_schema_extra={"unit": "percent"})]
"""A number in percent whose range the field gives."""

Percent = Annotated[InPercent, Field(gt=0, le=100)]
"""A share in percent, above 0 up to 100."""

Scale = Annotated[float, Field(gt=0, le=1e6, json_schema_extra={"unit": "standard deviations"})]
"""A number of standard deviations."""

Ratio = Annotated[float, Field(gt=0)]
"""A multiple of a quantity that the file has, such as a covariance."""

Seconds = Annotated[float, Field(json_schema_extra={"unit": "seconds"})]
"""A time in seconds whose range the field gives."""

Records = Annotated[int, Field(json_schema_extra={"unit": "records"})]
"""A number of records whose range the field gives."""

GroupSize = Annotated[Records, Field(ge=2)]
"""The smallest number of records in a group."""

ROUNDING = 1e-6  # how far the probabilities of a row, as people write them, may be from adding up to 1

Row = dict[Category | None, Annotated[float, Field(ge=0, le=1)]]
Matrix = dict[Category, Row]
"""A Markov matrix: for each category the probability of each that it may turn into; what is not named has 0.

None, in documents null, stands for a value that is suppressed.
"""


def _stochastic(matrices: dict[str, Matrix]) -> dict[str, Matrix]:
    for name, matrix in matrices.items():
        for category, row in matrix.items():
            if abs(sum(row.values()) - 1) > ROUNDING:
                raise ValueError(
                    f"must have rows that add up to 1; the row '{category}' of '{name}' adds up to "
                    f"{format_compact(sum(row.values()))}"
                )
    return matrices


Matrices = Annotated[dict[str, Matrix], AfterValidator(_stochastic)]
"""The Markov matrices of some columns, by name."""
