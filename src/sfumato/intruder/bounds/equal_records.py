"""Equal records bound what anybody can link: of those who look alike each is as likely as the next."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import Microdata
from sfumato.intruder.coded_columns import combination_codes, gap_codes
from sfumato.intruder.households import HouseholdMembers
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, FloatColumn


def chances_among_equals(
    data: Microdata, names: Sequence[str], groups: CodeColumn | None = None, grouped: Sequence[str] = ()
) -> FloatColumn:
    """Return for each record the chance to be told from those that look the same, out of 1.

    Records look the same that are equal in some columns and, where the file tells who lives with whom, whose households
    do. Somebody who knows everything, even all draws, but not in which order records are released, cannot do better.
    Where a step makes records of groups that tell of nobody in particular, the groups count, and of the `grouped`
    columns only where values are missing. Who has several of the records is told more easily: whoever has most of those
    that look the same.

    Examples
    --------
    >>> from polars import DataFrame
    >>> chances_among_equals(Microdata(DataFrame({"age": [31, 31, 31, 80]})), ("age",)).round(2)
    array([0.33, 0.33, 0.33, 1.  ])
    """
    numbers = visible_classes(data, names, groups, grouped)
    _, persons = np.unique(data.row_ids, return_inverse=True)
    owners = classes_of(np.array([numbers, persons])).numbers
    most = np.zeros(numbers.max(initial=-1) + 1)
    np.maximum.at(most, numbers, np.bincount(owners)[owners])
    return np.asarray((most / np.bincount(numbers))[numbers], dtype=np.float64)


def visible_classes(
    data: Microdata, names: Sequence[str], groups: CodeColumn | None, grouped: Sequence[str]
) -> CodeColumn:
    """Return a number for each record, the same for those that look the same."""
    seen = tuple(name for name in names if name in data.schema)
    codes = [combination_codes([data], tuple(name for name in seen if name not in grouped))[0]]
    codes += [gap_codes([data], name)[0] for name in dict.fromkeys([*seen, *grouped])]
    codes += [] if groups is None else [groups]
    numbers = classes_of(np.array(codes)).numbers
    households = visible_households(data)
    if households is None:
        return numbers
    return classes_of(np.array([numbers, _household_classes(numbers, households)[households.numbers]])).numbers


def visible_households(data: Microdata) -> HouseholdMembers | None:
    """Return the households of a file that tells who lives with whom; nothing where everybody lives alone."""
    households = HouseholdMembers.of(data)
    return None if households is None or households.sizes.max(initial=0) < 2 else households


def _household_classes(numbers: CodeColumn, households: HouseholdMembers) -> CodeColumn:
    """Return a number for each household, the same for those whose members are in the same classes."""
    found, count = np.zeros(len(households.sizes), dtype=np.int64), 0
    for size in np.unique(households.sizes):
        some = np.flatnonzero(households.sizes == size)
        members = np.sort(numbers[households.members_of(some)], axis=1)
        alike = classes_of(np.ascontiguousarray(members.T))
        found[some] = alike.numbers + count
        count += alike.count
    return found
