"""The tables that a publication needs: those that are asked for, and those that readers can work out by subtraction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sfumato.data import Category
from sfumato.tables.publication.equation import Equation
from sfumato.tables.publication.selection import Selection, describe


@dataclass(frozen=True)
class TableRequest:
    """A table to be made of the records.

    Parameters
    ----------
    name
        What to call it.
    by
        Its dimensions.
    value
        Its variable; None for counts.
    where
        The records that it is of, by variables.
    without
        What is left out of these, by variables; nothing when it is empty.
    is_published
        Whether it is published, or can only be worked out.
    """

    name: str
    by: tuple[str, ...]
    value: str | None
    where: Mapping[str, Selection] = field(default_factory=dict)
    without: Mapping[str, Selection] = field(default_factory=dict)
    is_published: bool = True


@dataclass(frozen=True)
class Difference:
    """Two tables and what is left of the one without the other, all by name."""

    whole: str
    part: str
    rest: str


@dataclass(frozen=True)
class Union:
    """A table of some records, and one that has them as several codes; by name.

    Parameters
    ----------
    part, whole
        The tables.
    codes
        For each variable that the one is filtered by and the other has as a dimension, the codes.
    """

    part: str
    whole: str
    codes: Mapping[str, tuple[Category, ...]]


def unions(requests: Sequence[TableRequest]) -> list[Union]:
    """Return tables each of whose cells is the sum of cells of another one, with several codes."""
    found = []
    for part in requests:
        for whole in requests:
            narrower = _narrower(part, whole)
            if part.value != whole.value or part.without or whole.without or not narrower or narrower & set(part.by):
                continue
            codes = {name: part.where[name].codes for name in sorted(narrower)}
            if _is_within(part, whole) and narrower <= set(whole.by) and any(len(each) > 1 for each in codes.values()):
                found.append(Union(part.name, whole.name, codes))
    return found


def _narrower(part: TableRequest, whole: TableRequest) -> set[str]:
    """Return the variables by which a table is of fewer records than another one."""
    return {name for name, choice in part.where.items() if whole.where.get(name) != choice}


def hidden_variables(requests: Sequence[TableRequest], equations: Sequence[Equation]) -> list[TableRequest]:
    """Return tables of variables that are not published and follow from those that are, by an equation."""
    found: dict[str, TableRequest] = {}
    for equation in equations:
        for one, other in combinations(requests, 2):
            named = {one.value, other.value}
            if len(named) < 2 or not named <= set(equation.variables) or dict(one.where) != dict(other.where):
                continue
            by = tuple(name for name in one.by if name in other.by) or one.by[:1]
            for variable in equation.variables:
                wanted = TableRequest(_hidden_name(variable, by, one.where), by, variable, one.where, {}, False)
                if not any(_has_cells_of(known, wanted) for known in (*requests, *found.values())):
                    found[wanted.name] = wanted
    return list(found.values())


def differences(requests: Sequence[TableRequest]) -> tuple[list[TableRequest], list[Difference]]:
    """Return tables of what is left of a table without the records of another one, and which of which."""
    rests: dict[str, TableRequest] = {}
    found = []
    for whole in requests:
        for part in requests:
            if not _is_within(part, whole) or _shows(whole, part, requests):
                continue
            narrower = _narrower(part, whole)
            by = tuple(name for name in whole.by if name in part.by and name not in narrower)
            rest = TableRequest(
                f"{whole.value or 'count'} by {', '.join(by or whole.by[:1])} of {describe(whole.where) or 'all'} "
                f"without {describe(part.where)}",
                by or whole.by[:1],
                whole.value,
                whole.where,
                part.where,
                False,
            )
            rests[rest.name] = rest
            found.append(Difference(whole.name, part.name, rest.name))
    return list(rests.values()), found


def _hidden_name(variable: str, by: Sequence[str], where: Mapping[str, Selection]) -> str:
    of = f" of {describe(where)}" if where else ""
    return f"{variable} by {', '.join(by)}{of}"


def _has_cells_of(known: TableRequest, wanted: TableRequest) -> bool:
    return known.value == wanted.value and dict(known.where) == dict(wanted.where) and set(wanted.by) <= set(known.by)


def _is_within(part: TableRequest, whole: TableRequest) -> bool:
    """Tell whether a table is of some of the records of another one, and of the same variable."""
    if part.value != whole.value or not part.where or dict(part.where) == dict(whole.where):
        return False
    return all(name in part.where and part.where[name].leaves <= choice.leaves for name, choice in whole.where.items())


def _shows(whole: TableRequest, part: TableRequest, requests: Sequence[TableRequest]) -> bool:
    """Tell whether a published table of all the records of the whole has all cells of the part."""
    narrower = _narrower(part, whole)
    return any(
        known.value == whole.value and dict(known.where) == dict(whole.where) and {*part.by, *narrower} <= set(known.by)
        for known in requests
    )
