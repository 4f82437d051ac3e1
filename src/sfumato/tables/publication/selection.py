"""Which records a table is of: codes of some variables, what to call them, and the hierarchies that remain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.data import Category, Hierarchy
from sfumato.errors import DataError, did_you_mean
from sfumato.tables.cells.groupings import Groupings

TOP = None  # the name of a selection that leaves nothing out


@dataclass(frozen=True)
class Selection:
    """The leaves of one variable that records of a table have.

    Parameters
    ----------
    leaves
        The codes.
    name
        What they are together: a code of a hierarchy where one stands for just them.
    codes
        The fewest codes that stand for them.
    """

    leaves: frozenset[Category]
    name: Category
    codes: tuple[Category, ...]


def select(
    variable: str, codes: Sequence[Category], present: Sequence[Category], trees: Sequence[Hierarchy], table: str
) -> Selection | None:
    """Return the leaves that some codes stand for; nothing where they are all there are.

    Parameters
    ----------
    variable
        The variable.
    codes
        The codes, leaves or groups.
    present
        The codes that records have.
    trees
        The hierarchies of the variable, if it has any.
    table
        The name of the table, for messages.
    """
    every = frozenset(trees[0].leaves) if trees else frozenset(present)
    chosen: set[Category] = set()
    for code in codes:
        tree = next((tree for tree in trees if code in tree), None)
        if tree is None and code not in every:
            known = [str(known) for tree in trees for known in tree.codes] or [str(known) for known in present]
            raise DataError(
                f"table '{table}': its filter {variable}={code} selects no record"
                f"{did_you_mean(str(code), known) or '; take it out, or correct the code'}"
            )
        chosen |= {code} if tree is None else set(tree.leaves_under(code))
    if not chosen & set(present):
        raise DataError(
            f"table '{table}': its filter {variable}={', '.join(map(str, codes))} selects no record; take the table "
            "out, or correct the filter"
        )
    leaves = frozenset(chosen)
    if leaves == every:
        return TOP
    exact = [code for tree in trees for code in tree.codes if frozenset(tree.leaves_under(code)) == leaves]
    tops = exact[:1] or _tops(trees[0], leaves) if trees else sorted(leaves, key=str)
    return Selection(leaves, tops[0] if len(tops) == 1 else " or ".join(map(str, tops)), tuple(tops))


def restrict(groupings: Groupings, selection: Selection, total: Category) -> Groupings:
    """Return the hierarchies of a variable as far as they are of selected leaves only.

    Groups of which some leaves are not selected are left out: under their names readers would look for all of them.
    """
    if groupings is None:
        return None
    trees = [groupings] if isinstance(groupings, Hierarchy) else list(groupings)  # type: ignore[arg-type]
    return [_restrict_tree(tree, selection, total) for tree in trees]


def as_trees(groupings: Groupings) -> list[Hierarchy]:
    """Return the hierarchies of a variable as a list."""
    if groupings is None:
        return []
    return [groupings] if isinstance(groupings, Hierarchy) else list(groupings)  # type: ignore[arg-type]


def _restrict_tree(tree: Hierarchy, selection: Selection, total: Category) -> Hierarchy:
    inside = [code for code in tree.codes if set(tree.leaves_under(code)) <= selection.leaves]
    tops = _tops(tree, selection.leaves)
    if len(tops) == 1:
        return Hierarchy(tops[0], tuple((tree.parent(code), code) for code in inside if code != tops[0]))  # type: ignore[misc]
    kept = set(inside)
    pairs = ((total if (above := tree.parent(code)) is None or above not in kept else above, code) for code in inside)
    return Hierarchy(total, tuple(pairs))


def _tops(tree: Hierarchy, leaves: frozenset[Category]) -> list[Category]:
    """Return the highest codes under which all leaves are selected."""
    inside = {code for code in tree.codes if set(tree.leaves_under(code)) <= leaves}
    return [code for code in tree.codes if code in inside and tree.parent(code) not in inside]


def describe(where: Mapping[str, Selection]) -> str:
    """Return what a table is of, in words."""
    return ", ".join(f"{variable}={selection.name}" for variable, selection in where.items())
