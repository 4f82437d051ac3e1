"""Edit the tree of a column's categories: join, split, rename; each returns another tree."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.data import Category, Hierarchy
from sfumato.errors import ParameterError
from sfumato.parameters.hierarchies import EVERYTHING


def flat_tree(codes: Sequence[Category]) -> Hierarchy:
    """Return the tree in which no category is joined with another."""
    return Hierarchy.from_pairs([(EVERYTHING, code) for code in codes])


def join(tree: Hierarchy, codes: Sequence[Category], name: str) -> Hierarchy:
    """Put codes that lie side by side under a new group.

    Examples
    --------
    >>> places = join(flat_tree(["Pisa", "Lucca", "Rome"]), ["Pisa", "Lucca"], "Tuscany")
    >>> places.recoding(1)
    {'Rome': 'Rome', 'Pisa': 'Tuscany', 'Lucca': 'Tuscany'}
    """
    new = _new_name(tree, name)
    parents = {tree.parent(code) for code in codes}
    if len(codes) < 2 or len(parents) != 1:
        raise ParameterError(["choose two or more categories that lie side by side, under one group"])
    (parent,) = parents
    others = [pair for pair in tree.pairs if pair[1] not in codes]
    return Hierarchy(tree.root, (*others, (parent, new), *((new, code) for code in codes)))  # type: ignore[arg-type]


def split(tree: Hierarchy, group: Category) -> Hierarchy:
    """Take a group away: what lay under it lies beside it then.

    Examples
    --------
    >>> places = join(flat_tree(["Pisa", "Lucca", "Rome"]), ["Pisa", "Lucca"], "Tuscany")
    >>> split(places, "Tuscany") == flat_tree(["Pisa", "Lucca", "Rome"])
    True
    """
    parent = tree.parent(group)
    if parent is None or not tree.children(group):
        raise ParameterError(["choose a group that lies under another one"])
    pairs = [(parent if above == group else above, code) for above, code in tree.pairs if code != group]
    return Hierarchy(tree.root, tuple(pairs))


def rename(tree: Hierarchy, group: Category, name: str) -> Hierarchy:
    """Give a group another name; categories of the file keep theirs.

    Examples
    --------
    >>> rename(join(flat_tree([1, 2, 3]), [1, 2], "low"), "low", "1 to 2").codes
    ('*', 3, '1 to 2', 1, 2)
    """
    new = _new_name(tree, name)
    if not tree.children(group):
        raise ParameterError(["a category of the file keeps its name; rename the group that it is in"])
    pairs = tuple((new if above == group else above, new if code == group else code) for above, code in tree.pairs)
    return Hierarchy(new if group == tree.root else tree.root, pairs)


def with_text_codes(tree: Hierarchy) -> Hierarchy:
    """Put a text above every number that stands beside groups with names: a column holds one or the other.

    Examples
    --------
    >>> with_text_codes(join(flat_tree([1, 2, 3]), [1, 2], "low")).recoding(1)
    {3: '3', 1: 'low', 2: 'low'}
    """
    names = [code for code in tree.codes if tree.children(code) and code != tree.root and isinstance(code, str)]
    alone = {code for code in tree.leaves if not isinstance(code, str) and tree.depth_of(code) < tree.depth}
    if not names or not alone or set(map(str, alone)) & set(names):
        return tree
    pairs: list[tuple[Category, Category]] = []
    for above, code in tree.pairs:
        pairs += [(above, str(code)), (str(code), code)] if code in alone else [(above, code)]
    return Hierarchy(tree.root, tuple(pairs))


def plain_tree(tree: Hierarchy) -> dict[str, Any]:
    """Return a tree ready for JSON."""
    return {"root": tree.root, "pairs": [list(pair) for pair in tree.pairs]}


def read_tree(plain: Mapping[str, Any]) -> Hierarchy:
    """Return the tree that `plain_tree` wrote."""
    return Hierarchy(plain["root"], tuple((parent, child) for parent, child in plain["pairs"]))


def _new_name(tree: Hierarchy, name: str) -> str:
    new = name.strip()
    if not new or new in map(str, tree.codes):
        raise ParameterError(["a group needs a name that no other group or category has"])
    return new
