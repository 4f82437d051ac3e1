"""Read the entries of a space: written as the candidates of a study file are, with intervals beside grids."""

from collections.abc import Iterable, Mapping
from math import pi
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, InstanceOf

from sfumato.contracts import Improver, MaskingMethod
from sfumato.documents import OneOf, Record, kind_of, load_file, read_each, read_list, read_places
from sfumato.errors import ParameterError
from sfumato.recipe import Recipe
from sfumato.recipe.entries import IMPROVER, METHOD
from sfumato.study.candidate_entries import EXAMPLE, steps_of
from sfumato.study.grid import problems_of, values_of
from sfumato.study.search.interval import BROKEN_INTERVAL, Interval, read_interval
from sfumato.study.search.space import Dimension, Entry, Part, Space

IN_PYTHON = '{"rank_swapping": {"columns": "numeric", "window": between(1, 30)}}'


def _read_entries(entries: Any) -> tuple[Entry, ...]:
    return read_list(entries, read_space_entry, "method", EXAMPLE)


def read_space(entries: Iterable[Any]) -> Space:
    """Return the space of some entries; what is wrong with them is reported all together.

    An entry is written as a candidate of a study file; methods and recipes that are made already are taken as they are.

    Examples
    --------
    >>> from sfumato.study.search.interval import between
    >>> space = read_space([{"rank_swapping": {"columns": ["tax"], "window": between(1, 30)}}, "drop_identifiers"])
    >>> [entry.label for entry in space.entries]
    ['rank_swapping', 'drop_identifiers']
    """
    if isinstance(entries, str | Mapping | MaskingMethod | Recipe) or not isinstance(entries, Iterable):
        raise ParameterError([f"a space must be a list of entries such as [{IN_PYTHON}]; got {_kind(entries)}"])
    try:
        read = read_each(entries, read_space_entry)
    except ParameterError as error:
        raise ParameterError(
            [f"entry {int(place[0]) + 1} of the space: {sentence}" for sentence, place in error.items()]
        ) from None
    return _distinct(read)


class _SpaceFile(Record):
    candidates: Annotated[tuple[InstanceOf[Entry], ...], BeforeValidator(_read_entries)]


def load_space(path: str | Path) -> Space:
    """Read a space file (YAML); every problem is raised at once, with its line."""
    return _distinct(load_file(path, _SpaceFile, "space").candidates)


def read_space_entry(entry: Any) -> Entry:
    """Return what one entry asks for; the places of problems begin at the entry."""
    if isinstance(entry, Recipe):
        if entry.schema is not None:
            raise ParameterError(["a recipe of a space must have no schema of its own; give it to the data"])
        return Entry(
            tuple(map(_settled_part, entry.steps)), None if entry.improve is None else _settled_part(entry.improve)
        )
    given: Any = list(entry) if isinstance(entry, tuple) else entry
    steps = read_places(steps_of(given), lambda step: _read_part(step, METHOD, MaskingMethod))
    if not isinstance(given, dict) or given.get("improve") is None:
        return Entry(steps)
    (improver,) = read_places([(("improve",), given["improve"])], lambda given: _read_part(given, IMPROVER, Improver))
    return Entry(steps, improver)


def _read_part(entry: Any, one: OneOf[Any], kind: type[MaskingMethod | Improver]) -> Part:
    """Return a method or an improver with its open parameters."""
    if isinstance(entry, Record) and not isinstance(entry, kind):
        raise ParameterError([f"expected a {one.noun}; got a {type(entry).__name__}"])
    if not isinstance(entry, dict) or len(entry) != 1:
        return _settled_part(one.read(entry))
    ((name, parameters),) = entry.items()
    if name not in one.table or not isinstance(parameters, dict):
        return _settled_part(one.read(entry))
    (part,) = read_places([((name,), parameters)], lambda given: _open_part(one.table[name], given))
    return part


def _open_part(record: type[MaskingMethod | Improver], parameters: Mapping[Any, Any]) -> Part:
    """Return a part with these parameters, after trying the first and the last value of those that are open."""
    read = read_places((((), item) for item in parameters.items()), lambda item: _values(record, str(item[0]), item[1]))
    values = dict(zip(map(str, parameters), read, strict=True))
    opened = tuple(value for value in values.values() if isinstance(value, Dimension))
    part = Part(record, {key: value for key, value in values.items() if not isinstance(value, Dimension)}, opened)
    read_places([((), 0), ((), 1)], part.at_end)
    return part


def _values(record: type[MaskingMethod | Improver], key: str, value: Any) -> Any:
    """Return an open parameter as a dimension, and the value of any other."""
    who = f"{record.__name__}.{key}"
    if isinstance(value, str) and value.strip().startswith(BROKEN_INTERVAL):
        value = read_interval(value, who)
    if isinstance(value, Interval):
        return _dimension(record, key, value)
    values = values_of(record, key, list(value) if isinstance(value, range) else value)
    return Dimension(key, tuple(values)) if len(values) > 1 else values[0]


def _dimension(record: type[MaskingMethod | Improver], key: str, interval: Interval) -> Dimension:
    """Return the open parameter of an interval, after finding out whether it takes whole numbers only."""
    inside = interval.low + (interval.high - interval.low) / pi  # no whole number
    low, high = interval.whole_ends()
    is_whole = bool(problems_of(record, key, inside)) and not problems_of(record, key, low)
    if is_whole and low > high:
        raise ParameterError([f"{record.__name__}.{key} takes whole numbers; {interval} has none"], [(key,)])
    return Dimension(key, (low,) if is_whole and low == high else interval, is_whole)


def _settled_part(record: MaskingMethod | Improver) -> Part:
    return Part(type(record), {name: getattr(record, name) for name in type(record).model_fields})


def _distinct(entries: Iterable[Entry]) -> Space:
    return Space(tuple({tuple(part.text for part in entry.parts): entry for entry in entries}.values()))


def _kind(value: object) -> str:
    return kind_of(value) if isinstance(value, str | Mapping) or value is None else f"a {type(value).__name__}"
