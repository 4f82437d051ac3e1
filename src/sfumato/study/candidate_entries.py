"""Read the candidates of a study file: methods, pipelines, improvers, and grids over their parameters."""

from collections.abc import Callable, Mapping
from itertools import chain, product
from math import prod
from typing import Any, NamedTuple

from sfumato.contracts import Named
from sfumato.documents import KeyPath, kind_of, read_list, read_places
from sfumato.errors import ParameterError
from sfumato.recipe import Recipe
from sfumato.recipe.entries import IMPROVER, METHOD
from sfumato.study.grid import alternatives, check_count

EXAMPLE = "mdav: {columns: numeric, k: [3, 5, 10]}"


class _Part(NamedTuple):
    """The entry of a step or an improver, the table of its names, and what reads it when its grids are resolved."""

    entry: Any
    table: Mapping[str, type[Named]]
    read: Callable[[Any], Any]


def read_candidates(entries: Any) -> tuple[Recipe, ...]:
    """Return a recipe per candidate; what is wrong with entries is raised together, with places."""
    return tuple(chain.from_iterable(read_list(entries, read_candidate, "method", EXAMPLE)))


def read_candidate(entry: Any) -> list[Recipe]:
    """Return the recipes that one entry stands for: a method, or a list of methods, with an improver or without."""
    if isinstance(entry, Recipe):
        return [entry]
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


def _read_records(part: _Part) -> tuple[Any, ...]:
    """Return the methods or improvers that an entry stands for, one per combination of its grids."""
    combinations = alternatives(part.entry, part.table)
    return read_places((((), combination) for combination in combinations), part.read)
