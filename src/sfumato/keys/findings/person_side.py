"""How many records are left to somebody who looks for one person, by the keys, gaps and other columns together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.display import format_count
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.ruled_out import RuledOut


class PersonSide(NamedTuple):
    """Who is found by somebody who looks for one person and knows what goes with what.

    Parameters
    ----------
    persons, alone
        How many persons fewer than k records fit, and how many of them one alone, which is theirs.
    fewest
        How many records fit the person whom fewest do, k where that is enough.
    """

    persons: int
    alone: int
    fewest: int


def person_side(file: FittingPersons, gaps: Sequence[RuledOut], k: int) -> PersonSide:
    """Return who is left with fewer than k records.

    The records that fit a person show no key that the person has not, and neither their other columns nor their gaps
    rule the person out: the same is asked as of the persons who fit a record, and counted from the other side. Who
    looks like k - 1 others in all of it has k records at least, those of all of them.

    Parameters
    ----------
    file
        The released records, the persons, and what other columns rule out.
    gaps
        What the gaps of keys rule out.
    k
        How many records should be left.

    Examples
    --------
    >>> from sfumato.keys.ruled_out import ReleasedKey
    >>> sex, shown = np.array([0, 0, 0, 1, 1, 1, 2]), np.array([0, 0, 0, 1, 1, 1, -1])
    >>> person_side(FittingPersons.of([ReleasedKey(sex, shown, False)], ()), (), 3)
    PersonSide(persons=1, alone=1, fewest=1)
    """
    left = file.ruled_by((*file.ruled, *gaps)).record_counts(k)
    few = left < k
    return PersonSide(int(np.count_nonzero(few)), int(np.count_nonzero(few & (left == 1))), int(left.min(initial=k)))


def person_remark(side: PersonSide, k: int, *, is_limited: bool = False) -> str:
    """Return who is found so, and what to do, where a limit on k suppressed all that helps or where none was given."""
    return (
        f"to whoever looks for one person by the keys, the gaps and what other columns tell, {person_words(side, k)}; "
        f"{_to_do(k, is_limited=is_limited)}"
    )


def _to_do(k: int, *, is_limited: bool) -> str:
    if is_limited:
        return "no further gap helps, as other columns rule out all but a few records: drop or recode these columns"
    return f"protecting with a limit on k, or strictly, suppresses more, so that {k} are left wherever gaps can do that"


def person_words(side: PersonSide, k: int) -> str:
    """Return who is left with few records, in words."""
    one = f", {side.alone:,} of them with one, which is theirs" if side.alone else ""
    are = "is" if side.persons == 1 else "are"
    return f"{format_count(side.persons, 'person')} {are} left with fewer than {k} records{one}"
