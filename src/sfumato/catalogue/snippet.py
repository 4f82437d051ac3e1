"""Write an example of a method's parameters that its own record accepts."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import inf, isinf
from typing import Any

from sfumato.catalogue.parameters import is_columns
from sfumato.contracts import Improver, MaskingMethod, Named
from sfumato.data import Kind
from sfumato.errors import ParameterError

COLUMNS = {  # of the demo survey, so that examples can be tried on it; it has no dates
    Kind.CONTINUOUS: ["expenditure", "savings"],
    Kind.NOMINAL: ["region", "occupation"],
    Kind.ORDINAL: ["education"],
    Kind.DATE: ["birth_date"],
}


def sample_values(record: type[Named]) -> dict[str, Any]:
    """Return parameters that the record accepts: defaults where there are any, else values from the ranges.

    A parameter that is none by default is left out unless the record asks for it. Where neither a range nor a default
    tells enough, the field can give a value itself: `Field(examples=[...])`.
    """
    for values in _attempts(record):
        try:
            record(**values)
        except ParameterError:
            continue
        return values
    raise ParameterError(
        [f"{record.__name__}: no example follows from its ranges; give its required fields one: Field(examples=[...])"]
    )


def recipe_snippet(method: type[MaskingMethod | Improver]) -> str:
    """Return a recipe of one step, in YAML; one that shows an improver swaps ranks before.

    Examples
    --------
    >>> from sfumato.masking import RankSwapping
    >>> print(recipe_snippet(RankSwapping))
    seed: 7
    steps:
      - rank_swapping:
          columns: [expenditure, savings]
          window: 5.0
    """
    import yaml

    if issubclass(method, Improver):
        lines = yaml.safe_dump(sample_values(method), sort_keys=False, default_flow_style=None, width=100).splitlines()
        steps = f"  - rank_swapping: {{columns: [{', '.join(COLUMNS[Kind.CONTINUOUS])}], window: 10}}"
        return "\n".join(
            ["seed: 7", "steps:", steps, "improve:", f"  {method.name()}:", *(f"    {line}" for line in lines)]
        )
    return f"seed: 7\n{entry_snippet(method, 'steps')}"


def entry_snippet(record: type[Named], key: str) -> str:
    """Return a record as an entry of a list in YAML, below its key: a rule or a protection of a specification.

    Examples
    --------
    >>> from sfumato.masking import RankSwapping
    >>> print(entry_snippet(RankSwapping, "steps"))
    steps:
      - rank_swapping:
          columns: [expenditure, savings]
          window: 5.0
    """
    import yaml

    lines = yaml.safe_dump(sample_values(record), sort_keys=False, default_flow_style=None, width=100).splitlines()
    return "\n".join([f"{key}:", f"  - {record.name()}:", *(f"      {line}" for line in lines)])


def _kinds(record: type[Named]) -> frozenset[Kind]:
    kinds: frozenset[Kind] = getattr(record, "kinds", frozenset())
    return kinds


def _attempts(record: type[Named]) -> Iterator[dict[str, Any]]:
    schema = record.model_json_schema()
    entries, definitions = schema["properties"], schema.get("$defs", {})
    required, kinds = set(schema.get("required", ())), _kinds(record)
    given = {
        name: _sample(entry, definitions, kinds) if name in required or "examples" in entry else entry["default"]
        for name, entry in entries.items()
        if name in required or entry.get("default") not in (None, [], {})
    }
    spare = sorted((name for name in entries if name not in given), key=lambda name: _is_open(entries[name]))
    for count in range(len(spare) + 1):
        for chosen in combinations(spare, count):
            more = {name: _sample(entries[name], definitions, kinds) for name in chosen}
            yield {name: (given | more)[name] for name in entries if name in given or name in more}


def _sample(entry: Mapping[str, Any], definitions: Mapping[str, Any], kinds: frozenset[Kind]) -> Any:
    """Return one value that an entry of a JSON schema allows."""
    if entry.get("examples"):
        return entry["examples"][0]
    if is_columns(entry):
        return next(columns for kind, columns in COLUMNS.items() if kind in kinds)
    if "$ref" in entry:
        return _sample(definitions[entry["$ref"].rpartition("/")[2]], definitions, kinds)
    if "anyOf" in entry:
        return _sample(entry["anyOf"][0], definitions, kinds)
    if "enum" in entry or "const" in entry:
        return entry.get("enum", [entry.get("const")])[0]
    match entry.get("type"):
        case "array":
            return [_sample(item, definitions, kinds) for item in entry.get("prefixItems", [entry.get("items", {})])]
        case "object":
            return {}
        case "boolean":
            return True
        case "string":
            return COLUMNS[Kind.CONTINUOUS][0]
    return _number(entry)


def _number(entry: Mapping[str, Any]) -> float:
    """Return 10 where the range has it, else a number between its bounds or beside its only one."""
    low, high = _bounds(entry)
    if low < 10 < high:
        return 10
    if isinf(low) or isinf(high):
        return low + 1 if isinf(high) else high - 1
    middle = (low + high) / 2
    return round(middle) if entry.get("type") == "integer" else middle


def _bounds(entry: Mapping[str, Any]) -> tuple[float, float]:
    low = entry.get("minimum", entry.get("exclusiveMinimum", -inf))
    return low, entry.get("maximum", entry.get("exclusiveMaximum", inf))


def _is_open(entry: Mapping[str, Any]) -> bool:
    """Tell whether a number has no bound at all, so that no example of it is sensible."""
    choices = entry.get("anyOf", [entry])
    return any(choice.get("type") == "number" and _bounds(choice) == (-inf, inf) for choice in choices)
