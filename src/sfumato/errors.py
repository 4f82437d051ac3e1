"""Everything that Sfumato raises on purpose.

::

    SfumatoError
    ├── ParameterError        a parameter lies outside its range, or is unknown or absent (also a ValueError)
    ├── DataError             the data do not fit what was asked of them
    │   ├── UnknownColumnError    a column that the data do not have
    │   ├── KindError             a column of the wrong kind for the method or measure
    │   └── SchemaError           a schema or hierarchy that contradicts itself or the data
    ├── FileError             a file that cannot be read or written
    ├── DocumentError         problems in a recipe, study, schema or specification, all of them listed
    ├── PluginError           a method or measure of another package that cannot be loaded or breaks the contract
    ├── UnfinishedRunError    a run that lost its cluster, and can go on from what is finished
    └── VerificationError     an output that its manifest does not reproduce

A message says who, what was expected, what came, and the nearest right name. It never holds a record's values.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches


class SfumatoError(Exception):
    """Base of all errors that Sfumato raises on purpose."""


class ParameterError(SfumatoError, ValueError):
    """A parameter lies outside its range, or is unknown or absent.

    Parameters
    ----------
    problems
        One sentence per problem.
    places
        For each problem the path of keys that leads to it, so that a file reader can add line numbers.
    """

    def __init__(self, problems: Sequence[str], places: Sequence[tuple[str | int, ...]] = ()) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)
        self.places = tuple(places) or tuple(() for _ in problems)

    def items(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Yield each problem with its place."""
        return zip(self.problems, self.places, strict=True)

    def __reduce__(self) -> tuple[type["ParameterError"], tuple[object, ...]]:
        return type(self), (self.problems, self.places)


class DataError(SfumatoError):
    """The data do not fit what was asked of them."""


class UnknownColumnError(DataError):
    """A column that the data do not have."""


class KindError(DataError):
    """A column of the wrong kind for the method or measure."""


class SchemaError(DataError):
    """A schema or hierarchy that contradicts itself or the data."""


class FileError(SfumatoError):
    """A file that cannot be read or written."""


class DocumentError(SfumatoError):
    """One or more problems in a recipe, study, schema or specification, all of them listed.

    Parameters
    ----------
    problems
        One sentence per problem.
    what
        What has them: `recipe`, `study`, `specification` ...
    """

    def __init__(self, problems: Sequence[str], what: str = "recipe") -> None:
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__("\n".join([f"the {what} has {count}:", *(f"  - {problem}" for problem in problems)]))
        self.problems = tuple(problems)
        self.what = what

    def __reduce__(self) -> tuple[type["DocumentError"], tuple[object, ...]]:
        return type(self), (self.problems, self.what)


class PluginError(SfumatoError):
    """A method or measure of another package that cannot be loaded, breaks the contract or takes a name twice."""


class PluginWarning(UserWarning):
    """A method or measure of another package that is left out of a listing, or lacks a part of its docstring."""


class UnfinishedRunError(SfumatoError):
    """A run that lost its cluster: given again, it goes on from what is finished."""


class VerificationError(SfumatoError):
    """An output that its manifest does not reproduce."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` for the nearest known name, or nothing when none is near.

    Examples
    --------
    >>> did_you_mean("incme", ["income", "tax"])
    "; did you mean 'income'?"
    >>> did_you_mean("zzz", ["income", "tax"])
    ''
    """
    folded = {candidate.casefold(): candidate for candidate in known}
    near = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f"; did you mean '{folded[near[0]]}'?" if near else ""
