"""Which candidates make a line on the map: those that differ in one number only."""

from collections.abc import Sequence
from typing import Any

from sfumato.recipe import Recipe
from sfumato.study.labels import Place, differing_parameters, family_of, is_number, places

Setting = tuple[Place, str]
"""Where a parameter stands, and its name."""


def series_of(recipes: Sequence[Recipe]) -> tuple[tuple[int, ...], ...]:
    """Return the candidates of each line, by position, in the order of the parameter that moves along it.

    The first number in which the candidates of a family differ moves along its lines; whatever else differs is fixed on
    each of them. A candidate that differs from its family otherwise has a line of its own.
    """
    settings = [_settings(recipe) for recipe in recipes]
    families: dict[object, list[int]] = {}
    for position, recipe in enumerate(recipes):
        numbers = frozenset(setting for setting, value in settings[position].items() if is_number(value))
        families.setdefault((family_of(recipe), numbers), []).append(position)
    return tuple(line for family in families.values() for line in _lines(family, recipes, settings))


def _lines(
    family: Sequence[int], recipes: Sequence[Recipe], settings: Sequence[dict[Setting, Any]]
) -> list[tuple[int, ...]]:
    differing = differing_parameters([recipes[position] for position in family])
    numbers = [
        (place, name)
        for place, names in differing.items()
        for name in names
        if is_number(settings[family[0]][place, name])
    ]
    if not numbers:
        return [(position,) for position in family]
    moving = numbers[0]
    lines: list[tuple[dict[Setting, Any], list[int]]] = []
    for position in family:
        fixed = {setting: value for setting, value in settings[position].items() if setting != moving}
        members = next((found for known, found in lines if known == fixed), None)
        if members is None:
            lines.append((fixed, [position]))
        else:
            members.append(position)
    return [tuple(sorted(members, key=lambda position: settings[position][moving])) for _, members in lines]


def _settings(recipe: Recipe) -> dict[Setting, Any]:
    return {(place, name): getattr(step, name) for place, step in places(recipe) for name in type(step).model_fields}
