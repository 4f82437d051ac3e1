"""What people say of the dimensions of a table, turned into dimensions."""

from collections.abc import Mapping, Sequence

from sfumato.data import Category, Hierarchy
from sfumato.errors import ParameterError, SchemaError, did_you_mean
from sfumato.tables.cells.dimension import Dimension

MAX_DIMENSIONS = 5

Groupings = Hierarchy | Sequence[Hierarchy] | Dimension | None
By = Sequence[str] | Mapping[str, Groupings]


def groupings_of(by: By) -> dict[str, Groupings]:
    """Return the groupings of each dimension by its name."""
    names = (by,) if isinstance(by, str) else tuple(by)
    check_dimensions(names)
    return dict(by) if isinstance(by, Mapping) else dict.fromkeys(names)


def check_dimensions(names: Sequence[str]) -> None:
    """Refuse no dimension, more than five, and one that is named twice."""
    if not 1 <= len(names) <= MAX_DIMENSIONS:
        raise ParameterError([f"Table: by must name 1 to {MAX_DIMENSIONS} dimensions; got {len(names)}"])
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ParameterError([f"Table: by must name each dimension once; '{twice[0]}' is repeated"])


def dimension_of(
    name: str, groupings: Groupings, found: Sequence[Category], *, total: Category, added: Category | None = None
) -> Dimension:
    """Return the dimension that somebody asked for.

    Parameters
    ----------
    name, groupings
        The variable, and its hierarchies if it has any.
    found
        The codes that stand directly under the total where there is no hierarchy.
    total
        The code of the total where there is no hierarchy.
    added
        A code to put directly under the total where it is not there yet.
    """
    if isinstance(groupings, Dimension):
        return groupings
    if groupings is None:
        leaves = tuple(found) if added is None or added in found else (*found, added)
        return Dimension.flat(name, leaves, total)
    trees = [groupings] if isinstance(groupings, Hierarchy) else list(groupings)
    if not all(isinstance(tree, Hierarchy) for tree in trees):
        raise ParameterError([f"Table: dimension '{name}' needs a Hierarchy, several of them, or None"])
    if added is not None:
        trees = [tree if added in tree else Hierarchy(tree.root, (*tree.pairs, (tree.root, added))) for tree in trees]
    return Dimension.from_hierarchies(name, trees)


def check_leaf(dimension: Dimension, code: Category) -> None:
    """Refuse a record's code that the dimension does not have, or that stands for a group."""
    check_known(dimension, code, "name it as `missing` to put it directly under the total")
    place = dimension.place[code]
    if dimension.covered[place][0] != place:
        raise SchemaError(
            f"dimension '{dimension.name}': records must have leaves of the hierarchy; some have {code!r}, which is a "
            f"group or the total: give them a leaf of their own under it"
        )


def check_known(dimension: Dimension, code: Category, way_out: str) -> None:
    """Refuse a code that the dimension does not have, with the nearest one."""
    if code in dimension.place:
        return
    twins = [known for known in dimension.codes if str(known) == str(code)]
    if twins:
        raise SchemaError(
            f"dimension '{dimension.name}': the data have the {_type_of(code)} {code!r} and the hierarchy has the "
            f"{_type_of(twins[0])} {twins[0]!r}; make both text or both numbers"
        )
    near = did_you_mean(str(code), map(str, dimension.codes))
    raise SchemaError(
        f"dimension '{dimension.name}': the hierarchy has no code {code!r}{near or ';'} add it to the hierarchy, "
        f"recode it, or {way_out}"
    )


def _type_of(code: Category) -> str:
    return "text" if isinstance(code, str) else "number"
