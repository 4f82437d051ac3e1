"""Whether a formula or a condition takes dates for dates, numbers for numbers, and categories for categories."""

import ast
from collections.abc import Mapping
from enum import StrEnum

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.columns import is_missing_value
from sfumato.data.dates import is_calendar
from sfumato.errors import DataError
from sfumato.expressions.dates import date_sides, days_of_text
from sfumato.expressions.expression import Expression, missing_name


class Type(StrEnum):
    """What a part of an expression is."""

    NUMBER = "number"
    DATE = "date"
    CATEGORY = "category"
    TEXT = "text"
    ANY = "any"  # a figure of members


WRONG = (
    "compares a number with text, or takes a date for a number: a date compares with dates, as '2021-12-31' in quotes; "
    "less a date it is a number of days, and years(later - earlier) counts whole years"
)
OF_KIND = {Kind.CONTINUOUS: Type.NUMBER, Kind.DATE: Type.DATE}


def check_types(where: str, expression: Expression, data: Microdata) -> Type:
    """Return what an expression gives; refuse one that takes dates for numbers, or times of day for dates."""
    kinds = {name: data.schema[name].kind for name in expression.names if name in data.schema}
    for name, kind in kinds.items():
        if kind is Kind.DATE and not is_calendar(data.table[name]):
            raise DataError(f"{where} reads '{name}', which holds times of day or durations; only dates can be read")
    found = expression_type(expression, kinds)
    if found is None:
        raise DataError(f"{where} {WRONG}")
    return found


def compared_with_missing(condition: Expression, data: Microdata) -> list[str]:
    """Return the columns that are compared with a code for no answer."""
    return [
        name
        for name, constants in condition.constants_equalled().items()
        if any(is_missing_value(constant, data.schema[name]) for constant in constants)
    ]


def expression_type(expression: Expression, kinds: Mapping[str, Kind]) -> Type | None:
    """Return what a formula gives; None where a date is added to a date, or compared with a number, and so on.

    A condition gives a number. What is no column, as a figure of members, may be anything.

    Examples
    --------
    >>> from sfumato.expressions.expression import parse_condition, parse_formula
    >>> kinds = {"birth": Kind.DATE, "age": Kind.CONTINUOUS}
    >>> expression_type(parse_formula("years('2021-12-31' - birth)"), kinds)
    <Type.NUMBER: 'number'>
    >>> print(expression_type(parse_condition("birth > age"), kinds))
    None
    """
    try:
        return _type(expression.tree, {name: kinds.get(column) for name, column in expression.columns.items()})
    except TypeError:
        return None


def _type(node: ast.expr, kinds: Mapping[str, Kind | None]) -> Type:
    if isinstance(node, ast.Name):
        kind = kinds.get(node.id)
        return Type.ANY if kind is None else OF_KIND.get(kind, Type.CATEGORY)
    if isinstance(node, ast.Constant):
        return Type.TEXT if isinstance(node.value, str) else Type.NUMBER
    if (sides := date_sides(node)) is not None:
        if any(not _is_date(side, kinds) for side in sides):
            raise TypeError("no date")
        return Type.NUMBER
    if missing_name(node) is not None:
        return Type.NUMBER
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            _type(part, kinds)
        return Type.NUMBER
    if isinstance(node, ast.UnaryOp):
        return _number(node.operand, kinds)
    if isinstance(node, ast.BinOp):
        return _sum_type(node, kinds)
    if isinstance(node, ast.Compare):
        return _comparison(node, kinds)
    raise TypeError("no part of an expression")


def _sum_type(node: ast.BinOp, kinds: Mapping[str, Kind | None]) -> Type:
    left, right = _type(node.left, kinds), _type(node.right, kinds)
    if Type.DATE not in (left, right):
        for side in (node.left, node.right):
            _number(side, kinds)
        return Type.ANY if Type.ANY in (left, right) else Type.NUMBER
    if isinstance(node.op, ast.Sub) and _is_date(node.left, kinds) and _is_date(node.right, kinds):
        return Type.NUMBER if Type.ANY not in (left, right) else Type.ANY
    if isinstance(node.op, ast.Sub | ast.Add) and left is Type.DATE and right in (Type.NUMBER, Type.ANY):
        return Type.DATE
    raise TypeError("dates are not added to each other")


def _comparison(node: ast.Compare, kinds: Mapping[str, Kind | None]) -> Type:
    sides = [node.left, *node.comparators]
    types = {_type(side, kinds) for side in sides} - {Type.ANY}
    if Type.DATE in types:
        if not all(_is_date(side, kinds) for side in sides):
            raise TypeError("a date compared with something else")
    elif Type.NUMBER in types and Type.TEXT in types and Type.CATEGORY not in types:
        raise TypeError("a number compared with text")
    return Type.NUMBER


def _number(node: ast.expr, kinds: Mapping[str, Kind | None]) -> Type:
    found = _type(node, kinds)
    if found in (Type.DATE, Type.TEXT):
        raise TypeError("no number")
    return found


def _is_date(node: ast.expr, kinds: Mapping[str, Kind | None]) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and not np.isnan(days_of_text(node.value))
    return _type(node, kinds) in (Type.DATE, Type.ANY)
