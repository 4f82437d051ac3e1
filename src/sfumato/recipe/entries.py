"""The entries of YAML lists that name a method or a measure with its parameters, and what is said of wrong ones."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from sfumato.documents.record import Record
from sfumato.errors import ParameterError, did_you_mean

Listed = TypeVar("Listed", bound=Record)


class Problem(NamedTuple):
    """One sentence about one line of a file."""

    line: int
    sentence: str
    step: str = ""

    def __str__(self) -> str:
        return f"line {self.line}{self.step and f', {self.step}'}: {self.sentence}"


def read_entry(entry: Any, table: Mapping[str, type[Listed]], noun: str, example: str) -> Listed:
    """Return the record that an entry asks for, by its name in the table; places of problems begin at the entry.

    `noun` is what the records of the table are called, `example` an entry to show to somebody who wrote another thing.
    """
    given = {entry: {}} if isinstance(entry, str) else entry  # a name alone is a record without parameters
    if not isinstance(given, dict) or not given:
        article = "an" if noun[0] in "aeiou" else "a"
        raise ParameterError([f"expected {article} {noun}, as in '{example}'; got {described(entry)}"])
    if len(given) > 1:
        keys = ", ".join(map(str, given))
        raise ParameterError(
            [f"expected one {noun}, got the keys {keys}; begin each {noun} with '-', indent its parameters"]
        )
    ((name, parameters),) = given.items()
    if name not in table:
        nearest = did_you_mean(str(name), table) or f"; the {noun}s are {', '.join(table)}"
        raise ParameterError([f"there is no {noun} '{name}'{nearest}"])
    if not isinstance(parameters, dict | None):
        sentence = f"expected parameters such as {{columns: [income]}}; got {described(parameters)}"
        raise ParameterError([sentence], [(name,)])
    try:
        return table[name](**{str(key): value for key, value in (parameters or {}).items()})
    except ParameterError as error:
        raise ParameterError(error.problems, [(name, *place) for place in error.places]) from None


def described(value: object) -> str:
    """Return what a message calls a value of a YAML file that should have been something else.

    Examples
    --------
    >>> described({"mdav": 3})
    'a mapping'
    """
    if value in ([], {}, "", None):
        return "nothing"
    names = {dict: "a mapping", list: "a list", str: "text", bool: "a truth value", int: "a number", float: "a number"}
    return names.get(type(value), f"a value of type {type(value).__name__}")
