"""Formulas and conditions over the columns of a record, as people write them: `age >= 16 or status == 'single'`."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.expressions.dates import FUNCTIONS, date_sides, days_of_text
from sfumato.numerics.arrays import Booleans, FloatColumn

ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: np.float_power,  # of floats: whole numbers would grow without end
}
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
MISSING = "missing"
"""The function that tells whether a column lacks a value."""

QUOTED = re.compile(r"`([^`]+)`")

Categories = Mapping[str, Mapping[object, float]]
"""For each categorical column the number that stands for each of its categories."""


@dataclass(frozen=True, eq=False)
class Expression:
    """A parsed formula or condition.

    Parameters
    ----------
    tree
        Its syntax.
    columns
        The column that each name in it stands for.
    """

    tree: ast.expr
    columns: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return tuple(dict.fromkeys(self.columns.values()))

    def unknown_categories(self, categories: Categories) -> str | None:
        """Return a categorical column that is compared with what is none of its categories, or with a number."""
        for node in (node for node in ast.walk(self.tree) if isinstance(node, ast.Compare)):
            sides = [node.left, *node.comparators]
            coded = [name for side in sides for name in self._column(side) if name in categories]
            others = [constant_of(side) for side in sides if not isinstance(side, ast.Name)]
            if coded and (len(sides) != 2 or any(constant not in categories[coded[0]] for constant in others)):
                return coded[0]
        return None

    def constants_equalled(self) -> dict[str, list[object]]:
        """Return the constants that columns are compared with by == or !=, by column."""
        found: dict[str, list[object]] = {}
        for node in (node for node in ast.walk(self.tree) if isinstance(node, ast.Compare)):
            sides = [node.left, *node.comparators]
            for compare, left, right in zip(node.ops, sides, sides[1:], strict=False):
                for one, other in ((left, right), (right, left)):
                    if isinstance(compare, ast.Eq | ast.NotEq) and (constant := constant_of(other)) is not None:
                        for name in self._column(one):
                            found.setdefault(name, []).append(constant)
        return found

    def codes_asked(self) -> tuple[tuple[str, object], ...]:
        """Return the columns and codes of each `missing(column, code)`, once each."""
        calls = ((name, missing_code(node)) for node in ast.walk(self.tree) if (name := missing_name(node)) is not None)
        return tuple(dict.fromkeys((self.columns[name], code) for name, code in calls if code is not None))

    def evaluate(self, values: Mapping[str, FloatColumn]) -> FloatColumn:
        """Return the number that the formula gives for each record; NaN where a column is missing."""
        with np.errstate(all="ignore"):
            return np.asarray(self._number(self.tree, values, {}), dtype=np.float64)

    def is_met(self, values: Mapping[str, FloatColumn], categories: Categories) -> Booleans:
        """Tell for each record whether the condition is true; it is not where a missing value leaves it open."""
        with np.errstate(all="ignore"):
            return np.asarray(self._truth(self.tree, values, categories)[0], dtype=np.bool_)

    def is_broken(self, values: Mapping[str, FloatColumn], categories: Categories) -> Booleans:
        """Tell for each record whether the condition is false; it is not where a missing value leaves it open."""
        with np.errstate(all="ignore"):
            return np.asarray(self._truth(self.tree, values, categories)[1], dtype=np.bool_)

    def _number(self, node: ast.expr, values: Mapping[str, FloatColumn], categories: Mapping[object, float]) -> Any:
        if isinstance(node, ast.Name):
            return values[self.columns[node.id]]
        if isinstance(node, ast.Constant) and not categories:
            return days_of_text(node.value) if isinstance(node.value, str) else node.value
        if categories and (category := constant_of(node)) is not None:  # before minus: -1 may be a category
            return categories[category]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            sides = date_sides(node) or ()
            return FUNCTIONS[node.func.id](*(self._number(side, values, categories) for side in sides))
        if isinstance(node, ast.UnaryOp):
            return -self._number(node.operand, values, categories)
        if isinstance(node, ast.BinOp):
            left, right = (self._number(side, values, categories) for side in (node.left, node.right))
            return ARITHMETIC[type(node.op)](left, right)
        raise TypeError(f"{type(node).__name__} is no part of a formula")

    def _truth(
        self, node: ast.expr, values: Mapping[str, FloatColumn], categories: Categories
    ) -> tuple[Booleans, Booleans]:
        """Return where a condition is true, and where it is false."""
        if isinstance(node, ast.BoolOp):
            parts = [self._truth(part, values, categories) for part in node.values]
            all_or_any = [np.logical_and, np.logical_or][:: 1 if isinstance(node.op, ast.And) else -1]
            trues, falses = [part[0] for part in parts], [part[1] for part in parts]
            return all_or_any[0].reduce(trues), all_or_any[1].reduce(falses)
        if isinstance(node, ast.UnaryOp):
            true, false = self._truth(node.operand, values, categories)
            return false, true
        if (name := missing_name(node)) is not None:
            column, code = self.columns[name], missing_code(node)
            lacks = np.isnan(values[column]) if code is None else values[code_name(column, code)] > 0
            return lacks, ~lacks
        if not isinstance(node, ast.Compare):
            raise TypeError(f"{type(node).__name__} is no part of a condition")
        sides = [node.left, *node.comparators]
        coded = next((categories[name] for side in sides for name in self._column(side) if name in categories), {})
        numbers = [np.asarray(self._number(side, values, coded), dtype=np.float64) for side in sides]
        true = np.ones(1, dtype=np.bool_)
        is_open = np.zeros(1, dtype=np.bool_)
        for compare, left, right in zip(node.ops, numbers, numbers[1:], strict=False):
            true, is_open = true & COMPARISONS[type(compare)](left, right), is_open | np.isnan(left) | np.isnan(right)
        return true & ~is_open, ~true & ~is_open

    def _column(self, node: ast.expr) -> tuple[str, ...]:
        return (self.columns[node.id],) if isinstance(node, ast.Name) and node.id in self.columns else ()


def parse_formula(text: str) -> Expression:
    """Return a formula over numeric columns; refuse anything else.

    Examples
    --------
    >>> total = parse_formula("wages + 2 * `other income`")
    >>> total.evaluate({"wages": np.array([1.0]), "other income": np.array([3.0])})
    array([7.])
    >>> parse_formula("weight / height**2").evaluate({"weight": np.array([64.0]), "height": np.array([1.6])})
    array([25.])
    """
    expression = parse_syntax(text)
    check_syntax(expression.tree, text, is_condition=False)
    return expression


def parse_condition(text: str) -> Expression:
    """Return a condition over columns; refuse anything else.

    Examples
    --------
    >>> rule = parse_condition("age >= 16 or status == 'single'")
    >>> codes = {"status": {"single": 1.0, "married": 2.0}}
    >>> ages, statuses = np.array([3.0, 3.0, 40.0, np.nan]), np.array([1.0, 2.0, 2.0, 2.0])
    >>> rule.is_broken({"age": ages, "status": statuses}, codes)
    array([False,  True, False, False])
    >>> parse_condition("missing(age)").is_broken({"age": ages}, {})
    array([ True,  True,  True, False])
    >>> shown = {"age": ages, code_name("age", -8): np.array([0.0, 0.0, 0.0, 1.0])}
    >>> parse_condition("age > 2 or missing(age, -8)").is_met(shown, {})
    array([ True,  True,  True,  True])
    """
    expression = parse_syntax(text)
    check_syntax(expression.tree, text, is_condition=True)
    return expression


def parse_syntax(text: str) -> Expression:
    """Return what a text says, by its syntax alone; `check_syntax` tells whether it is a formula or a condition."""
    quoted = {f"column_{place}_": name for place, name in enumerate(QUOTED.findall(text))}
    numbers = iter(quoted)
    try:
        tree = ast.parse(QUOTED.sub(lambda _: next(numbers), text).strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise ValueError(f"must be a formula or condition over columns; got {text!r}") from None
    return Expression(tree, {name: quoted.get(name, name) for name in named_columns(tree)})


def named_columns(tree: ast.expr) -> tuple[str, ...]:
    """Return the names in an expression, in their order, but those of functions."""
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    named = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in functions]
    return tuple(dict.fromkeys(named))


def missing_name(node: ast.AST) -> str | None:
    """Return the name in `missing(name)` or `missing(name, code)`; None for anything else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != MISSING:
        return None
    if not node.args or len(node.args) > 2 or node.keywords or not isinstance(node.args[0], ast.Name):
        return None
    return node.args[0].id if len(node.args) == 1 or constant_of(node.args[1]) is not None else None


