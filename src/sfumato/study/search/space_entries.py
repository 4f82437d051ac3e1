"""Read the entries of a space: written as the candidates of a study file are, with intervals beside grids."""

from collections.abc import Iterable, Mapping
from math import pi
from pathlib import Path
from typing import Any

from sfumato.contracts import Improver, MaskingMethod
from sfumato.errors import ParameterError, RecipeError, did_you_mean
from sfumato.improve import IMPROVERS
from sfumato.masking import METHODS
from sfumato.recipe import Recipe
from sfumato.recipe.document import Document, KeyPath, yaml_text
from sfumato.recipe.entries import Problem, described
from sfumato.recipe.reading import read_improver, read_method
from sfumato.study.candidate_entries import EXAMPLE, steps_of
from sfumato.study.grid import problems_of, values_of
from sfumato.study.search.interval import BROKEN_INTERVAL, Interval, written_interval
from sfumato.study.search.space import Dimension, Entry, Part, Space

KEY = "candidates"
IN_PYTHON = '{"rank_swapping": {"columns": "numeric", "window": between(1, 30)}}'


def read_space(entries: Iterable[Any]) -> Space:
    """Return the space of some entries; what is wrong with them is told all together.

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
    found: list[Entry] = []
    problems: list[str] = []
    for number, entry in enumerate(entries, start=1):
        try:
            found.append(read_space_entry(entry))
        except ParameterError as error:
            problems.extend(f"entry {number} of the space: {sentence}" for sentence in error.problems)
    if problems:
        raise ParameterError(problems)
    return _distinct(found)


def load_space(path: str | Path) -> Space:
    """Read a space file (YAML); every problem is told at once, with its line."""
    try:
        document = Document.parse(yaml_text(Path(path), "space"))
    except RecipeError as error:
        raise RecipeError(error.problems, "space") from None
    problems = [
        Problem(line, f"the key '{key}' is already in line {first}; keep one of them")
        for _, key, line, first in document.repeated_keys()
    ]
    value = document.value if isinstance(document.value, Mapping) else {}
    problems.extend(
        Problem(document.line((key,)), f"a space has no key '{key}'{did_you_mean(str(key), [KEY])}")
        for key in value
        if key != KEY
    )
    entries, found = value.get(KEY), []
    if not isinstance(entries, list) or not entries:
        got = described(document.value if not value else entries)
        if isinstance(document.value, list) and document.value:
            got = f"a list without the key: write '{KEY}:' above it"
        problems.append(Problem(document.line((KEY,)), f"'{KEY}' must be a list, as in '{EXAMPLE}'; got {got}"))
        entries = []
    for number, entry in enumerate(entries):
        try:
            found.append(read_space_entry(entry))
        except ParameterError as error:
            places = zip(error.problems, error.places, strict=True)
            problems.extend(_problem(document, number, sentence, place) for sentence, place in places)
    if problems:
        raise RecipeError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)], "space")
    return _distinct(found)


def read_space_entry(entry: Any) -> Entry:
    """Return what one entry asks for; the places of problems begin at the entry."""
    if isinstance(entry, Recipe):
        if entry.schema is not None:
            raise ParameterError(["a recipe of a space must have no schema of its own; give it to the data"])
        return Entry(tuple(map(_as_it_is, entry.steps)), None if entry.improve is None else _as_it_is(entry.improve))
    given: Any = list(entry) if isinstance(entry, tuple) else entry
    steps = tuple(_placed(step, place) for place, step in steps_of((), given))
    is_improved = isinstance(given, dict) and given.get("improve") is not None
    return Entry(steps, _placed(given["improve"], ("improve",)) if is_improved else None)


def _placed(entry: Any, place: KeyPath) -> Part:
    try:
        return _part(entry, is_improver=place == ("improve",))
    except ParameterError as error:
        raise ParameterError(error.problems, [(*place, *inner) for inner in error.places]) from None


def _part(entry: Any, *, is_improver: bool = False) -> Part:
    """Return a method or an improver with its open parameters."""
    if isinstance(entry, Improver if is_improver else MaskingMethod):
        return _as_it_is(entry)
    table: Mapping[str, type[MaskingMethod | Improver]] = IMPROVERS if is_improver else METHODS
    read = read_improver if is_improver else read_method
    if not isinstance(entry, dict) or len(entry) != 1:
        return _as_it_is(read(entry))
    ((name, parameters),) = entry.items()
    if name not in table or not isinstance(parameters, dict):
        return _as_it_is(read(entry))
    record, settled, opened = table[name], {}, []
    problems: list[tuple[str, KeyPath]] = []
    for key, value in parameters.items():
        try:
            values = _values(record, str(key), value)
        except ParameterError as error:
            problems.extend((sentence, (name, *place)) for sentence, place in _told(error))
            continue
        if isinstance(values, Dimension):
            opened.append(values)
        else:
            settled[str(key)] = values
    part = Part(record, settled, tuple(opened))
    for end in (0, 1) if not problems else ():
        try:
            part.at_end(end)
        except ParameterError as error:
            problems.extend((sentence, (name, *place)) for sentence, place in _told(error))
    if problems:
        distinct = dict(problems)  # what is wrong at both ends is told once
        raise ParameterError(list(distinct), list(distinct.values()))
    return part


def _values(record: type[MaskingMethod | Improver], key: str, value: Any) -> Any:
    """Return an open parameter as a dimension, and the value of any other."""
    who = f"{record.__name__}.{key}"
    if isinstance(value, str) and value.strip().startswith(BROKEN_INTERVAL):
        value = written_interval(value, who)
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


def _as_it_is(record: MaskingMethod | Improver) -> Part:
    return Part(type(record), {name: getattr(record, name) for name in type(record).model_fields})


def _told(error: ParameterError) -> Iterable[tuple[str, KeyPath]]:
    return zip(error.problems, error.places, strict=True)


def _distinct(entries: Iterable[Entry]) -> Space:
    return Space(tuple({tuple(part.text for part in entry.parts): entry for entry in entries}.values()))


def _problem(document: Document, number: int, sentence: str, place: KeyPath) -> Problem:
    return Problem(document.line((KEY, number, *place)), sentence, f"entry {number + 1}")


def _kind(value: object) -> str:
    return described(value) if isinstance(value, str | Mapping) or value is None else f"a {type(value).__name__}"
