"""Make the specification of a table, as `table protect` reads it, from what a form holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.app.hierarchy_edits import read_tree
from sfumato.data import Category, Hierarchy
from sfumato.errors import ParameterError

SPECIFICATION = "specification"


def specification_of(
    dimensions: Sequence[str],
    *,
    rule: Mapping[str, Any],
    protection: Mapping[str, Any],
    value: str | None = None,
    holding: str | None = None,
    weight: str | None = None,
    trees: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the specification without the file, the schema and the seed, which the project knows.

    Examples
    --------
    >>> specification_of(["region"], rule={"min_units": {"units": 3}}, protection={"optimal_suppression": {}}, trees={})
    {'by': ['region'], 'rules': [{'min_units': {'units': 3}}], 'protections': [{'optimal_suppression': {}}]}
    """
    if not dimensions:
        raise ParameterError(["choose at least one column for the rows"])
    if twice := [name for place, name in enumerate(dimensions) if name in dimensions[:place]]:
        raise ParameterError([f"{twice[0]} stands in rows and columns; choose another for one of them"])
    chosen = {"value": value, "holding": holding, "weight": weight}
    hierarchies = {name: {"tree": _groups(trees[name])} for name in dimensions if name in trees}
    return {
        "by": list(dimensions),
        **{name: column for name, column in chosen.items() if column},
        **({"hierarchies": hierarchies} if hierarchies else {}),
        "rules": [dict(rule)],
        "protections": [dict(protection)],
    }


def _groups(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the branches of a tree below its root, which is the total of the table; all codes are text."""
    tree = read_tree(plain)
    return {str(code): [_branch(tree, child) for child in tree.children(code)] for code in tree.children(tree.root)}


def _branch(tree: Hierarchy, code: Category) -> Any:
    children = tree.children(code)
    return {str(code): [_branch(tree, child) for child in children]} if children else str(code)
