"""Write a recipe as YAML: always the same text for the same recipe."""

import re
from collections.abc import Mapping, Set
from enum import Enum
from typing import Any

import yaml

from sfumato.contracts import Improver, MaskingMethod
from sfumato.recipe.recipe import Recipe

UNUSUAL_BREAKS = re.compile("[\x85\u2028\u2029\ufeff]")


def written_recipe(recipe: Recipe) -> str:
    """Return the recipe as YAML.

    Parameters at their defaults are written too, so that the text means the same when a default changes one day; only
    what is absent (no strata, no threshold) is left out. A schema is written in full, whatever file it came from.
    """
    content: dict[str, Any] = {}
    if recipe.seed is not None:
        content["seed"] = recipe.seed
    if recipe.schema is not None:
        content["schema"] = recipe.schema.to_plain()
    content["steps"] = [{step.name(): _parameters(step)} for step in recipe.steps]
    if recipe.improve is not None:
        content["improve"] = written_improver(recipe.improve)
    return as_yaml(content)


def written_improver(improver: Improver) -> dict[str, Any]:
    """Return what stands under `improve` in a recipe, as plain values."""
    return {improver.name(): _parameters(improver)}


def as_yaml(content: dict[str, Any]) -> str:
    """Return plain values as YAML that comes back exactly, whatever characters a name or label has."""
    return yaml.dump(
        content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10_000
    )


class _Dumper(yaml.SafeDumper):
    """Writes equal lists out each time, where YAML would name the first and point to it."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _written_text(dumper: _Dumper, text: str) -> yaml.Node:
    style = '"' if UNUSUAL_BREAKS.search(text) else None  # other styles would lose them
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _written_text)


def _parameters(method: MaskingMethod | Improver) -> dict[str, Any]:
    fields = type(method).model_fields
    return {
        name: _plain(value)
        for name, value in method.model_dump().items()
        if not (value in ((), None) and value == fields[name].default)
    }


def _plain(value: Any) -> Any:
    """Return enums as their values, tuples as lists and sets in order; the keys of mappings keep their type."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {_plain(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(_plain(item) for item in value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
