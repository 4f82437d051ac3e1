"""The headline on the keys: how many records fit each person, what was not counted, and who is left with fewer."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.assessment.claims import claimed_anonymity
from sfumato.assessment.release_notes import DROPPED_COMPUTED, MEANS_TOLD, VALUES_COMPUTED
from sfumato.data import CATEGORICAL, Microdata, role
from sfumato.data.column_names import is_usual_key
from sfumato.display import format_count
from sfumato.keys.classes import MissingKeys, class_sizes, key_codes
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.parameters.limits import SMALLEST_GROUP
from sfumato.reports.release.chapters.intruders import list_names, unprotected_variables
from sfumato.reports.release.chapters.judged_intruders import k_in_doubt
from sfumato.reports.release.measured_release import KeyRisk, MeasuredRelease
from sfumato.reports.risk_figures import FIGURES

MAX_VALUES = 120  # different values of a number that acquaintances may know, such as an age
WITH_HINTS = "with hints from other columns, gaps or households fewer, for some persons"

SILENT_ON_AMOUNTS = (
    (frozenset({MEANS_TOLD}), "amounts that means tell"),
    (frozenset({VALUES_COMPUTED, DROPPED_COMPUTED}), "values that can be computed"),
)
"""What a file tells of persons who are not found, by the alarms that say so."""


class KnownBeside(NamedTuple):
    """Untouched columns that acquaintances may know, and how many records are alone by the keys and these."""

    names: tuple[str, ...]
    alone: int


def keys_in_words(measured: MeasuredRelease, after: KeyRisk, *, for_all: bool) -> Iterator[str]:
    """Yield sentences on how many records fit what each shows of its keys; everybody reads no count below k.

    Parameters
    ----------
    measured, after
        What was measured, and what the released file gives away by its keys.
    for_all
        Whether everybody reads it.
    """
    k, strict = int(after.report["k"]), int(after.report["strict_k"])
    untouched = unprotected_variables(measured)
    without = f"; counted without {list_names(measured.released, untouched)}, released unchanged" if untouched else ""
    if for_all and k < measured.k:
        yield f"By the keys some records fit fewer than {measured.k} records{without}."
    elif k <= 1:
        yield f"By the keys some records stand alone, so that an acquaintance finds them{without}."
    elif k_in_doubt(measured):
        yield f"By the keys alone every record fits at least {k} records; {WITH_HINTS}{without}."
    else:
        gaps = ", a gap fitting every value" if strict < k else ""
        yield f"By the keys every record fits at least {k} records{gaps}{without}."
    if for_all:
        return
    if after.findings is not None:
        yield from _both_directions(after.findings)
    known = known_beside_keys(measured.released, after.keys, untouched)
    if known.names:
        yield (
            f"Whoever knows {list_names(measured.released, known.names)}, too, finds "
            f"{format_count(known.alone, 'record')} of {measured.released.n:,} alone."
        )


def _both_directions(found: KeyFindings) -> Iterator[str]:
    """Yield how many stand out by keys, gaps and hints, from a person to records and from a record to persons.

    They are two counts: few records may fit a person of whom each fits many persons, and the other way round.
    """
    side, records = found.exposure.side, _records_with_few_persons(found)
    if not records and (side is None or not side.persons):
        return
    yield "With what gaps and other columns tell beside the keys, two different counts are made."
    if side is not None:
        persons = format_count(side.persons, "person") if side.persons else "nobody"
        alone = f", {side.alone:,} of them with one, which is theirs" if side.alone else ""
        yield (
            f"From a person to the records: somebody looks for one person among all records, and {persons} "
            f"{_are(side.persons or 1)} left with fewer than {found.k} records that may be theirs{alone}."
        )
    shown = f"at least {format_count(records, 'record')} {_are(records)}" if records else "no record is"
    yield (
        f"From a record to the persons: somebody takes one record and asks whose it is, and {shown} left with fewer "
        f"than {found.k} persons who may have it."
    )


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _records_with_few_persons(found: KeyFindings) -> int:
    """Return how many records, at least, fewer than k persons fit by what columns, gaps or repeated persons tell."""
    counts = [found.exposure.records or 0]
    counts += [] if found.gaps is None else [found.gaps.records]
    counts += [] if found.persons is None else [found.persons.records]
    return max(counts)


def known_beside_keys(released: Microdata, keys: tuple[str, ...], untouched: tuple[str, ...]) -> KnownBeside:
    """Return who is alone by the keys and the untouched columns that people commonly know; a gap fits every value.

    Where no name or label tells a column that people know, those of few values are taken.

    Parameters
    ----------
    released, keys
        The released file, and its keys.
    untouched
        The columns that are neither keys nor confidential and were left as they were.
    """
    usual = tuple(name for name in untouched if is_usual_key(name) or is_usual_key(released.schema[name].label or name))
    names = tuple(name for name in usual or untouched if _has_few_values(released, name))
    if not names:
        return KnownBeside((), 0)
    sizes = class_sizes(key_codes(released, (*keys, *names)), MissingKeys.WILDCARD)
    return KnownBeside(names, int(np.count_nonzero(sizes == 1)))


def _has_few_values(data: Microdata, name: str) -> bool:
    """Tell whether a column is of categories or whole numbers, few of them different."""
    if data.summary.distinct(name) > MAX_VALUES:
        return False
    if data.schema[name].kind in CATEGORICAL:
        return True
    values = data.values(name)
    known = values[~np.isnan(values)]
    return bool((known == np.rint(known)).all())


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
    return f"k is how many records, at least, should fit what somebody knows of a person: here {measured.k}, {asked}."


def silent_limits(measured: MeasuredRelease) -> str:
    """Return what the limits that were set say nothing on, as a list in a sentence; nothing where they are on all."""
    limits = measured.question.limits
    if (
        measured.is_synthetic
        or measured.after is None
        or not limits
        or not all(one.figure in FIGURES for one in limits)
    ):
        return ""
    families = ["whole families"] if measured.released.select(role("household")) else []
    hints = [] if any(one.is_lower for one in limits) else ["hints from other columns"]
    amounts = [words for alarms, words in SILENT_ON_AMOUNTS if not alarms.isdisjoint(measured.assessment.alarms)]
    listed = [*families, *hints, *amounts, "exact numbers"]
    return f"{', '.join(listed[:-1])} or {listed[-1]}" if len(listed) > 1 else listed[0]
