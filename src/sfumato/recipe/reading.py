"""Read a recipe from YAML, and say everything that is wrong with it at once."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.contracts import Improver, MaskingMethod
from sfumato.data import Schema
from sfumato.errors import ParameterError, RecipeError, SchemaError, did_you_mean
from sfumato.improve import IMPROVERS
from sfumato.masking import METHODS
from sfumato.recipe.document import Document, KeyPath
from sfumato.recipe.entries import Problem, described, read_entry
from sfumato.recipe.recipe import Recipe

KEYS = ("seed", "schema", "steps", "improve")
EXAMPLE_STEP = "- mdav: {columns: [income]}"
EXAMPLE_IMPROVER = "moment_matching: {columns: [income]}"


def read_recipe(text: str, folder: Path) -> Recipe:
    """Return the recipe that a YAML text holds; `folder` is where the path of a schema file begins.

    Every problem is found before any is raised, and each is told with its line.
    """
    document = Document.parse(text)
    if document.value is None:
        raise RecipeError([f"it is empty; expected the key 'steps' with a list of methods, such as '{EXAMPLE_STEP}'"])
    if not isinstance(document.value, Mapping):
        raise RecipeError([f"it must hold the keys {', '.join(KEYS)}; got {described(document.value)}"])
    problems = [*_repeated_keys(document), *_unknown_keys(document)]
    steps = _read_steps(document, problems)
    improver = _read_improver(document, problems)
    schema = _read_schema(document, folder, problems)
    recipe = _read_whole(document, steps, improver, schema, problems)
    if recipe is None or problems:
        raise RecipeError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)])
    return recipe


def _repeated_keys(document: Document) -> Iterator[Problem]:
    for path, key, line, first in document.repeated_keys():
        step = _step_name(int(path[1]), path[2:]) if path[:1] == ("steps",) and len(path) > 1 else ""
        step = _improver_name(path[1:]) if path[:1] == ("improve",) else step
        yield Problem(line, f"the key '{key}' is already in line {first}; keep one of them", step)


def _unknown_keys(document: Document) -> Iterator[Problem]:
    for key in document.value:
        if key not in KEYS:
            nearest = did_you_mean(str(key), KEYS) or f"; its keys are {', '.join(KEYS)}"
            yield Problem(document.line((key,)), f"a recipe has no key '{key}'{nearest}")


def _read_steps(document: Document, problems: list[Problem]) -> tuple[MaskingMethod, ...]:
    """Return the steps that are right; what is wrong with the others is added to `problems`."""
    entries = document.value.get("steps")
    if not isinstance(entries, list) or not entries:
        sentence = f"'steps' must be a list of methods, as in '{EXAMPLE_STEP}'; got {described(entries)}"
        problems.append(Problem(document.line(("steps",)), sentence))
        return ()
    steps = []
    for number, entry in enumerate(entries):
        try:
            steps.append(read_method(entry))
        except ParameterError as error:
            problems.extend(_of_step(document, number, error))
    return tuple(steps)


def read_method(entry: Any) -> MaskingMethod:
    """Return the method that one item of `steps` asks for; the places of problems begin at the item."""
    return read_entry(entry, METHODS, "method", EXAMPLE_STEP)


def _read_improver(document: Document, problems: list[Problem]) -> Improver | None:
    """Return the improver that the recipe asks for; what is wrong with it is added to `problems`."""
    if "improve" not in document.value:
        return None
    try:
        return read_improver(document.value["improve"])
    except ParameterError as error:
        problems.extend(
            Problem(document.line(("improve", *place)), sentence, _improver_name(place))
            for sentence, place in zip(error.problems, error.places, strict=True)
        )
        return None


def read_improver(entry: Any) -> Improver:
    """Return the improver that the value of `improve` asks for; the places of problems begin there."""
    if isinstance(entry, Mapping) and len(entry) > 1:
        keys = ", ".join(map(str, entry))
        raise ParameterError([f"expected one improver, got the keys {keys}; keep one, and indent its parameters"])
    return read_entry(entry, IMPROVERS, "improver", EXAMPLE_IMPROVER)


def _of_step(document: Document, number: int, error: ParameterError) -> Iterator[Problem]:
    for sentence, place in zip(error.problems, error.places, strict=True):
        yield Problem(document.line(("steps", number, *place)), sentence, _step_name(number, place))


def _step_name(number: int, place: KeyPath) -> str:
    return f"step {number + 1}" + (f" ({place[0]})" if place else "")


def _improver_name(place: KeyPath) -> str:
    return "improve" + (f" ({place[0]})" if place else "")


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
        sentences = _one_by_one(error)
    except UnicodeDecodeError:
        sentences = ["is not UTF-8 text"]
    except OSError as error:
        sentences = [f"cannot be read: {error.strerror}; its path begins at the recipe's folder"]
    line = document.line(("schema",))
    problems.extend(Problem(line, f"{who}: {sentence}") for sentence in sentences)
    return None


def _one_by_one(error: SchemaError) -> list[str]:
    """Return the problems that a schema's error lists, or the error itself as one line."""
    lines = str(error).splitlines()
    listed = [line.removeprefix("  - ") for line in lines if line.startswith("  - ")]
    return listed or [" ".join(line.strip() for line in lines)]


def _read_whole(
    document: Document,
    steps: tuple[MaskingMethod, ...],
    improver: Improver | None,
    schema: Schema | None,
    problems: list[Problem],
) -> Recipe | None:
    try:
        return Recipe(steps=steps, improve=improver, seed=document.value.get("seed"), schema=schema)
    except ParameterError as error:
        for sentence, place in zip(error.problems, error.places, strict=True):
            if place[:1] != ("steps",):  # those are told already, with their lines
                problems.append(Problem(document.line(place), sentence))
        return None
