"""A formula: which column is explained, and by which terms. Nothing in it is ever evaluated as code."""

import re
from dataclasses import dataclass
from itertools import combinations

from sfumato.errors import ParameterError

FUNCTIONS = ("log", "log1p", "sqrt", "square", "category", "number")
"""What a formula may do to a column: functions of numbers, numbers as categories, and categories as numbers."""
IS = "is"
"""What the response may be beside: whether a column has one category, as in `is(status, married)`."""

COMPARISONS = (">=", "<=", ">", "<")
"""How a formula may compare a column of numbers with a number: 1 where it holds, 0 where it does not."""

_FACTOR = re.compile(r"(?:(?P<function>\w+)\((?P<inner>[^()]*)\)|(?P<name>[^()]+))")
_CATEGORY = re.compile(r"is\((?P<name>[^,]+),(?P<category>.+)\)")
_COMPARISON = re.compile(r"(?P<name>`[^`]+`|[^`<>=]+)\s*(?P<sign>[<>]=?)(?P<number>[^<>=]+)")
_QUOTED = re.compile(r"`[^`]*`")
_IN_R = re.compile(r"\bI\(|~.*(\*\*|\^)")  # powers and asides, as formulas in R have them
_SAMPLE = "'income ~ age + sex'"


@dataclass(frozen=True)
class Factor:
    """A column as it stands in a formula.

    Parameters
    ----------
    column
        Its name.
    function
        What is done to it, one of `FUNCTIONS`, `IS` or one of `COMPARISONS`; empty for nothing.
    category
        For `IS` the category that is asked for, for a comparison the number.
    """

    column: str
    function: str = ""
    category: str = ""

    def __str__(self) -> str:
        if self.function in COMPARISONS:
            return f"{self.column} {self.function} {self.category}"
        if self.function == IS:
            return f"{IS}({self.column}, {self.category})"
        return f"{self.function}({self.column})" if self.function else self.column


Term = tuple[Factor, ...]
"""One factor, or several that are multiplied: an interaction."""


@dataclass(frozen=True)
class Formula:
    """A parsed formula.

    Parameters
    ----------
    response
        The column that is explained.
    terms
        What explains it.
    has_constant
        Whether there is a constant too.
    """

    response: Factor
    terms: tuple[Term, ...]
    has_constant: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns, each once, the response first."""
        named = [self.response.column, *(factor.column for term in self.terms for factor in term)]
        return tuple(dict.fromkeys(named))

    def __str__(self) -> str:
        terms = [":".join(map(str, term)) for term in self.terms]
        return f"{self.response} ~ {' + '.join(terms if self.has_constant else ['0', *terms])}"

    @classmethod
    def parse(cls, text: str) -> "Formula":
        """Read a formula such as `income ~ age + square(age) + sex * education`.

        Terms are joined by `+`; `a:b` is an interaction, `a*b` stands for `a + b + a:b`, and `0` or `- 1` leaves the
        constant out. `log`, `log1p` (of 1 + x), `sqrt` and `square` are taken of numbers; `category(year)` takes a
        number for a category, and `number(children)` categories that are numbers for numbers. Of a response with many
        categories, `is(status, married) ~ age` asks for one; `age > 40`, or `>=`, `<`, `<=`, is 1 or 0.

        Examples
        --------
        >>> print(Formula.parse("income ~ log(age) + sex*region"))
        income ~ log(age) + sex + region + sex:region
        >>> Formula.parse("income ~ 0 + age").has_constant
        False
        """
        sides = text.split("~")
        if len(sides) != 2 or not sides[0].strip() or not sides[1].strip():
            raise ParameterError([f"a formula has one '~' with a column before it and terms behind, as in {_SAMPLE}"])
        if _IN_R.search(_QUOTED.sub("", text)):
            raise ParameterError(
                [
                    "a formula has no powers and no I(): write square(age) for age^2, age > 40 for I(age > 40), and "
                    "compute anything else as a column of the files first"
                ]
            )
        right = re.sub(r"-\s*1\b", "+ 0", sides[1])
        if "-" in right:
            raise ParameterError(["a formula cannot take a term away by '-'; list the terms that are wanted"])
        terms: dict[Term, None] = {}
        has_constant = True
        for part in right.split("+"):
            piece = part.strip()
            if piece in ("0", "1"):
                has_constant = piece == "1" and has_constant
                continue
            terms |= dict.fromkeys(_read_terms(piece))
        return cls(_read_response(sides[0]), tuple(sorted(terms, key=len)), has_constant)


def _read_terms(piece: str) -> list[Term]:
    """Return the terms that one summand stands for."""
    if "*" not in piece:
        return [tuple(_read_factor(part) for part in piece.split(":"))]
    factors = [_read_factor(part) for part in piece.split("*")]
    return [term for size in range(1, len(factors) + 1) for term in combinations(factors, size)]


def _read_response(text: str) -> Factor:
    found = _CATEGORY.fullmatch(text.strip())
    if found is None:
        return _read_factor(text)
    return Factor(found["name"].strip().strip("`"), IS, found["category"].strip().strip("'\""))


def _read_factor(text: str) -> Factor:
    compared = _COMPARISON.fullmatch(text.strip())
    if compared is not None:
        return Factor(compared["name"].strip().strip("`"), compared["sign"], _read_number(text, compared["number"]))
    found = _FACTOR.fullmatch(text.strip())
    if found is None:
        known = ", ".join(f"{name}(column)" for name in FUNCTIONS)
        raise ParameterError([f"'{text.strip()}' is not a term of a formula; write a column, or one of {known}"])
    if found["function"] is None:
        return Factor(found["name"].strip().strip("`"))
    if found["function"] == IS:
        raise ParameterError([f"'{text.strip()}' must be the response, as in 'is(status, married) ~ age'"])
    if found["function"] not in FUNCTIONS:
        raise ParameterError([f"'{found['function']}' is not known in a formula; there are {', '.join(FUNCTIONS)}"])
    return Factor(found["inner"].strip().strip("`"), found["function"])


def _read_number(text: str, number: str) -> str:
    """Return the number that a column is compared with, as it is written."""
    try:
        float(number)
    except ValueError:
        raise ParameterError([f"'{text.strip()}' must compare a column with a number, as in age > 40"]) from None
    return number.strip()
