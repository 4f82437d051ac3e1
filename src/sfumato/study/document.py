"""Read a study file: the data, the candidates, and how often to run them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.errors import ParameterError, RecipeError, did_you_mean
from sfumato.recipe import Recipe
from sfumato.recipe.document import Document, yaml_text
from sfumato.recipe.entries import Problem, described
from sfumato.recipe.reading import read_method

KEYS = ("data", "schema", "candidates", "replications", "seed")


@dataclass(frozen=True)
class StudyPlan:
    """What a study file asks for.

    Parameters
    ----------
    data, schema
        The file to mask and its schema file, if any; paths begin at the study file's folder.
    candidates
        The recipes to compare; each entry of the file is a method, or a list of methods applied one after the other.
    replications, seed
        As in `compare`.
    """

    data: Path
    schema: Path | None
    candidates: tuple[Recipe, ...]
    replications: int
    seed: int | None

    @classmethod
    def load(cls, path: str | Path) -> "StudyPlan":
        """Read a study file; every problem is told at once, with its line."""
        return read_study(yaml_text(Path(path), "study"), Path(path).parent)


def read_study(text: str, folder: Path) -> StudyPlan:
    """Return the plan that a YAML text holds; `folder` is where the paths in it begin."""
    document = Document.parse(text)
    if not isinstance(document.value, Mapping):
        raise RecipeError([f"a study must hold the keys {', '.join(KEYS)}; got {described(document.value)}"], "study")
    problems = [
        Problem(line, f"the key '{key}' is already in line {first}; keep one of them")
        for _, key, line, first in document.repeated_keys()
    ]
    problems.extend(
        Problem(document.line((key,)), f"a study has no key '{key}'{did_you_mean(str(key), KEYS)}")
        for key in document.value
        if key not in KEYS
    )
    plan = StudyPlan(
        data=folder / _text(document, "data", problems, required=True),
        schema=folder / name if (name := _text(document, "schema", problems)) else None,
        candidates=_candidates(document, problems),
        replications=_whole_number(document, "replications", 1, problems) or 1,
        seed=_whole_number(document, "seed", 0, problems),
    )
    if problems:
        raise RecipeError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)], "study")
    return plan


def _candidates(document: Document, problems: list[Problem]) -> tuple[Recipe, ...]:
    entries = document.value.get("candidates")
    if not isinstance(entries, list) or not entries:
        sentence = "'candidates' must be a list of methods, as in '- mdav: {columns: numeric, group_size: 3}'"
        problems.append(Problem(document.line(("candidates",)), f"{sentence}; got {described(entries)}"))
        return ()
    recipes = []
    for number, entry in enumerate(entries):
        steps = [
            step
            for position, method in _steps_of(entry)
            for step in _read(document, method, ("candidates", number, *position), problems)
        ]
        if steps:
            recipes.append(Recipe(steps=tuple(steps)))
    return tuple(recipes)


def _steps_of(entry: Any) -> list[tuple[tuple[int, ...], Any]]:
    return [((number,), method) for number, method in enumerate(entry)] if isinstance(entry, list) else [((), entry)]


def _read(document: Document, entry: Any, path: tuple[str | int, ...], problems: list[Problem]) -> list[Any]:
    try:
        return [read_method(entry)]
    except ParameterError as error:
        for sentence, place in zip(error.problems, error.places, strict=True):
            problems.append(Problem(document.line((*path, *place)), sentence, f"candidate {int(path[1]) + 1}"))
        return []


def _text(document: Document, key: str, problems: list[Problem], *, required: bool = False) -> str:
    value = document.value.get(key)
    if isinstance(value, str) or (value is None and not required):
        return value or ""
    problems.append(Problem(document.line((key,)), f"'{key}' must be the name of a file; got {described(value)}"))
    return ""


def _whole_number(document: Document, key: str, least: int, problems: list[Problem]) -> int | None:
    value = document.value.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= least):
        return value
    sentence = f"'{key}' must be a whole number in [{least}, inf); got {value!r}"
    problems.append(Problem(document.line((key,)), sentence))
    return None
