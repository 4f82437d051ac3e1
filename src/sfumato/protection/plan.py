"""What is asked of a protection, checked before anything is done."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sfumato.data import Hierarchy, Microdata
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.parameters.hierarchies import as_hierarchy
from sfumato.protection.keys import Keys, keys_of


class Numbers(StrEnum):
    """What becomes of confidential numbers."""

    MICROAGGREGATION = "microaggregation"
    """Each record gets the means of at least k similar ones, over all these columns together."""
    RANK_SWAPPING = "rank_swapping"
    """Values are swapped with others of nearly the same rank, column by column."""
    UNCHANGED = "unchanged"
    """They are released as they are."""


@dataclass(frozen=True)
class Plan:
    """What is asked of a protection: see `protect`."""

    k: int
    hierarchies: Mapping[str, Hierarchy]
    importance: Mapping[str, float]
    max_suppressed: float
    numbers: Numbers


def check_plan(
    data: Microdata,
    *,
    k: int,
    hierarchies: Mapping[str, Any],
    importance: Mapping[str, float],
    max_suppressed: float,
    numbers: Numbers | str,
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
    problems = [
        *_problems_of_numbers(k, max_suppressed, numbers),
        *_problems_of_names(keys, hierarchies, importance),
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
    return Plan(k, trees, dict(importance), max_suppressed, Numbers(numbers))


def _problems_of_numbers(k: int, max_suppressed: float, numbers: Numbers | str) -> list[str]:
    problems = []
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        problems.append(f"protect.k must be a whole number of at least 2; got {k!r}")
    if not 0 <= max_suppressed <= 100:
        problems.append(f"protect.max_suppressed must be a percentage from 0 to 100; got {max_suppressed!r}")
    choices = [choice.value for choice in Numbers]
    if numbers not in choices:
        near = did_you_mean(str(numbers), choices)
        problems.append(f"protect.numbers must be one of {', '.join(choices)}; got {numbers!r}{near}")
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
