"""Read a recipe from YAML, and say everything that is wrong with it at once."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sfumato.contracts import MaskingMethod
from sfumato.data import Schema
from sfumato.errors import ParameterError, RecipeError, SchemaError, did_you_mean
from sfumato.masking import METHODS
from sfumato.recipe.document import Document
from sfumato.recipe.recipe import Recipe

KEYS = ("seed", "schema", "steps")
EXAMPLE_STEP = "- mdav: {columns: [income]}"


class Problem(NamedTuple):
    """One sentence about one line of a recipe file."""

    line: int
    sentence: str
    step: str = ""

    def __str__(self) -> str:
        return f"line {self.line}{self.step and f', {self.step}'}: {self.sentence}"


def read_recipe(text: str, folder: Path) -> Recipe:
    """Return the recipe that a YAML text holds; `folder` is where the path of a schema file begins.

    Every problem is found before any is raised, and each is told with its line.
    """
    document = Document.parse(text)
    if document.value is None:
        raise RecipeError([f"it is empty; expected the key 'steps' with a list of methods, such as '{EXAMPLE_STEP}'"])
    if not isinstance(document.value, Mapping):
        raise RecipeError([f"it must hold the keys {', '.join(KEYS)}; got {_described(document.value)}"])
    problems = [*_repeated_keys(document), *_unknown_keys(document)]
    steps = _read_steps(document, problems)
    schema = _read_schema(document, folder, problems)
    recipe = _read_whole(document, steps, schema, problems)
    if recipe is None or problems:
        raise RecipeError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)])
    return recipe


def _repeated_keys(document: Document) -> Iterator[Problem]:
    for path, key, line, first in document.repeated_keys():
        step = f"step {int(path[1]) + 1}" if path[:1] == ("steps",) and len(path) > 1 else ""
        yield Problem(line, f"the key '{key}' is already in line {first}; keep one of them", step)


def _unknown_keys(document: Document) -> Iterator[Problem]:
    for key in document.value:
        if key not in KEYS:
            nearest = did_you_mean(str(key), KEYS) or f"; its keys are {', '.join(KEYS)}"
            yield Problem(document.line((key,)), f"a recipe has no key '{key}'{nearest}")


def _read_steps(document: Document, problems: list[Problem]) -> tuple[MaskingMethod, ...]:
    """Return the steps that are right; what is wrong with the others is added to `problems`."""
    entries = document.value.get("steps")
    line = document.line(("steps",))
    if entries is None:
        problems.append(Problem(line, f"'steps' is required: a list of methods, such as '{EXAMPLE_STEP}'"))
        return ()
    if not isinstance(entries, list):
        problems.append(Problem(line, f"'steps' must be a list, as in '{EXAMPLE_STEP}'; got {_described(entries)}"))
        return ()
    steps = [_read_step(document, number, entry, problems) for number, entry in enumerate(entries)]
    return tuple(step for step in steps if step is not None)


def _read_step(document: Document, number: int, entry: Any, problems: list[Problem]) -> MaskingMethod | None:
    line, step = document.line(("steps", number)), f"step {number + 1}"
    given = {entry: None} if isinstance(entry, str) else entry  # `- mdav` is a method without parameters
    if not isinstance(given, dict) or not given:
        sentence = f"must be a method and its parameters, as in '{EXAMPLE_STEP}'; got {_described(entry)}"
        problems.append(Problem(line, sentence, step))
        return None
    if len(given) > 1:
        keys = ", ".join(map(str, given))
        sentence = f"has {len(given)} keys ({keys}); begin each method with '-' and indent its parameters below it"
        problems.append(Problem(line, sentence, step))
        return None
    ((name, parameters),) = given.items()
    if name not in METHODS:
        nearest = did_you_mean(str(name), METHODS) or f"; the methods are {', '.join(METHODS)}"
        problems.append(Problem(line, f"there is no method '{name}'{nearest}", step))
        return None
    step = f"{step} ({name})"
    if parameters is not None and not isinstance(parameters, dict):
        sentence = f"its parameters must be a mapping such as {{columns: [income]}}; got {_described(parameters)}"
        problems.append(Problem(line, sentence, step))
        return None
    try:
        return METHODS[name](**{str(key): value for key, value in (parameters or {}).items()})
    except ParameterError as error:
        for sentence, place in zip(error.problems, error.places, strict=True):
            problems.append(Problem(document.line(("steps", number, name, *place)), sentence, step))
        return None


def _read_schema(document: Document, folder: Path, problems: list[Problem]) -> Schema | None:
    """Return the schema written in the recipe or in the file that it names."""
    content = document.value.get("schema")
    if content is None:
        return None
    who = f"schema file '{content}'" if isinstance(content, str) else "schema"
    try:
        if isinstance(content, str):
            return Schema.from_yaml((folder / content).read_text(encoding="utf-8-sig"))
        return Schema.from_plain(content)
    except SchemaError as error:
        sentence = f"{who}: {error}"
    except UnicodeDecodeError:
        sentence = f"{who} must be UTF-8 text"
    except OSError as error:
        sentence = f"{who} cannot be read: {error.strerror}; paths begin at the recipe's folder"
    problems.append(Problem(document.line(("schema",)), sentence))
    return None


def _read_whole(
    document: Document, steps: tuple[MaskingMethod, ...], schema: Schema | None, problems: list[Problem]
) -> Recipe | None:
    try:
        return Recipe(steps=steps, seed=document.value.get("seed"), schema=schema)
    except ParameterError as error:
        told = bool(problems)  # steps may be absent only because they were wrong
        for sentence, place in zip(error.problems, error.places, strict=True):
            if place[:1] != ("steps",) or not told:
                problems.append(Problem(document.line(place), sentence))
        return None


def _described(value: object) -> str:
    names = {dict: "a mapping", list: "a list", str: "text", bool: "a truth value", type(None): "nothing"}
    return names.get(type(value), f"a value of type {type(value).__name__}")
