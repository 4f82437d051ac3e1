"""What k is on the page, and who is alone by the keys and columns that people commonly know."""

from typing import NamedTuple

import numpy as np

from sfumato.assessment.claims import claimed_anonymity
from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Microdata, Role
from sfumato.display import format_compact, format_percent
from sfumato.keys.classes import MissingKeys, class_sizes, key_codes
from sfumato.parameters.limits import SMALLEST_GROUP
from sfumato.reports.release.chapters.judged_intruders import MAX_FOUND
from sfumato.reports.release.measured_release import MeasuredRelease

MAX_VALUES = 120  # different values of a number that acquaintances may know, such as an age


class KnownBeside(NamedTuple):
    """True columns beside the keys that acquaintances may know, and how many records are alone if they are known.

    Parameters
    ----------
    worst, alone
        The column that leaves most records alone by the keys and itself, and how many.
    names, together
        All these columns, and how many records are alone if all are known.
    """

    worst: str = ""
    alone: int = 0
    names: tuple[str, ...] = ()
    together: int = 0


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


def known_beside_keys(released: Microdata, keys: tuple[str, ...], true: tuple[str, ...]) -> KnownBeside:
    """Return who is alone by the keys and true columns; a gap fits every value.

    Parameters
    ----------
    released, keys
        The released file, and its keys.
    true
        The columns that show what was there.
    """
    if not true:
        return KnownBeside()
    alone = {name: _count_alone(released, (*keys, name)) for name in true}
    worst = max(alone, key=lambda name: alone[name])
    return KnownBeside(worst, alone[worst], true, _count_alone(released, (*keys, *true)))


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
