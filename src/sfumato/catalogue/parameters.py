"""What each parameter of a record may be, in words and with its unit."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sfumato.contracts import Named
from sfumato.display import format_compact

NAMES = {
    "number": "number",
    "integer": "whole number",
    "string": "text",
    "boolean": "true or false",
}
PLURALS = {"number": "numbers", "whole number": "whole numbers", "text": "texts"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method or measure.

    Parameters
    ----------
    name, text
        Its name, and what it means.
    range
        What it may be, in words, such as `percent, above 0, at most 100`.
    default
        The default as a recipe writes it, or nothing when the parameter is required.
    """

    name: str
    text: str
    range: str
    default: str | None


def parameters_of(record: type[Named], texts: Mapping[str, str]) -> tuple[Parameter, ...]:
    """Return the parameters of a record in its own order, with the texts of its docstring."""
    schema = record.model_json_schema()
    definitions = schema.get("$defs", {})
    return tuple(
        Parameter(name, texts.get(name, ""), in_words(entry, definitions), _default(entry))
        for name, entry in schema["properties"].items()
    )


def in_words(entry: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """Return what an entry of a JSON schema allows, in words; that it may be none shows in its default.

    Examples
    --------
    >>> in_words({"type": "number", "exclusiveMinimum": 0, "maximum": 100}, {})
    'number above 0, at most 100'
    >>> in_words({"type": "number", "exclusiveMinimum": 0, "unit": "standard deviations"}, {})
    'standard deviations, above 0'
    >>> in_words({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}, {})
    'whole number, or text'
    """
    if is_columns(entry):
        return "columns"
    if "$ref" in entry:
        return in_words(definitions[entry["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in entry:
        choices = [choice for choice in entry["anyOf"] if choice.get("type") != "null"]
        return ", or ".join(dict.fromkeys(in_words(choice, definitions) for choice in choices))
    if "const" in entry or "enum" in entry:
        return "one of " + ", ".join(map(str, entry.get("enum", [entry.get("const")])))
    if entry.get("type") == "array":
        return _list_in_words(entry, definitions)
    if entry.get("type") == "object":
        return _mapping_in_words(entry, definitions)
    if "unit" in entry:
        return ", ".join(filter(None, (entry["unit"], _bounds(entry))))
    return " ".join(filter(None, (NAMES.get(entry.get("type", ""), "value"), _bounds(entry))))


def is_columns(entry: Mapping[str, Any]) -> bool:
    """Tell whether an entry takes columns by name or by rule."""
    return any(choice.get("$ref", "").endswith("/Selector") for choice in entry.get("anyOf", ()))


def _list_in_words(entry: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "prefixItems" in entry:
        return "list of " + " and ".join(in_words(item, definitions) for item in entry["prefixItems"])
    item = in_words(entry.get("items", {}), definitions)
    for noun, plural in PLURALS.items():
        if item.startswith(noun):
            return f"list of {plural}{item.removeprefix(noun)}"
    return f"list of {item}"


def _mapping_in_words(entry: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "properties" in entry:
        return "mapping with " + ", ".join(entry["properties"])
    values = entry.get("additionalProperties")
    return f"mapping of {in_words(values, definitions)}" if isinstance(values, Mapping) else "mapping"


def _bounds(entry: Mapping[str, Any]) -> str:
    words = {"exclusiveMinimum": "above", "minimum": "at least", "exclusiveMaximum": "below", "maximum": "at most"}
    return ", ".join(f"{word} {format_compact(entry[key])}" for key, word in words.items() if key in entry)


def _default(entry: Mapping[str, Any]) -> str | None:
    if "default" not in entry:
        return None
    value = entry["default"]
    if value is None or value in ([], {}):
        return "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
