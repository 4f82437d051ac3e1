"""Read the candidates of a study file: methods, pipelines of methods, and grids over their parameters."""

from itertools import product
from math import prod
from typing import Any

from sfumato.contracts import MaskingMethod
from sfumato.errors import ParameterError
from sfumato.recipe import Recipe
from sfumato.recipe.document import Document, KeyPath
from sfumato.recipe.entries import Problem, described
from sfumato.recipe.reading import read_method
from sfumato.study.grid import alternatives, check_count

EXAMPLE = "- mdav: {columns: numeric, group_size: [3, 5, 10]}"


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
    """Return the recipes that one entry stands for: a method, or a list of methods applied one after the other."""
    path = ("candidates", number)
    pipeline = isinstance(entry, list)
    if pipeline and not entry:
        problems.append(_problem(document, path, "a list of methods must hold at least one; got none"))
        return []
    steps = [
        ((*path, position) if pipeline else path, step) for position, step in enumerate(entry if pipeline else [entry])
    ]
    choices = [_methods(document, place, step, problems) for place, step in steps]
    try:
        check_count(prod(map(len, choices)))
    except ParameterError as error:
        problems.append(_problem(document, path, str(error)))
        return []
    return [Recipe(steps=chosen) for chosen in product(*choices)]


def _methods(document: Document, path: KeyPath, entry: Any, problems: list[Problem]) -> list[MaskingMethod]:
    """Return the methods that a step stands for, one per combination of its grids."""
    methods: list[MaskingMethod] = []
    told: dict[Problem, None] = {}  # what is wrong with several combinations is told once
    try:
        combinations = alternatives(entry)
    except ParameterError as error:
        problems.extend(_of(document, path, error))
        return []
    for combination in combinations:
        try:
            methods.append(read_method(combination))
        except ParameterError as error:
            told |= dict.fromkeys(_of(document, path, error))
    problems.extend(told)
    return methods


def _of(document: Document, path: KeyPath, error: ParameterError) -> list[Problem]:
    found = zip(error.problems, error.places, strict=True)
    return [_problem(document, (*path, *place), sentence) for sentence, place in found]


def _problem(document: Document, path: KeyPath, sentence: str) -> Problem:
    return Problem(document.line(path), sentence, f"candidate {int(path[1]) + 1}")
