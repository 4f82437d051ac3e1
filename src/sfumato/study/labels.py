"""What a candidate is called: its methods and improver, and the parameters that tell it from the others."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sfumato.contracts import Part
from sfumato.display import format_compact
from sfumato.recipe import Recipe

COLUMN_WORDS = {"columns": "on", "within": "within", "given": "given"}
MAX_COLUMNS = 3  # a label names no more, and counts the others
MAX_VALUE_LENGTH = 24

Place = tuple[str, int]
"""A method's or improver's name, and whether it is the recipe's first, second, ... step of that name."""


def labels_of(recipes: Sequence[Recipe]) -> tuple[str, ...]:
    """Return a distinct label for each candidate, as `rank swapping 10` or `correlated noise 0.1 + top coding 90`.

    Parameters that are the same in all candidates are left out. A method whose parameters never differ shows its first
    number.
    """
    shown = label_parameters(recipes)
    return distinct_labels([" + ".join(_step_label(shown, place, step) for place, step in places(r)) for r in recipes])


def short_labels_of(recipes: Sequence[Recipe]) -> tuple[str, ...]:
    """Return the labels without the methods' names, for use where the family is told otherwise: `10`, `0.1 + 90`."""
    shown = label_parameters(recipes)
    values = [[_values_label(shown, place, step) for place, step in places(recipe)] for recipe in recipes]
    return tuple(" + ".join(filter(None, parts)) for parts in values)


def family_of(recipe: Recipe) -> str:
    """Return the methods of a recipe, as `correlated noise + top coding`; its candidates differ in parameters only."""
    return " + ".join(_words_of(part.name()) for part in recipe.parts)


def places(recipe: Recipe) -> Iterator[tuple[Place, Part]]:
    """Yield the steps and the improver with their places, by which those of different recipes are compared."""
    met: Counter[str] = Counter()
    for step in recipe.parts:
        yield (step.name(), met[step.name()]), step
        met[step.name()] += 1


def differing_parameters(recipes: Sequence[Recipe]) -> dict[Place, tuple[str, ...]]:
    """Return for each place the names of the parameters that are not the same in all recipes that have it."""
    steps: dict[Place, list[Part]] = {}
    for recipe in recipes:
        for place, step in places(recipe):
            steps.setdefault(place, []).append(step)
    return {place: _differing(found) for place, found in steps.items()}


def label_parameters(recipes: Sequence[Recipe]) -> dict[Place, tuple[str, ...]]:
    """Return for each place the names of the parameters that labels show."""
    shown = differing_parameters(recipes)
    for recipe in recipes:
        for place, step in places(recipe):
            shown[place] = shown[place] or _first_number(step)
    return shown


def is_number(value: Any) -> bool:
    """Tell whether a parameter's value is a number, which a truth value is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _differing(steps: Sequence[Part]) -> tuple[str, ...]:
    first = steps[0]
    return tuple(
        name
        for name in type(first).model_fields
        if any(getattr(step, name) != getattr(first, name) for step in steps[1:])
    )


def _first_number(step: Part) -> tuple[str, ...]:
    numbers = (name for name in type(step).model_fields if is_number(getattr(step, name)))
    return tuple(numbers)[:1]


def _step_label(shown: dict[Place, tuple[str, ...]], place: Place, step: Part) -> str:
    return f"{_words_of(step.name())} {_values_label(shown, place, step)}".strip()


def _values_label(shown: dict[Place, tuple[str, ...]], place: Place, step: Part) -> str:
    """Return the values of a step: bare when only its first number is shown, else named; then the columns."""
    parameters = [name for name in shown[place] if name not in COLUMN_WORDS]
    given = [name for name in parameters if getattr(step, name) is not None]
    bare = len(parameters) == 1 and _tells_itself(parameters[0], step)
    values = ", ".join(_value_text(name, getattr(step, name), bare) for name in given)
    columns = (
        f"{word} {_value_text(name, getattr(step, name), True)}"
        for name, word in COLUMN_WORDS.items()
        if name in shown[place] and getattr(step, name)
    )
    return " ".join(filter(None, [values, *columns]))


def _tells_itself(name: str, step: Part) -> bool:
    """Tell whether a value needs no name: words do not, and of numbers only the first, as `mdav 3` is a group size."""
    return not is_number(getattr(step, name)) or _first_number(step) == (name,)


def _value_text(name: str, value: Any, bare: bool) -> str:
    if isinstance(value, bool):
        return _words_of(name) if value else f"not {_words_of(name)}"
    text = (
        _join_values(value)
        if isinstance(value, tuple)
        else format_compact(value)
        if isinstance(value, float)
        else str(value)
    )
    text = text if len(text) <= MAX_VALUE_LENGTH or isinstance(value, tuple) else f"{text[: MAX_VALUE_LENGTH - 1]}…"
    return text if bare else f"{_words_of(name)} {text}"


def _join_values(values: tuple[Any, ...]) -> str:
    more = len(values) - MAX_COLUMNS
    return ", ".join(map(str, values[:MAX_COLUMNS])) + (f" and {more} more" if more > 0 else "")


def _words_of(name: str) -> str:
    return name.replace("_", " ")


def distinct_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels with a number behind those that were there before: `mdav 5`, `mdav 5 (2)`."""
    met: Counter[str] = Counter()
    distinct = []
    for label in labels:
        met[label] += 1
        distinct.append(label if met[label] == 1 else f"{label} ({met[label]})")
    return tuple(distinct)
