"""Equations between variables: `turnover = domestic + export` holds in every cell."""

import re
from collections.abc import Collection, Sequence
from typing import Any, Self

from pydantic import model_validator

from sfumato.documents import Record
from sfumato.errors import DataError, ParameterError, did_you_mean

EXAMPLE = "turnover = domestic + export"


class Equation(Record):
    """A variable that is the sum of others.

    Parameters
    ----------
    total
        The variable.
    parts
        The others, at least one.

    Examples
    --------
    >>> Equation.parse("turnover = domestic + export")
    Equation(total='turnover', parts=('domestic', 'export'))
    """

    total: str
    parts: tuple[str, ...]

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        names = self.variables
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice or not self.parts or not all(names):
            wrong = f"'{twice[0]}' is named twice" if twice else "a name is missing"
            raise ValueError(f"an equation needs a variable and its parts, as in '{EXAMPLE}'; {wrong}")
        return self

    @classmethod
    def parse(cls, given: Any) -> Self:
        """Return the equation that a line says."""
        sides = given.split("=") if isinstance(given, str) else []
        if len(sides) != 2:
            raise ParameterError([f"an equation is written as '{EXAMPLE}'; got {given!r}"])
        parts = tuple(part.strip() for part in re.split(r"\s*\+\s*", sides[1].strip()))
        return cls(total=sides[0].strip(), parts=parts)

    @property
    def variables(self) -> tuple[str, ...]:
        """All variables, the total first."""
        return (self.total, *self.parts)

    def __str__(self) -> str:
        return f"{self.total} = {' + '.join(self.parts)}"


def check_variables(equations: Sequence[Equation], known: Collection[str], lacking: str) -> None:
    """Refuse an equation with a variable that is not known: it would tie nothing, and nobody would notice.

    Parameters
    ----------
    equations
        Which variables add up to which.
    known
        The variables that there are.
    lacking
        What lacks it, for the message: "the records have no column".
    """
    for equation in equations:
        for variable in equation.variables:
            if variable not in known:
                near = did_you_mean(variable, known)
                raise DataError(f"equation '{equation}': {lacking} '{variable}'{near}; correct it, or take it out")
