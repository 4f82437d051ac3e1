"""Conditions that may speak of all members of a household: `count(relation == 'spouse') <= 1`."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import AfterValidator

from sfumato.expressions.dates import FUNCTIONS as DATE_FUNCTIONS
from sfumato.expressions.expression import (
    MISSING,
    Categories,
    Expression,
    check_syntax,
    named_columns,
    parse_syntax,
)
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows

FUNCTIONS = ("count", "min", "max", "sum")

Values = Mapping[str, FloatColumn]


def _is_condition(text: str) -> str:
    parse_member_condition(text)
    return text


MemberCondition = Annotated[str, AfterValidator(_is_condition)]
"""A condition over a person and the household, as `max(age[relation == 'child']) < max(age)`."""


@dataclass(frozen=True, eq=False)
class MemberFigure:
    """A figure of the members of a household.

    Parameters
    ----------
    name
        What it is called in the condition that it is part of.
    function
        One of count, min, max and sum.
    formula
        What is added up or compared; none for a count.
    chosen
        Of which members; all where it is none.
    """

    name: str
    function: str
    formula: Expression | None
    chosen: Expression | None

    def evaluate(self, values: Values, categories: Categories, households: Rows) -> FloatColumn:
        """Return the figure of each person's household.

        The smallest or largest of no members is NaN, and so is a sum in which a value is missing.
        """
        count = int(households.max(initial=-1)) + 1
        of = np.ones(households.size, dtype=np.bool_)
        if self.chosen is not None:
            of = np.broadcast_to(self.chosen.is_met(values, categories), of.shape)
        if self.formula is None:
            return np.bincount(households[of], minlength=count).astype(np.float64)[households]
        numbers = np.broadcast_to(self.formula.evaluate(values), of.shape)[of]
        if self.function == "sum":
            return np.asarray(np.bincount(households[of], numbers, count)[households], dtype=np.float64)
        worst, better = (np.inf, np.fmin) if self.function == "min" else (-np.inf, np.fmax)
        found = np.full(count, worst)
        better.at(found, households[of], numbers)
        return np.where(np.isinf(found), np.nan, found)[households]


@dataclass(frozen=True, eq=False)
class ParsedMemberCondition:
    """A parsed condition.

    Parameters
    ----------
    condition
        The condition over columns, and over figures by name.
    figures
        The figures of households.
    """

    condition: Expression
    figures: tuple[MemberFigure, ...]

    @property
    def parts(self) -> tuple[Expression, ...]:
        """All expressions over columns."""
        named = {figure.name for figure in self.figures}
        columns = {name: column for name, column in self.condition.columns.items() if name not in named}
        inside = [part for figure in self.figures for part in (figure.formula, figure.chosen) if part is not None]
        return (Expression(self.condition.tree, columns), *inside)

    def is_broken(self, values: Values, categories: Categories, households: Rows) -> Booleans:
        """Tell for each person whether the condition is false."""
        figures = {figure.name: figure.evaluate(values, categories, households) for figure in self.figures}
        return np.broadcast_to(self.condition.is_broken({**values, **figures}, categories), households.shape)


def parse_member_condition(text: str) -> ParsedMemberCondition:
    """Return a condition over columns and members; refuse anything else.

    Examples
    --------
    >>> rule = parse_member_condition("max(age[who == 'child']) + 15 <= min(age[who == 'head'])")
    >>> people = {"age": np.array([30.0, 10.0, 30.0, 20.0, 50.0]), "who": np.array([1.0, 2.0, 1.0, 2.0, 1.0])}
    >>> rule.is_broken(people, {"who": {"head": 1.0, "child": 2.0}}, np.array([0, 0, 1, 1, 2]))
    array([False, False,  True,  True, False])
    """
    whole = parse_syntax(text)
    finder = _FigureFinder(text, whole.columns)
    tree = finder.visit(whole.tree)
    check_syntax(tree, text, is_condition=True)
    columns = {name: finder.columns.get(name, name) for name in named_columns(tree)}
    return ParsedMemberCondition(Expression(tree, columns), tuple(finder.figures))


class _FigureFinder(ast.NodeTransformer):
    """Puts a name in the place of each figure of members, and keeps the figures."""

    def __init__(self, text: str, columns: Mapping[str, str]) -> None:
        self.text, self.columns = text, columns
        self.figures: list[MemberFigure] = []

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return the name of a figure."""
        if isinstance(node.func, ast.Name) and node.func.id in (*DATE_FUNCTIONS, MISSING):
            return self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords or len(node.args) > 1:
            raise ValueError(
                f"must take figures of members by count, min, max or sum, and years, year and missing, only; got "
                f"{self.text!r}"
            )
        function, name = node.func.id, f"members_{len(self.figures)}_"
        inside: ast.expr | None = node.args[0] if node.args else None
        formula = chosen = None
        if function == "count":
            chosen = inside
        elif isinstance(inside, ast.Subscript):
            formula, chosen = inside.value, inside.slice
        elif inside is not None:
            formula = inside
        else:
            raise ValueError(f"must say of what it takes {function}, as {function}(age); got {self.text!r}")
        parts = [self._part(part, is_condition) for part, is_condition in ((formula, False), (chosen, True))]
        self.figures.append(MemberFigure(name, function, *parts))
        return ast.Name(name)

    def _part(self, node: ast.expr | None, is_condition: bool) -> Expression | None:
        if node is None:
            return None
        check_syntax(node, self.text, is_condition)
        return Expression(node, {name: self.columns[name] for name in named_columns(node)})
