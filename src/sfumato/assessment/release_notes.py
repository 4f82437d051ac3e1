"""What a released file tells beside its figures: each thing is looked for here, for all verbs that tell it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, role
from sfumato.display import format_count
from sfumato.keys.findings.exposure import PARTLY, READABLE
from sfumato.keys.findings.found_households import persons_found
from sfumato.keys.findings.groups_of_units import PERSONS, groups_remark
from sfumato.keys.findings.key_findings import KeyFindings, find_key_findings
from sfumato.keys.findings.person_side import person_remark
from sfumato.keys.gaps.suppressed_values import rare_code_remarks, rare_value_remarks
from sfumato.keys.group_means import group_remarks
from sfumato.keys.learning.learnt_intruder import learnt_remark
from sfumato.keys.pairs.dropped_values import dropped_amounts, dropped_remark
from sfumato.keys.recomputed_values import Recomputed, recomputed_remark
from sfumato.keys.unique_columns import unique_column_notices
from sfumato.keys.weight_notices import own_weight_notices

K_FAILS = "K DOES NOT HOLD for whoever reads a key, or a part of it, off other columns."
PERSONS_REPEATED = "K COUNTS RECORDS, AND SOME GROUPS ARE OF FEWER PERSONS."
GROUPS_OF_FEW_PERSONS = "SOME GROUPS OF EQUAL RECORDS ARE OF FEWER PERSONS THAN K."
GROUPS_OF_FEW_HOUSEHOLDS = "SOME GROUPS OF EQUAL RECORDS ARE OF FEWER HOUSEHOLDS THAN K."
HOUSEHOLDS_TOLD = "OTHER COLUMNS TELL WHO LIVES TOGETHER, although the household is not released."
HOUSEHOLDS_FOUND = "K DOES NOT HOLD for whoever knows all members of a household."
PERSONS_FOUND = "SOME PERSONS FIT FEWER THAN K RECORDS for whoever looks for one by keys and other columns."
LEARNT_FOUND = "SOME PERSONS ARE FOUND BY WHOEVER LEARNS from other records which columns go with which keys."
GAPS_TOLD = "GAPS IN KEYS TELL THEIR VALUE, and some records then fit fewer persons."
RARE_VALUES = "RARE VALUES STAND BESIDE GAPS IN KEYS, and may tell what these were."
VALUES_COMPUTED = "SOME MASKED VALUES CAN BE COMPUTED from other columns."
DROPPED_COMPUTED = "SOME DROPPED VALUES CAN BE COMPUTED from other columns."
MEANS_TOLD = "SOME MEANS ARE OF FEW persons or households, or nearly the amount of one."

AMOUNTS_TOLD = frozenset({VALUES_COMPUTED, DROPPED_COMPUTED, MEANS_TOLD})
"""What tells values of persons who are not found, on which a limit on k is silent."""
MEMBERS_TELL = (
    "a value that one member of a household lost may be told by those of the others; release the numbers of households "
    "only where users need them"
)


class Note(NamedTuple):
    """Something that must be known before a file is released, and what it comes to in the verdict; empty if nothing."""

    remark: str
    alarm: str = ""


def key_notes(
    original: Microdata | None,
    masked: Microdata,
    names: tuple[str, ...],
    k: int,
    *,
    unchanged: Sequence[str] = (),
    findings: KeyFindings | None = None,
    is_limited: bool = False,
) -> list[Note]:
    """Return what a file still tells of its keys, to whom k does not hold, and who is found by a whole household.

    Parameters
    ----------
    original, masked
        The file as it was, or None where it is not known which record is which, and as it is released; in the same
        order.
    names, k
        The keys, and how many records should fit what each shows.
    unchanged
        The columns that are released as they were.
    findings
        What is counted beside the keys, where that is known already.
    is_limited
        Whether all was suppressed that leaves more records to whoever looks for one person.
    """
    if findings is None:
        findings = find_key_findings(original, masked, names, k)
    shown, repeated, gaps = findings.names, findings.persons, findings.gaps
    notes = [Note(one, K_FAILS if one.startswith((READABLE, PARTLY)) else "") for one in findings.exposure.remarks]
    side = findings.exposure.side
    if side is not None and side.persons:
        notes.append(Note(person_remark(side, k, is_limited=is_limited), PERSONS_FOUND))
    if findings.learnt is not None and findings.learnt.is_found:
        notes.append(Note(learnt_remark(findings.learnt, k), LEARNT_FOUND))
    for one in findings.groups:
        if one.fewest < k:
            alarm = GROUPS_OF_FEW_PERSONS if one.what == PERSONS else GROUPS_OF_FEW_HOUSEHOLDS
            notes.append(Note(groups_remark(one, k), alarm))
    if original is not None:
        if repeated and (repeated.records or repeated.strict_records):
            notes.insert(0, Note(repeated.remark, PERSONS_REPEATED))
        if gaps is not None and gaps.remarks:
            came_to = _gap_words(gaps.records, k, "all of that at once" if len(gaps.remarks) > 1 else "that")
            notes.append(Note(f"{'; '.join(gaps.remarks)}; {came_to}", GAPS_TOLD if gaps.records else ""))
        notes += [Note(one, RARE_VALUES) for one in rare_value_remarks(original, masked, names, unchanged, k)]
        if masked.select(role("household")) and any(
            (original.observed(name) & ~masked.observed(name)).any() for name in shown
        ):
            notes.append(Note(MEMBERS_TELL))
    notes += map(Note, rare_code_remarks(masked, names, k))
    is_hidden = original is not None and not masked.select(role("household"))
    alarm = HOUSEHOLDS_TOLD if is_hidden else ""
    if persons_found(masked, shown):
        alarm = HOUSEHOLDS_FOUND
    return [*notes, *(Note(one, alarm) for one in findings.households.remarks)]


def _gap_words(records: int, k: int, told: str) -> str:
    """Return whom somebody finds who uses what gaps tell, and what to do."""
    if not records:
        return f"by what was looked for, each record still fits {k} persons or looks like {k - 1} others"
    return (
        f"whoever uses {told} finds at least {format_count(records, 'record')} that fewer than {k} persons fit: join "
        f"categories, or leave the key out of the file"
    )


def value_notes(
    original: Microdata,
    masked: Microdata,
    steps: Sequence[MaskingMethod],
    k: int,
    *,
    unchanged: Sequence[str],
    recomputed: Sequence[Recomputed],
) -> list[Note]:
    """Return which values of single records or households a file still tells, and by which it tells records apart.

    Parameters
    ----------
    original, masked
        The file as it was and as it is released, in the same order.
    steps
        The steps that masked it.
    k
        How many persons or households should share each mean.
    unchanged, recomputed
        The columns that are released as they were, and the masked ones that can be computed from these.
    """
    notes = [Note(recomputed_remark(recomputed), VALUES_COMPUTED)] if recomputed else []
    if dropped := dropped_amounts(original, masked):
        notes.append(Note(dropped_remark(dropped), DROPPED_COMPUTED))
    notes += map(Note, unique_column_notices(unchanged, masked))
    return [*notes, *(Note(one, MEANS_TOLD) for one in group_remarks(original, masked, steps, k))]


def weight_notes(original: Microdata | None, masked: Microdata) -> list[Note]:
    """Return who has a weight that no other has."""
    return [Note(one) for one in own_weight_notices(masked, original)]


def remarks_of(notes: Iterable[Note]) -> tuple[str, ...]:
    """Return what must be known, each thing once, without a full stop."""
    return tuple(dict.fromkeys(note.remark.removesuffix(".") for note in notes))


def alarms_of(notes: Iterable[Note]) -> tuple[str, ...]:
    """Return what counts in the verdict, each thing once."""
    return tuple(dict.fromkeys(note.alarm for note in notes if note.alarm))
