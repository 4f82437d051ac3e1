"""Read the candidates of a study file: methods, pipelines, improvers, and grids over their parameters."""

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from typing import Any, TypeVar

from sfumato.contracts import Improver, Named
from sfumato.errors import ParameterError
from sfumato.improve import IMPROVERS
from sfumato.masking import METHODS
from sfumato.recipe import Recipe
from sfumato.recipe.document import Document, KeyPath
from sfumato.recipe.entries import Problem, described
from sfumato.recipe.reading import read_improver, read_method
from sfumato.study.grid import alternatives, check_count

EXAMPLE = "- mdav: {columns: numeric, k: [3, 5, 10]}"
Listed = TypeVar("Listed", bound=Named)


def read_candidates(document: Document, problems: list[Problem]) -> tuple[Recipe, ...]:
    """Return a recipe per candidate; what is wrong with an entry is added to `problems`."""
    entries = document.value.get("candidates")
    if not isinstance(entries, list) or not entries:
        sentence = f"'candidates' must be a list of methods, as in '{EXAMPLE}'"
        problems.append(Problem(document.line(("candidates",)), f"{sentence}; got {described(entries)}"))
        return ()
    recipes: list[Recipe] = []
    for number, entry in enumerate(entries):
        recipes.extend(_recipes(document, number, entry, problems))
    return tuple(recipes)


def _recipes(document: Document, number: int, entry: Any, problems: list[Problem]) -> list[Recipe]:
    """Return the recipes that one entry stands for: a method, or a list of methods, with an improver or without."""
    path: KeyPath = ("candidates", number)
    try:
        steps = steps_of(path, entry)
    except ParameterError as error:
        problems.extend(_of(document, path, error))
        return []
    choices = [_records(document, place, step, read_method, METHODS, problems) for place, step in steps]
    improvers: list[Improver] | list[None] = [None]
    if isinstance(entry, dict) and "improve" in entry:
        place = (*path, "improve")
        improvers = _records(document, place, entry["improve"], read_improver, IMPROVERS, problems)
    try:
        check_count(prod(map(len, [*choices, improvers])))
    except ParameterError as error:
        problems.append(_problem(document, path, str(error)))
        return []
    return [Recipe(steps=chosen, improve=improver) for *chosen, improver in product(*choices, improvers)]


def steps_of(path: KeyPath, entry: Any) -> list[tuple[KeyPath, Any]]:
    """Return the entries of the steps with their places: of a list, of the key `steps`, or of a single method."""
    rest = {key: value for key, value in entry.items() if key != "improve"} if isinstance(entry, dict) else entry
    if isinstance(rest, dict) and "steps" in rest:
        if others := ", ".join(str(key) for key in rest if key != "steps"):
            raise ParameterError([f"expected the keys steps and improve; got {others} beside them"])
        path, rest = (*path, "steps"), rest["steps"]
        if not isinstance(rest, list):
            raise ParameterError([f"'steps' must be a list of methods; got {described(rest)}"], [("steps",)])
    if not isinstance(rest, list):
        return [(path, rest)]
    if not rest:
        raise ParameterError(["a list of methods must hold at least one; got none"])
    return [((*path, position), step) for position, step in enumerate(rest)]


def _records(
    document: Document,
    path: KeyPath,
    entry: Any,
    read: Callable[[Any], Listed],
    table: Mapping[str, type[Listed]],
    problems: list[Problem],
) -> list[Listed]:
    """Return the methods or improvers that an entry stands for, one per combination of its grids."""
    records: list[Listed] = []
    told: dict[Problem, None] = {}  # what is wrong with several combinations is told once
    try:
        combinations = alternatives(entry, table)
    except ParameterError as error:
        problems.extend(_of(document, path, error))
        return []
    for combination in combinations:
        try:
            records.append(read(combination))
        except ParameterError as error:
            told |= dict.fromkeys(_of(document, path, error))
    problems.extend(told)
    return records


def _of(document: Document, path: KeyPath, error: ParameterError) -> list[Problem]:
    found = zip(error.problems, error.places, strict=True)
    return [_problem(document, (*path, *place), sentence) for sentence, place in found]


def _problem(document: Document, path: KeyPath, sentence: str) -> Problem:
    return Problem(document.line(path), sentence, f"candidate {int(path[1]) + 1}")
