"""What k is on the page, and who is alone by the keys and columns that people commonly know."""

from typing import NamedTuple

import numpy as np

from sfumato.assessment.claims import claimed_anonymity
from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Microdata, Role
from sfumato.display import format_compact, format_percent
from sfumato.keys.classes import MissingKeys, class_sizes, key_codes
from sfumato.keys.findings.sides_by_keys import sides_by_keys
from sfumato.parameters.limits import SMALLEST_GROUP
from sfumato.reports.release.chapters.judging.standing import MAX_FOUND
from sfumato.reports.release.measured_release import MeasuredRelease

MEAN_RISK = "global_risk"
SEVERAL = 2.0  # percent: a mean risk from which on the page calls it bad
MAX_VALUES = 120  # different values of a number that acquaintances may know, such as an age


class AloneBeside(NamedTuple):
    """How many are found by keys and other columns, from both sides.

    Parameters
    ----------
    records
        How many records fit one person only; where nobody knows what a person would show, are unique.
    persons
        How many persons fit one record only; None where nobody knows what a person would show.
    """

    records: int = 0
    persons: int | None = None

    @property
    def any(self) -> int:
        """The larger of the two counts."""
        return max(self.records, self.persons or 0)


class KnownBeside(NamedTuple):
    """True columns beside the keys that acquaintances may know, and how many are alone if they are known.

    Parameters
    ----------
    worst, alone
        The column that leaves most records alone by the keys and itself, and how many are found by it.
    names, together
        All these columns, and how many are found if all are known.
    """

    worst: str = ""
    alone: AloneBeside = AloneBeside()
    names: tuple[str, ...] = ()
    together: AloneBeside = AloneBeside()


def true_columns(aligned: Microdata | None, released: Microdata) -> tuple[str, ...]:
    """Return the columns of few values that are neither keys nor confidential and show what was there, or nothing."""
    if aligned is None:
        return ()
    return tuple(
        one.name
        for one in released.schema.variables
        if one.role is Role.OTHER
        and one.name in aligned.schema
        and 1 < released.summary.distinct(one.name) <= MAX_VALUES
        and _is_true(aligned, released, one.name)
    )


def known_beside_keys(
    aligned: Microdata | None, released: Microdata, keys: tuple[str, ...], true: tuple[str, ...]
) -> KnownBeside:
    """Return who is alone by the keys and true columns; a gap fits every value.

    Parameters
    ----------
    aligned
        The original in the order of the released file; None where nothing tells which record is which.
    released, keys
        The released file, and its keys.
    true
        The columns that show what was there.
    """
    if not true:
        return KnownBeside()
    unique = {name: _count_alone(released, (*keys, name)) for name in true}
    worst = max(unique, key=lambda name: unique[name])
    return KnownBeside(
        worst, _found(aligned, released, (*keys, worst)), true, _found(aligned, released, (*keys, *true))
    )


def _found(aligned: Microdata | None, released: Microdata, names: tuple[str, ...]) -> AloneBeside:
    """Return how many are found by some columns, from both sides where it is known what became of each."""
    sides = None if aligned is None else sides_by_keys(aligned, released, names)
    if sides is None:
        return AloneBeside(_count_alone(released, names))
    return AloneBeside(*(int(np.count_nonzero(one <= 1)) for one in (sides.persons, sides.records)))


def _count_alone(data: Microdata, names: tuple[str, ...]) -> int:
    return int(np.count_nonzero(class_sizes(key_codes(data, names), MissingKeys.WILDCARD) == 1))


def _is_true(aligned: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether every value that is shown is the one that was there."""
    if aligned.schema[name].kind is not released.schema[name].kind:
        return False
    shown = released.observed(name)
    if released.schema[name].kind in CATEGORICAL:
        before, after, _ = common_codes(aligned, released, name)
        return bool((before[shown] == after[shown]).all())
    return bool((aligned.values(name)[shown] == released.values(name)[shown]).all())


def k_in_words(measured: MeasuredRelease, *, for_all: bool) -> str:
    """Return what k is on the page, and who asked for it; everybody is not told what a recipe asks for."""
    question = measured.question
    if question.k:
        asked = "as whoever asked for this report said"
    elif any(limit.figure == SMALLEST_GROUP for limit in question.limits):
        asked = "as the limit on it says"
    elif not for_all and claimed_anonymity(question.released, question.steps):
        asked = "as the recipe asks"
    else:
        asked = "and this edition was given no limit on it" if for_all else "the usual one, as no limit was given"
    few = ""
    if measured.k < (needed := 100 / MAX_FOUND):
        few = (
            f" That allows a chance of {format_percent(100 / measured.k)}; this page calls only "
            f"{format_compact(needed)} or more safe."
        )
    return f"k is how many records should be left, at least, to whoever looks for a person: {measured.k}, {asked}.{few}"


def lax_limit_words(measured: MeasuredRelease) -> str:
    """Return that a limit on the mean risk allows what the page calls bad; nothing where none does."""
    number = next((one.number for one in measured.question.limits if one.figure == MEAN_RISK), 0.0)
    if number < SEVERAL:
        return ""
    return (
        f"The limit on the mean risk of a record from a register, {format_compact(number)} %, allows what this page "
        f"calls bad: several percent. It was set by whoever asked for this report."
    )