def missing_code(node: ast.AST) -> object:
    """Return the code in `missing(name, code)`; None where no code is named.

    Examples
    --------
    >>> missing_code(parse_condition("missing(pay, -8)").tree)
    -8
    """
    return constant_of(node.args[1]) if isinstance(node, ast.Call) and len(node.args) == 2 else None


def code_name(column: str, code: object) -> str:
    """Return under which name values tell whether a column shows a code for no answer: 1 where it does, else 0."""
    return f"\n{column} shows {code!r}"  # no column of a file is called so


def constant_of(node: ast.expr) -> object:
    """Return the number or text that a part of an expression is; None where it is no constant."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant_of(node.operand)
        return -inner if isinstance(inner, int | float) else None
    return node.value if isinstance(node, ast.Constant) else None


def check_syntax(node: ast.expr, text: str, is_condition: bool) -> None:
    """Refuse what is no formula, or no condition."""
    parts: list[ast.expr] = []
    if is_condition and isinstance(node, ast.BoolOp):
        parts = node.values
    elif is_condition and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        parts = [node.operand]
    elif is_condition and isinstance(node, ast.Compare) and all(type(op) in COMPARISONS for op in node.ops):
        parts, is_condition = [node.left, *node.comparators], False
    elif is_condition and missing_name(node) is None:
        raise ValueError(
            f"must compare columns with < <= > >= == !=, or ask missing(column) or missing(column, code), and join by "
            f"and, or, not; got {text!r}"
        )
    elif is_condition:
        parts = []
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        parts = [node.left, node.right]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
        raise ValueError(f"must write powers as height**2, not height^2; got {text!r}")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        parts = [node.operand]
    elif isinstance(node, ast.Call):
        dates = date_sides(node)
        if dates is None:
            raise ValueError(f"must call years(later - earlier) or year(date) only; got {text!r}")
        parts = list(dates)
    elif not isinstance(node, ast.Name | ast.Constant) or isinstance(getattr(node, "value", None), complex | bytes):
        raise ValueError(
            f"must hold names of columns, numbers, quoted categories and dates, + - * / **, years, year and "
            f"parentheses only; got {text!r}"
        )
    for part in parts:
        check_syntax(part, text, is_condition)
