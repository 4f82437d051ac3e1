"""Grids in a study file: a list, or a range, where a single value belongs makes one candidate per value."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from itertools import product
from math import prod
from typing import Any

from sfumato.contracts import Named
from sfumato.display import format_count
from sfumato.documents import KeyPath, read_places
from sfumato.errors import ParameterError
from sfumato.masking import METHODS

RANGE = re.compile(r"range\((?P<parts>[^()]*)\)")
BROKEN_RANGE = "range("
MAX_VALUES = 10_000  # of one grid, and of the candidates that one entry makes


def alternatives(entry: Any, table: Mapping[str, type[Named]] = METHODS) -> list[Any]:
    """Return the entries without grids, one per combination of their values, that an entry of a study stands for.

    A value that the parameter takes as it is stays as it is; otherwise a list of values that it takes is a grid, and so
    is a range such as `range(1, 20)`. The last grid varies fastest. An entry that names no record of the table is left
    to its reader.

    Examples
    --------
    >>> for candidate in alternatives({"mdav": {"columns": ["age", "tax"], "k": [3, 5]}}):
    ...     print(candidate)
    {'mdav': {'columns': ['age', 'tax'], 'k': 3}}
    {'mdav': {'columns': ['age', 'tax'], 'k': 5}}
    """
    if not isinstance(entry, dict) or len(entry) != 1:
        return [entry]
    ((name, parameters),) = entry.items()
    if name not in table or not isinstance(parameters, dict):
        return [entry]
    placed: list[tuple[KeyPath, Any]] = [((name,), item) for item in parameters.items()]
    values = read_places(placed, lambda item: values_of(table[name], str(item[0]), item[1]))
    check_count(prod(map(len, values)))
    return [{name: dict(zip(parameters, chosen, strict=True))} for chosen in product(*values)]


def values_of(method: type[Named], name: str, value: Any) -> list[Any]:
    """Return the values of a grid, or the only one of a parameter that has none; places begin at the parameter."""
    if isinstance(value, str) and value.strip().startswith(BROKEN_RANGE):
        return range_values(value, f"{method.__name__}.{name}")
    if not isinstance(value, list) or name not in method.model_fields:
        return [value]
    as_it_is = [sentence for sentence, _ in problems_of(method, name, value)]
    if not as_it_is:
        return [value]
    if not value:
        raise ParameterError([f"{method.__name__}.{name} must have at least one value; the grid is empty"], [(name,)])
    wrong = [
        (sentence, (name, number, *place[1:]))
        for number, item in enumerate(value)
        for sentence, place in problems_of(method, name, item)
    ]
    if len({place[1] for _, place in wrong}) == len(value):  # no value is right, so it may not be meant as a grid
        raise ParameterError([f"{as_it_is[0]}; taken as a grid: {wrong[0][0]}"], [(name,)])
    if wrong:
        raise ParameterError([sentence for sentence, _ in wrong], [place for _, place in wrong])
    return value


def range_values(text: str, who: str) -> list[int] | list[float]:
    """Return the numbers of a range `range(first, last)` or `range(first, last, step)`, both ends included.

    Numbers are counted as they are written, so that no value is lost or moved by the way a computer stores fractions.

    Examples
    --------
    >>> range_values("range(0.1, 0.3, 0.1)", "AdditiveNoise.scale")
    [0.1, 0.2, 0.3]
    """
    place = [(who.rpartition(".")[2],)]
    found = RANGE.fullmatch(text.strip())
    numbers = [] if found is None else list(_numbers(found["parts"]))
    if len(numbers) not in (2, 3):
        quotes = "; inside braces a range needs quotes" if found is None else ""
        raise ParameterError(
            [f'{who} must be a range as in "range(1, 20)" or "range(0.02, 0.2, 0.02)"; got {text!r}{quotes}'], place
        )
    first, last, step = (*numbers, Decimal(1))[:3]
    count = 0 if step == 0 else int((last - first) / step) + 1 if (last - first) * step >= 0 else 0
    if count < 1:
        raise ParameterError([f"{who} must have at least one value; the grid {text.strip()} is empty"], place)
    if count > MAX_VALUES:
        raise ParameterError([f"{who} must have at most {MAX_VALUES} values; {text.strip()} has {count}"], place)
    values = [first + number * step for number in range(count)]
    whole = all(number == number.to_integral_value() for number in (first, step))
    return [int(value) for value in values] if whole else [float(value) for value in values]


def check_count(count: int) -> None:
    """Refuse an entry that stands for more candidates than anybody would run."""
    if count > MAX_VALUES:
        raise ParameterError(
            [f"the grids of a candidate must make at most {format_count(MAX_VALUES, 'candidate')}; these make {count}"]
        )


def problems_of(method: type[Named], name: str, value: Any) -> list[tuple[str, KeyPath]]:
    """Return what is wrong with a value of one parameter, whatever the others are."""
    try:
        method(**{name: value})
    except ParameterError as error:
        return [(sentence, place) for sentence, place in error.items() if place[:1] == (name,)]
    return []


def _numbers(parts: str) -> Iterator[Decimal]:
    """Yield the numbers between commas; nothing from the first part on that is none."""
    for part in parts.split(","):
        try:
            number = Decimal(part.strip())
        except InvalidOperation:
            return
        if not number.is_finite():
            return
        yield number
