"""What is asked of a protection, checked before anything is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.contracts import MaskingMethod
from sfumato.data import Hierarchy, Microdata, role
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.parameters.hierarchies import as_hierarchy
from sfumato.protection.keys import Keys, keys_of
from sfumato.protection.ladders import USUAL_NAMES, Naming


@dataclass(frozen=True)
class Plan:
    """What is asked of a protection: see `protect`."""

    k: int
    hierarchies: Mapping[str, Hierarchy]
    importance: Mapping[str, float]
    max_suppressed: float
    number_steps: tuple[MaskingMethod, ...] | None
    strict: bool = False
    naming: Naming = USUAL_NAMES


def check_plan(
    data: Microdata,
    *,
    k: int,
    hierarchies: Mapping[str, Any],
    importance: Mapping[str, float],
    max_suppressed: float,
    number_steps: Sequence[MaskingMethod] | None,
    strict: bool,
    naming: Naming,
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
    at_stake = (*keys.names, *data.select(role("confidential")))
    problems = [
        *(f"protect: {problem}" for problem in suspicion_problems(data, at_stake)),
        *_problems_of_size(k, max_suppressed),
        *_problems_of_names(keys, hierarchies, importance),
        *_problems_of_steps(keys, number_steps or ()),
        *([] if naming.other_label.strip() else ["protect.other_label must be text; got none"]),
    ]
    trees = {}
    for name, tree in hierarchies.items():
        try:
            trees[name] = as_hierarchy(tree)
        except ValueError as error:
            problems.append(f"protect.hierarchies: '{name}' {error}")
    if problems:
        raise ParameterError(problems)
    if data.n < k:
        raise DataError(f"protect.k: {data.n} records are fewer than a group of {k}; take a smaller k or more records")
    steps = None if number_steps is None else tuple(number_steps)
    return Plan(k, trees, dict(importance), max_suppressed, steps, strict, naming)


def _problems_of_size(k: int, max_suppressed: float) -> list[str]:
    problems = []
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        problems.append(f"protect.k must be a whole number of at least 2; got {k!r}")
    if not 0 <= max_suppressed <= 100:
        problems.append(f"protect.max_suppressed must be a percentage from 0 to 100; got {max_suppressed!r}")
    return problems


def _problems_of_names(keys: Keys, hierarchies: Mapping[str, Any], importance: Mapping[str, float]) -> list[str]:
    problems = [
        f"protect.hierarchies: '{name}' is not a categorical key{did_you_mean(name, keys.categories)}"
        for name in hierarchies
        if name not in keys.categories
    ]
    for name, worth in importance.items():
        if name not in keys.names:
            problems.append(f"protect.importance: '{name}' is not one of the keys{did_you_mean(name, keys.names)}")
        elif not worth > 0:
            problems.append(f"protect.importance: '{name}' must be worth more than 0; got {worth!r}")
    return problems


def _problems_of_steps(keys: Keys, steps: Sequence[MaskingMethod]) -> list[str]:
    """Return what is wrong with the steps for numbers: they must leave the keys and the records as they are."""
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
    return problems
