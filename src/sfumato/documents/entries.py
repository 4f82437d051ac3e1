"""Entries of a document: `rank_swapping: {window: 5}` names a record of a table, with its parameters."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, Generic, TypeVar, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from sfumato.documents.document import KeyPath
from sfumato.documents.messages import kind_of
from sfumato.documents.record import Record
from sfumato.errors import ParameterError, did_you_mean

Listed = TypeVar("Listed", bound=Record)
Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class OneOf(Generic[Listed]):
    """Marks a field whose value is an entry: the name of a record in a table, with its parameters.

    The table is looked up when an entry is read, so that what is added to it later is known too.

    Parameters
    ----------
    table
        The classes of the records by name.
    noun
        What the records are called.
    example
        An entry to show to somebody who wrote another thing.
    number_alone
        Take a number in place of the parameters for the first of them, as in `p_percent: 10`.
    hint
        Says of a name that is not in the table what it is instead, if anything; it begins with "; ".

    Examples
    --------
    >>> class Mean(Record):
    ...     trimmed: float = 0
    >>> OneOf({"mean": Mean}, noun="average", example="mean: {trimmed: 5}").read({"mean": {"trimmed": 10}})
    Mean(trimmed=10.0)
    """

    table: Mapping[str, type[Listed]]
    noun: str
    example: str
    number_alone: bool = False
    hint: Callable[[str], str] | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read the entry before the field is checked."""
        return _read_first(self.read, source, handler)

    def read(self, entry: Any) -> Listed:
        """Return the record that an entry asks for; places of problems begin at the entry.

        A record that is made already is returned as it is.
        """
        return self._read(entry, "keep one, and indent its parameters")

    def read_item(self, entry: Any) -> Listed:
        """Return the record that an item of a list asks for."""
        return self._read(entry, f"begin each {self.noun} with '-', indent its parameters", "- ")

    def write(self, record: Any) -> Any:
        """Return a record as its entry."""
        if record is None:
            return None
        return {self._name(record): record.to_plain()}

    def _name(self, record: Any) -> str:
        """Return the name of a record: what its class says, also when it is not in the table, or that of the table."""
        own = getattr(type(record), "name", None)
        return str(own()) if callable(own) else next(name for name in self.table if self.table[name] is type(record))

    def _read(self, entry: Any, cure: str, dash: str = "") -> Listed:
        if isinstance(entry, Record):
            return entry  # type: ignore[return-value]  # the field's own type refuses another record
        given = {entry: {}} if isinstance(entry, str) else entry  # a name alone is a record without parameters
        if not isinstance(given, Mapping) or not given:
            raise ParameterError([self._expected(dash, entry)])
        if len(given) > 1:
            raise ParameterError([f"expected one {self.noun}, got the keys {', '.join(map(str, given))}; {cure}"])
        ((name, parameters),) = given.items()
        if name not in self.table:
            hint = "" if self.hint is None else self.hint(str(name))
            nearest = hint or did_you_mean(str(name), self.table) or f"; the {self.noun}s are {', '.join(self.table)}"
            raise ParameterError([f"there is no {self.noun} '{name}'{nearest}"])
        return self._make(name, parameters)

    def _make(self, name: str, parameters: Any) -> Listed:
        record = self.table[name]
        if self.number_alone and isinstance(parameters, int | float) and not isinstance(parameters, bool):
            parameters = {next(iter(record.model_fields)): parameters}
        if not isinstance(parameters, Mapping | None):
            keys = ", ".join(record.model_fields)
            raise ParameterError(
                [f"{name} expects parameters by their names: {keys}; got {kind_of(parameters)}"], [(name,)]
            )
        try:
            return record(**{str(key): value for key, value in (parameters or {}).items()})
        except ParameterError as error:
            raise ParameterError(error.problems, [(name, *place) for place in error.places]) from None

    def _expected(self, dash: str, entry: Any) -> str:
        article = "an" if self.noun[0] in "aeiou" else "a"
        return f"expected {article} {self.noun}, as in '{dash}{self.example}'; got {kind_of(entry)}"


@dataclass(frozen=True, eq=False)
class ListOf(Generic[Listed]):
    """Marks a field whose value is a list of entries; a list that is there must not be empty."""

    one: OneOf[Listed]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read all entries before the field is checked."""
        return _read_first(self.read, source, handler)

    def read(self, entries: Any) -> Any:
        """Return the records that the entries ask for; places of problems begin at the list."""
        return read_list(entries, self.one.read_item, self.one.noun, self.one.example)

    def write(self, records: Any) -> Any:
        """Return records as their entries."""
        return None if records is None else [self.one.write(record) for record in records]


@dataclass(frozen=True, eq=False)
class MapOf(Generic[Listed]):
    """Marks a field whose value is a mapping of names to entries; a mapping that is there must not be empty."""

    one: OneOf[Listed]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read all entries before the field is checked."""
        return _read_first(self.read, source, handler)

    def read(self, entries: Any) -> Any:
        """Return the records that the entries ask for, by name; places of problems begin at the mapping."""
        if not isinstance(entries, Mapping) or not entries:
            wanted = f"a mapping of names to {self.one.noun}s, as in 'name: {{{self.one.example}}}'"
            raise ParameterError([f"must be {wanted}; got {kind_of(entries)}"])
        names = [str(name) for name in entries]
        read = read_places(
            (((name,), entry) for name, entry in zip(names, entries.values(), strict=True)), self.one.read
        )
        return dict(zip(names, read, strict=True))

    def write(self, records: Any) -> Any:
        """Return records as their entries, by name."""
        return None if records is None else {name: self.one.write(record) for name, record in records.items()}


def read_list(entries: Any, read: Callable[[Any], Item], noun: str, example: str) -> tuple[Item, ...]:
    """Return what each item of a list stands for; what is wrong with some is raised together.

    Parameters
    ----------
    entries
        The list; at least one item.
    read
        Reads an item; the places of its problems begin there.
    noun, example
        What the items are called, and one of them.
    """
    if not isinstance(entries, list | tuple) or not entries:
        raise ParameterError([f"must be a list of {noun}s, as in '- {example}'; got {kind_of(entries)}"])
    return read_each(entries, read)


def read_each(entries: Iterable[Any], read: Callable[[Any], Item]) -> tuple[Item, ...]:
    """Return what each item stands for; what is wrong with some is raised together, each with its number."""
    return read_places((((number,), entry) for number, entry in enumerate(entries)), read)


def read_places(entries: Iterable[tuple[KeyPath, Any]], read: Callable[[Any], Item]) -> tuple[Item, ...]:
    """Return what each entry stands for; what is wrong with some is raised together, each with its place."""
    items: list[Item] = []
    problems: dict[tuple[str, KeyPath], None] = {}
    for path, entry in entries:
        try:
            items.append(read(entry))
        except ParameterError as error:
            problems |= dict.fromkeys((sentence, (*path, *place)) for sentence, place in error.items())
    if problems:
        raise ParameterError([sentence for sentence, _ in problems], [place for _, place in problems])
    return tuple(items)


def _read_first(read: Callable[[Any], Any], source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Read what a document gives before the field is checked; a field that may be None takes None as it is."""
    is_optional = NoneType in get_args(source)
    return core_schema.no_info_before_validator_function(
        lambda given: None if given is None and is_optional else read(given), handler(source)
    )
