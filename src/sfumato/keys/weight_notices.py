"""What the sampling weights of a file tell of who is who, and of who lives together."""

import numpy as np

from sfumato.contracts import paired_rows
from sfumato.data import Microdata, role
from sfumato.errors import DataError
from sfumato.keys.findings.equal_records import are_equal_in_groups
from sfumato.keys.households import households_of
from sfumato.keys.units.told_households import household_columns
from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.ranking import dense_numbers

ADVICE = "the method weight_rounding lets several share one (protect takes it among the steps for numbers)"
SMALLEST_GROUP = 3  # of records that were made equal: two may be a couple


def weight_notices(data: Microdata, original: Microdata | None = None) -> list[str]:
    """Return for each column of weights sentences about those that have a weight of their own, or share it with a few.

    The members of a household share its weight, so that households are counted where they are known: by the column of
    households, or by an identifier that several records share. Those of the `original` are known too. Records that are
    equal in groups tell no households, but those of the original.
    """
    original = _paired(data, original)
    units, is_by_household = _units(data, original)
    shared = [] if is_by_household or _are_made_equal(data) else _shared_weight_notices(data, original)
    return [*_own_weight_notices(data, units, is_by_household), *shared]


def own_weight_notices(data: Microdata, original: Microdata | None = None) -> list[str]:
    """Return for each column of weights a sentence about the households, or records, that have one of their own."""
    return _own_weight_notices(data, *_units(data, _paired(data, original)))


def _shared_weight_notices(data: Microdata, original: Microdata | None) -> list[str]:
    """Return for each column of weights a sentence about the records that share theirs with a few others."""
    from sfumato.keys.findings.found_households import shared_weight_words  # with loops, which take long to load

    words = {name: shared_weight_words(data, name, original) for name in data.select(role("weight"))}
    return [f"{name}: {told}; {ADVICE}." for name, told in words.items() if told]


def _own_weight_notices(data: Microdata, units: CodeColumn, is_by_household: bool) -> list[str]:
    is_hidden = is_by_household and not data.select(role("household"))
    notices = []
    for name in data.select(role("weight")):
        own = count_with_own_value(units, data.numbers(name))
        if own:
            total, unit = int(units.max()) + 1, "households" if is_by_household else "records"
            who = f"{own:,} of {total:,} {unit}" if total > 1 else f"the {unit.removesuffix('s')}"
            told = ", which tells who lives together although the household is not released" if is_hidden else ""
            have = "has" if own == 1 else "have"
            notices.append(
                f"{name}: {who} {have} a weight that no other has{told}: whoever knows it finds them; {ADVICE}."
            )
    return notices


def count_with_own_value(units: CodeColumn, values: CodeColumn) -> int:
    """Return how many units have a value that no other unit has; -1 is none.

    Examples
    --------
    >>> count_with_own_value(np.array([0, 0, 1, 2]), np.array([7, 7, 4, 4]))
    1
    """
    known = values >= 0
    values, units = values[known], units[known]
    holder = np.zeros(int(values.max(initial=-1)) + 1, dtype=np.int64)
    holder[values] = units  # one of those that hold each value
    is_shared = np.zeros(holder.size, dtype=np.bool_)
    is_shared[values[holder[values] != units]] = True
    has_own = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.bool_)
    has_own[units[~is_shared[values]]] = True
    return int(np.count_nonzero(has_own))


def _paired(data: Microdata, original: Microdata | None) -> Microdata | None:
    """Return the original if the records came from it; synthetic ones came from none."""
    try:
        return original if original is None or paired_rows(original, data).size else None
    except DataError:
        return None


def _units(data: Microdata, original: Microdata | None) -> tuple[CodeColumn, bool]:
    """Return the number of each record's household, from 0, or of the record itself; and whether it is the former."""
    households = None if _are_made_equal(data) else _households(data)
    if households is None and original is not None:
        known = _households(original)
        households = None if known is None else known[paired_rows(original, data)]
    if households is None:
        return np.arange(data.n), False
    return dense_numbers(households), True


def _are_made_equal(data: Microdata) -> bool:
    """Tell whether records are equal in groups, as whole records were averaged: such groups are no households."""
    return not data.select(role("household")) and are_equal_in_groups(data, SMALLEST_GROUP)


def _households(data: Microdata) -> CodeColumn | None:
    """Return the number of each record's household, one of its own where it has none; None where nothing tells."""
    names = household_columns(data)
    return households_of(data, names).number if names else None
