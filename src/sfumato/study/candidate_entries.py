"""Read the candidates of a study file: methods, pipelines, improvers, grids over their parameters, and their names."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice, product
from math import prod
from typing import Any, NamedTuple

from sfumato.contracts import Named
from sfumato.documents import KeyPath, kind_of, read_list, read_places
from sfumato.errors import ParameterError
from sfumato.recipe import Recipe
from sfumato.recipe.entries import IMPROVER, METHOD
from sfumato.study.grid import alternatives, check_count
from sfumato.study.labels import distinct_labels, labels_of, short_labels_of

EXAMPLE = "mdav: {columns: numeric, k: [3, 5, 10]}"
NAME = "name"
MAX_NAME = 80  # characters


class _Part(NamedTuple):
    """The entry of a step or an improver, the table of its names, and what reads it when its grids are resolved."""

    entry: Any
    table: Mapping[str, type[Named]]
    read: Callable[[Any], Any]


class _Named(NamedTuple):
    """The recipes that one entry stands for, and what they are called, where somebody said that."""

    name: str
    recipes: list[Recipe]


def read_candidates(entries: Any) -> dict[str, Recipe]:
    """Return a recipe per candidate by its label; what is wrong with entries is raised together, with places.

    An entry with a name gives it to its candidates, with what they differ in where there are several.
    """
    found: Sequence[_Named] = read_list(entries, _read_named, "method", EXAMPLE)
    made = iter(labels_of([recipe for one in found if not one.name for recipe in one.recipes]))
    labels = [label for one in found for label in (_named_labels(one) if one.name else islice(made, len(one.recipes)))]
    recipes = chain.from_iterable(one.recipes for one in found)
    return dict(zip(distinct_labels(labels), recipes, strict=True))


def read_candidate(entry: Any) -> list[Recipe]:
    """Return the recipes that one entry stands for: a method, or a list of methods, with an improver or without."""
    if isinstance(entry, Recipe):
        return [entry]
    if isinstance(entry, dict):
        entry = {key: value for key, value in entry.items() if key != NAME}
    parts: list[tuple[KeyPath, Any]] = [
        (place, _Part(step, METHOD.table, METHOD.read_item)) for place, step in steps_of(entry)
    ]
    is_improved = isinstance(entry, dict) and "improve" in entry
    if is_improved:
        parts.append((("improve",), _Part(entry["improve"], IMPROVER.table, IMPROVER.read)))
    choices = read_places(parts, _read_records)
    check_count(prod(map(len, choices)))
    return [
        Recipe(steps=chosen[:-1], improve=chosen[-1]) if is_improved else Recipe(steps=chosen)
        for chosen in product(*choices)
    ]


def name_of(entry: Any) -> str:
    """Return what the candidates of an entry are called; nothing where it does not say so."""
    if not isinstance(entry, dict) or NAME not in entry:
        return ""
    name = entry[NAME]
    if not isinstance(name, str) or not 0 < len(name.strip()) <= MAX_NAME:
        raise ParameterError([f"the name of a candidate must be a text of 1 to {MAX_NAME} characters"], [(NAME,)])
    return name.strip()


def steps_of(entry: Any) -> list[tuple[KeyPath, Any]]:
    """Return the entries of the steps with their places: of a list, of the key `steps`, or of a single method."""
    path: KeyPath = ()
    rest = {key: value for key, value in entry.items() if key != "improve"} if isinstance(entry, dict) else entry
    if isinstance(rest, dict) and "steps" in rest:
        if others := ", ".join(str(key) for key in rest if key != "steps"):
            raise ParameterError([f"expected the keys steps and improve; got {others} beside them"])
        path, rest = ("steps",), rest["steps"]
        if not isinstance(rest, list):
            raise ParameterError([f"'steps' must be a list of methods; got {kind_of(rest)}"], [path])
    if not isinstance(rest, list):
        return [(path, rest)]
    if not rest:
        raise ParameterError(["a list of methods must hold at least one; got none"])
    return [((*path, position), step) for position, step in enumerate(rest)]


def _read_named(entry: Any) -> _Named:
    return _Named(name_of(entry), read_candidate(entry))


def _named_labels(one: _Named) -> list[str]:
    if len(one.recipes) == 1:
        return [one.name]
    return [f"{one.name} {values}".strip() for values in short_labels_of(one.recipes)]


def _read_records(part: _Part) -> tuple[Any, ...]:
    """Return the methods or improvers that an entry stands for, one per combination of its grids."""
    combinations = alternatives(part.entry, part.table)
    return read_places((((), combination) for combination in combinations), part.read)
