"""What a verdict warns of: what a file tells beyond the figures, and what nothing protects."""

from collections.abc import Iterator

import numpy as np

from sfumato.assessment.pairing import DOUBTED
from sfumato.assessment.release_notes import (
    DROPPED_COMPUTED,
    GAPS_TOLD,
    GROUPS_OF_FEW_HOUSEHOLDS,
    GROUPS_OF_FEW_PERSONS,
    HOUSEHOLDS_FOUND,
    HOUSEHOLDS_TOLD,
    K_FAILS,
    LEARNT_FOUND,
    MEANS_TOLD,
    PERSONS_FOUND,
    PERSONS_REPEATED,
    RARE_VALUES,
    VALUES_COMPUTED,
)
from sfumato.data import CATEGORICAL
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.display import format_count, format_percent
from sfumato.reports.release.chapters.acquaintance import left_to_acquaintance
from sfumato.reports.release.chapters.demands import KEY_ALARMS
from sfumato.reports.release.chapters.headline import AloneBeside, known_beside_keys, true_columns
from sfumato.reports.release.chapters.intruders import list_names, unprotected_variables
from sfumato.reports.release.household_sizes import SIZE, with_household_sizes
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.question import Standard
from sfumato.risk import SharedRecords

MORE_TOLD = {
    DOUBTED: "Records could not be matched with their originals, so that what rests on that was not measured.",
    K_FAILS: "Other columns tell some of the keys.",
    PERSONS_REPEATED: "Some persons have several records.",
    HOUSEHOLDS_TOLD: "Other columns tell who lives together.",
    HOUSEHOLDS_FOUND: "Whole households may be found by the keys of all their members.",
    PERSONS_FOUND: "Whoever looks for one person by the keys and other columns may be left with few records.",
    GAPS_TOLD: "Some gaps in keys tell the value that was there.",
    GROUPS_OF_FEW_HOUSEHOLDS: "Some groups of equal records are of fewer households than k: what members of a "
    "household have alike may be told of it.",
    GROUPS_OF_FEW_PERSONS: "Some groups of equal records are of fewer persons than k, as some persons have several.",
    LEARNT_FOUND: "Whoever learns from several columns together is left with fewer than k persons in some cases.",
    RARE_VALUES: "Some gaps in keys may be filled by whoever knows what goes with rare values of other columns.",
    VALUES_COMPUTED: "Some changed values can be computed from other columns.",
    DROPPED_COMPUTED: "Some values that were left out can be computed from other columns.",
    MEANS_TOLD: "Some numbers are means of few persons or households, or nearly the amount of one.",
}
"""What everybody reads of an alarm: what kind of content it is about, and neither column nor count."""
MAX_LONE = 8  # variables that are named
IN_THE_TABLE = (HOUSEHOLDS_FOUND, LEARNT_FOUND, MEANS_TOLD)
"""Alarms on intruders who have a line of their own in the table of the verdict."""
TELLS_MORE = "Not all that somebody may learn from this file is in the figures below."
NOT_LIMITED = "None of the limits is about this."


def list_warnings(measured: MeasuredRelease, *, for_all: bool) -> Iterator[str]:
    """Yield what the file tells beyond the figures, and which variables nothing protects.

    The house reads the alarms above, in a box of their own.
    """
    alarms = measured.assessment.alarms
    if for_all:
        yield from (words_for_everybody(alarm) for alarm in alarms if alarm not in IN_THE_TABLE)
        yield from alarms_without_limit(measured)
    if Standard.HIPAA in measured.question.standards and measured.after is not None:
        chance, threshold = left_to_acquaintance(measured, measured.after).chance, measured.question.threshold
        if chance > threshold:
            yield f"HIPAA: the threshold of {format_percent(threshold)} is not met; see the questions of the law."
    if names := unprotected_variables(measured):
        yield f"Released unchanged, and not counted as known to others: {list_names(measured.released, names)}."
    if not for_all:
        yield from _known_beside(measured)
    if not for_all:
        yield from _lone_categories(measured)
    copies = [one.value for one in measured.assessment.measurements if one.name == SharedRecords.name()]
    if copies and copies[0] > 0 and not measured.is_synthetic:
        share = "some" if for_all else format_percent(copies[0])  # how many may tell which, where groups have sizes
        yield f"In {share} of the records all compared values are those of a person whom nobody else equals."


def _known_beside(measured: MeasuredRelease) -> Iterator[str]:
    """Yield how many records are alone for somebody who knows true columns beside the keys; for the house."""
    if measured.after is None or measured.equal_records:
        return
    aligned, data = with_household_sizes(measured.original, measured.aligned, measured.released)
    true = true_columns(aligned, data)
    if not true:
        return
    known = known_beside_keys(aligned, data, measured.after.keys, true)
    if known.alone.any and not (known.worst == SIZE and measured.after.sides_by_size is not None):
        yield f"{_found_beside(known.alone)} for somebody who also knows {list_names(data, (known.worst,))}."
    if known.together.any > known.alone.any:
        yield f"{_found_beside(known.together)} for somebody who also knows all of {list_names(data, known.names)}."


def _lone_categories(measured: MeasuredRelease) -> Iterator[str]:
    """Yield the variables of which one released record has a category that no other has; for the house."""
    if measured.is_synthetic or measured.equal_records:
        return
    released = measured.released
    lone = {
        one.name: int(np.count_nonzero(np.bincount(codes[codes >= 0]) == 1))
        for one in released.schema.variables
        if one.kind in CATEGORICAL and one.role in CONTENT_ROLES
        for codes in [released.codes(one.name)[0]]
    }
    told = [f"{name} ({format_count(count, 'record')})" for name, count in lone.items() if count]
    if told:
        yield f"A category that no other released record has: {', '.join(told[:MAX_LONE])}."


def _found_beside(found: AloneBeside) -> str:
    """Return how many persons are left with one record, and records with one person, as a clause."""
    if found.persons is None:
        return f"{format_count(found.records, 'record')} {'is' if found.records == 1 else 'are'} unique"
    persons, records = (format_count(*one) for one in ((found.persons, "person"), (found.records, "record")))
    verb = "is" if found.persons == 1 else "are"
    return f"{persons} {verb} left with one record, and {records} with one person,"


def words_for_everybody(alarm: str) -> str:
    """Return what everybody reads of an alarm."""
    return MORE_TOLD.get(alarm, TELLS_MORE)


def alarms_without_limit(measured: MeasuredRelease) -> Iterator[str]:
    """Yield that no limit is on what the alarms are about, where limits were set and none is."""
    alarms = measured.assessment.alarms
    if alarms and measured.question.limits and not any(alarm in KEY_ALARMS for alarm in alarms):
        yield NOT_LIMITED
