"""What is asked of a protection, checked before anything is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.contracts import MaskingMethod
from sfumato.data import CATEGORICAL, Hierarchy, Microdata, role
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.display import format_count
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.keys.checks import MAKE_CLASSES, check_sensitive
from sfumato.keys.combinations import KeyCombination, bind_combinations
from sfumato.keys.unique_columns import differing_columns
from sfumato.masking.microaggregation.record_microaggregation import SMALLEST_GROUP
from sfumato.masking.suppression.local_suppression import MAX_COLUMNS as MAX_KEYS
from sfumato.masking.suppression.strict_local_suppression import MAX_COLUMNS as MAX_STRICT_KEYS
from sfumato.parameters.hierarchies import as_hierarchy
from sfumato.protection.keys import Keys, keys_of
from sfumato.protection.ladders import USUAL_NAMES, Naming
from sfumato.risk import KAnonymity


@dataclass(frozen=True)
class Plan:
    """What is asked of a protection: see `protect`.

    Beside that it holds the columns of role other that differ for most records and were not to be kept: numbers, which
    are `masked` like confidential ones, and all others, which are `dropped` like identifiers; and the columns that
    number households though their role does not say so. Of those that are `masked`, `factors` are masked because they
    would give other masked ones back.
    """

    k: int
    hierarchies: Mapping[str, Hierarchy]
    importance: Mapping[str, float]
    max_suppressed: float
    number_steps: tuple[MaskingMethod, ...] | None
    strict: bool = False
    both_sides: bool = False
    naming: Naming = USUAL_NAMES
    combinations: tuple[KeyCombination, ...] = ()
    sensitive: tuple[str, ...] = ()
    l: int | None = None
    t: float | None = None
    masked: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    whole_records: bool = False
    undeclared_households: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()


def check_plan(
    data: Microdata,
    *,
    k: int,
    hierarchies: Mapping[str, Any],
    importance: Mapping[str, float],
    max_suppressed: float,
    number_steps: Sequence[MaskingMethod] | None,
    strict: bool,
    both_sides: bool,
    naming: Naming,
    combinations: Any,
    sensitive: Sequence[str],
    l: int | None,
    t: float | None,
    keep: Sequence[str] = (),
    whole_records: bool = False,
    undeclared_households: tuple[str, ...] = (),
) -> Plan:
    """Return the plan, after checking it against the file; everything wrong with it is reported at once."""
    if not isinstance(data, Microdata):
        raise DataError(
            f"protect needs Microdata; got a {type(data).__name__}: read a file with sf.read, or wrap a dataframe as "
            f"in sf.Microdata(frame, schema)"
        )
    if not data.n:
        raise DataError("protect: the file has no records; there is nothing to protect")
    keys = keys_of(data)
    known, problems_of_combinations = _combinations(data, keys, combinations)
    confidential, problems_of_columns = _sensitive_columns(data, keys, sensitive, l, t)
    at_stake = (*keys.names, *data.select(role("confidential")))
    problems = [
        *(f"protect: {problem}" for problem in suspicion_problems(data, at_stake)),
        *_problems_of_size(k, max_suppressed),
        *_problems_of_names(keys, hierarchies, importance),
        *_problems_of_steps(keys, confidential, number_steps or ()),
        *problems_of_combinations,
        *problems_of_columns,
        *_problems_of_diversity(confidential, l, t),
        *([] if whole_records else _problems_of_keys(keys, is_strict=strict or l is not None or t is not None)),
        *(
            f"protect.keep: there is no column '{name}'{did_you_mean(name, data.schema.names)}"
            for name in keep
            if name not in data.schema
        ),
        *([] if naming.other_label.strip() else ["protect.other_label must be text; got none"]),
    ]
    if known and (strict or l is not None or t is not None):
        problems.append(
            "protect.combinations must be left out with protect.strict, protect.l or protect.t, which protect against "
            "all keys at once"
        )
    if whole_records:
        given = {
            "hierarchies": bool(hierarchies),
            "importance": bool(importance),
            "number_steps": number_steps is not None,
            "combinations": bool(known),
            "sensitive": bool(sensitive),
            "l": l is not None,
            "t": t is not None,
        }
        problems += _problems_of_whole_records(k, [name for name, is_given in given.items() if is_given])
    trees = {}
    for name, tree in hierarchies.items():
        try:
            trees[name] = as_hierarchy(tree)
        except ValueError as error:
            problems.append(f"protect.hierarchies: '{name}' {error}")
    if problems:
        raise ParameterError(problems)
    if data.n < k:
        held = format_count(data.n, "record")
        raise DataError(
            f"protect.k: a group of {k} needs more than the file has, {held}; take a smaller k or more records"
        )
    steps = None if number_steps is None else tuple(number_steps)
    numbers, others = differing_columns(data, (*keep, *confidential))
    is_strict = (
        strict or whole_records or l is not None or t is not None
    )  # what a group shares is read off equal records
    return Plan(
        k,
        trees,
        dict(importance),
        max_suppressed,
        steps,
        is_strict,
        both_sides or is_strict,
        naming,
        known,
        confidential,
        l,
        t,
        numbers if number_steps is None and not whole_records else (),
        others,
        whole_records,
        undeclared_households,
    )


def _problems_of_size(k: int, max_suppressed: float) -> list[str]:
    problems = []
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        problems.append(f"protect.k must be a whole number of at least 2; got {k!r}")
    if not 0 <= max_suppressed <= 100:
        problems.append(f"protect.max_suppressed must be a percentage from 0 to 100; got {max_suppressed!r}")
    return problems


def _problems_of_whole_records(k: int, given: Sequence[str]) -> list[str]:
    """Return what whole records cannot be protected with: they are grouped by all columns alike."""
    problems = [
        f"protect.{name} must be left out with protect.whole_records, which changes all columns" for name in given
    ]
    if isinstance(k, int) and k == SMALLEST_GROUP - 1:
        problems.append(
            f"protect.k must be at least {SMALLEST_GROUP} with protect.whole_records, as each of two records would "
            f"learn the other's numbers from their mean; got {k}"
        )
    return problems


def _problems_of_keys(keys: Keys, *, is_strict: bool) -> list[str]:
    """Return that there are more keys than can be protected at once, and what to do."""
    most = MAX_STRICT_KEYS if is_strict else MAX_KEYS
    if len(keys.names) <= most:
        return []
    how = "where a gap is a value of its own (strict, l or t) " if is_strict else ""
    return [
        f"protect: {how}at most {most} keys can be protected at once, as all sets of them are looked at; the file has "
        f"{len(keys.names)}: {', '.join(keys.names)}. Leave the role key to those that others know best of a person, "
        f"give the rest the role confidential or identifier, put several into one column, or protect whole records "
        f"(the option whole_records), which takes any number"
    ]


def _problems_of_names(keys: Keys, hierarchies: Mapping[str, Any], importance: Mapping[str, float]) -> list[str]:
    problems = [
        f"protect.hierarchies: '{name}' is not a nominal or ordinal key{_nearest(name, keys.categories)}"
        for name in hierarchies
        if name not in keys.categories
    ]
    for name, worth in importance.items():
        if name not in keys.names:
            problems.append(f"protect.importance: '{name}' is not one of the keys{_nearest(name, keys.names)}")
        elif not worth > 0:
            problems.append(f"protect.importance: '{name}' must be worth more than 0; got {worth!r}")
    return problems


def _nearest(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or f"; there are {', '.join(known) or 'none'}"


def _sensitive_columns(
    data: Microdata, keys: Keys, named: Sequence[str], l: int | None, t: float | None
) -> tuple[tuple[str, ...], list[str]]:
    """Return the columns that are named, else all nominal and ordinal ones that are confidential, and the problems."""
    if named or (l is None and t is None):
        problems = []
        for name in named:
            try:
                check_sensitive("protect", data, keys.names, name, l if isinstance(l, int) else 1)
            except DataError as error:
                problems.append(str(error))
        return tuple(named), problems
    found = tuple(name for name in data.select(role("confidential")) if data.schema[name].kind in CATEGORICAL)
    lacking = (
        "protect.sensitive: no nominal or ordinal column has the role confidential; name the columns whose values "
        f"nobody should learn from the keys; where one is continuous, {MAKE_CLASSES}"
    )
    return found, [] if found else [lacking]


def _combinations(data: Microdata, keys: Keys, combinations: Any) -> tuple[tuple[KeyCombination, ...], list[str]]:
    """Return the combinations of keys with their columns named, and what is wrong with them."""
    try:
        read = KAnonymity(columns=keys.names, combinations=combinations).combinations
        return bind_combinations("protect", read, data, keys.names), []
    except ParameterError as error:
        return (), [problem.replace("KAnonymity.", "protect.") for problem in error.problems]
    except DataError as error:
        return (), [str(error)]


def _problems_of_diversity(sensitive: tuple[str, ...], l: int | None, t: float | None) -> list[str]:
    problems = []
    if l is not None and (isinstance(l, bool) or not isinstance(l, int) or l < 2):
        problems.append(f"protect.l must be a whole number of at least 2; got {l!r}")
    if t is not None and not 0 < t <= 1:
        problems.append(f"protect.t must be above 0 and at most 1; got {t!r}")
    if sensitive and l is None and t is None:
        problems.append(
            "protect.sensitive is only for protect.l or protect.t: give one of them, or leave the sensitive columns out"
        )
    return problems


def _problems_of_steps(keys: Keys, sensitive: tuple[str, ...], steps: Sequence[MaskingMethod]) -> list[str]:
    """Return what is wrong with the steps for numbers: they must leave keys, sensitive columns and records alone."""
    problems = []
    for step in steps:
        if not isinstance(step, MaskingMethod):
            problems.append(f"protect.number_steps must be masking methods; got a {type(step).__name__}")
            continue
        who = f"protect.number_steps: {step.name()}"
        if not step.keeps_shape:
            problems.append(f"{who} adds or drops records or columns; take a method that keeps them")
        named = step.columns if isinstance(step.columns, tuple) else ()
        problems.extend(f"{who} changes the key '{name}'; leave it out" for name in named if name in keys.names)
        problems.extend(f"{who} changes the sensitive '{name}'; leave it out" for name in named if name in sensitive)
    return problems
