"""Hierarchies of categories as parameters: how recipes write them, and how they are read."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, InstanceOf, PlainSerializer, WithJsonSchema

from sfumato.data import Category, Hierarchy
from sfumato.errors import SchemaError

EVERYTHING = "*"
"""The code put above all others where a hierarchy is given without one."""


def as_hierarchy(value: Any) -> Hierarchy:
    """Read a hierarchy from what a recipe holds: groups and their children, or rows from the leaf up.

    Examples
    --------
    >>> as_hierarchy({"Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]})
    Hierarchy(root='*', 6 codes, depth 2)
    >>> as_hierarchy({"Italy": {"Tuscany": ["Pisa", "Lucca"], "Lazio": ["Rome"]}})
    Hierarchy(root='Italy', 6 codes, depth 2)
    >>> as_hierarchy([["Pisa", "Tuscany", "Italy"], ["Rome", "Lazio", "Italy"]])
    Hierarchy(root='Italy', 5 codes, depth 2)
    """
    if isinstance(value, Hierarchy):
        return value
    try:
        if isinstance(value, Mapping) and value:
            pairs = list(tree_pairs(value))
            children = {child for _, child in pairs}
            tops = [group for group in value if group not in children]
            above = [(EVERYTHING, top) for top in tops] if len(tops) > 1 else []
            return Hierarchy.from_pairs([*above, *pairs])
        if isinstance(value, list | tuple) and value and all(isinstance(row, list | tuple) and row for row in value):
            has_one_top = len({row[-1] for row in value}) == 1
            return Hierarchy.from_levels(value, root=None if has_one_top else EVERYTHING)
    except (SchemaError, TypeError) as error:
        raise ValueError(f"must be a tree of categories: {error}") from None
    raise ValueError(
        "must be a tree of categories, such as {Tuscany: [Pisa, Lucca], Lazio: [Rome]} or "
        "[[Pisa, Tuscany], [Lucca, Tuscany], [Rome, Lazio]]"
    )


def as_groups(hierarchy: Hierarchy) -> dict[Category, list[Category]]:
    """Return the children of each code that has some, as `as_hierarchy` reads them."""
    children = {code: hierarchy.children(code) for code in hierarchy.codes}
    return {code: list(under) for code, under in children.items() if under}


CategoryTree = Annotated[
    InstanceOf[Hierarchy],
    BeforeValidator(as_hierarchy),
    PlainSerializer(as_groups),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}),
]
"""A hierarchy of categories; in recipes each group with its children, or rows from the leaf up."""


def tree_pairs(groups: Mapping[Category, Any]) -> Iterator[tuple[Category, Category]]:
    """Yield parent and child of each branch; the children of a group are a list, or groups themselves, or both.

    Examples
    --------
    >>> list(tree_pairs({"Italy": ["Lazio", {"Tuscany": ["Pisa", "Lucca"]}]}))
    [('Italy', 'Lazio'), ('Italy', 'Tuscany'), ('Tuscany', 'Pisa'), ('Tuscany', 'Lucca')]
    """
    for parent, children in groups.items():
        if isinstance(children, Mapping):
            yield from ((parent, child) for child in children)
            yield from tree_pairs({child: under for child, under in children.items() if under})
        elif isinstance(children, list | tuple):
            for child in children:
                yield from tree_pairs({parent: child}) if isinstance(child, Mapping) else [(parent, child)]
        else:
            raise SchemaError(f"{parent!r} must have a list of children, or groups of its own")
