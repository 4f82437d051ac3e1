"""What recoding by hierarchies cannot do: refused before anything is changed, with what to do about it."""

from collections.abc import Mapping

from sfumato.data import Hierarchy, Kind, Microdata
from sfumato.data.category_merging import plan_merge
from sfumato.display import format_compact, format_count
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.masking.recoding._key_lattice import levels_of_key


def check_conditions(sensitive: str | None, conditions: tuple[object, ...]) -> None:
    """Refuse conditions on sensitive values without a sensitive column, and a sensitive column without conditions."""
    if sensitive is None and any(condition is not None for condition in conditions):
        raise ValueError(
            "FullDomainRecoding.sensitive must name a column when there is a condition on its values; got none"
        )
    if sensitive is not None and all(condition is None for condition in conditions):
        raise ValueError(
            "FullDomainRecoding.sensitive needs a condition on its values: l, entropy_l, recursive_cl or t; got none"
        )


def check_hierarchies(who: str, data: Microdata, names: tuple[str, ...], hierarchies: Mapping[str, Hierarchy]) -> None:
    """Refuse the hierarchy of a column that is not a key or is continuous, and one that lacks categories."""
    for name, hierarchy in hierarchies.items():
        if name not in names:
            near = did_you_mean(name, names)
            raise ParameterError([f"{who}.hierarchies: '{name}' is not one of the columns{near}"])
        if data.schema[name].kind is Kind.CONTINUOUS:
            raise ParameterError(
                [f"{who}.hierarchies: '{name}' is continuous, and is cut by its numbers; leave it out"]
            )
        counts = data.summary.counts(name)
        lacking = sum(count > 0 and category not in hierarchy for category, count in counts.items())
        if lacking:
            raise DataError(
                f"{who}.hierarchies: that of '{name}' lacks {format_count(lacking, 'category')}; add what it lacks "
                "under a group"
            )


def check_order(who: str, data: Microdata, name: str, hierarchy: Hierarchy) -> None:
    """Refuse a hierarchy that joins, at some level, what may not be joined."""
    for step in levels_of_key(data, name, hierarchy).becomes[1:]:
        plan_merge(f"{who}.hierarchies", data, name, step)


def unmet_conditions_message(data: Microdata, names: tuple[str, ...], limit: float) -> str:
    """Return the message for conditions that no levels meet."""
    gaps = [name for name in names if data.summary.missing(name)]
    missing = f"; records without a value of {', '.join(map(repr, gaps))} are classes of their own" if gaps else ""
    return (
        f"FullDomainRecoding: no levels of the keys make every class safe with at most {format_compact(limit)} % "
        f"of the records suppressed{missing}: raise max_suppressed, ask for less, or leave out a key"
    )
